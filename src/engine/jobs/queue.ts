import { sentence, plainSentence } from "../base/language.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import type { ActiveMemories } from "../bench/configuration.ts";
import type { BenchPlan } from "../bench/plan.ts";
import type { StoredJob } from "./jobs-store.ts";
import type { WakePlanView } from "../recurring/recurring-answers.ts";
import { agentsOf, isResumable, isUnderWay, laneOf } from "./compare-answers.ts";
import type { AnyOrder, BenchChoices, JobOrder, JobState } from "./bench-answers.ts";
import type { WakeAsk } from "./answers/wake.ts";
import type { ClientEnvironment, WorkEnd, WorkFailed, JobExecutor } from "./executor.ts";
import { JobList, type JobListPorts } from "./list.ts";

export { jobStore, type StoredJob } from "./jobs-store.ts";

export interface JobQueuePorts extends JobListPorts {
  readonly runner: JobExecutor;
  /** Active rules as memories. Without an answer, the unchanged agent cannot be measured. */
  readonly memories: (agents: readonly string[]) => Promise<Result<ActiveMemories>>;
  readonly newId: (ask: AnyOrder) => string;
}

/** `unknown`: no such job. `unfit`: not possible in its current state. */
export type JobFailure = "unknown" | "unfit";

interface Running {
  readonly id: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** The queue of one purser home: one measurement at a time, and beside it one wake per agent. `jobs` holds their state. */
export class JobQueue {
  readonly jobs: JobList;
  readonly #ports: JobQueuePorts;
  /** Environments of the waiting and running jobs: never stored. */
  readonly #environments = new Map<string, ClientEnvironment>();
  readonly #queue: string[] = [];
  /** By lane. */
  readonly #running = new Map<string, Running>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #isFinished = false;

  constructor(ports: JobQueuePorts) {
    this.#ports = ports;
    this.jobs = new JobList(ports);
  }

  /** The service must not exit for lack of clients. */
  get isBusy(): boolean {
    return this.#running.size > 0 || this.#queue.length > 0;
  }

  choices(
    asked: { readonly workspace: string | null; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchChoices>> {
    return this.#ports.runner.choices(asked, signal);
  }

  async plan(
    order: { readonly ask: JobOrder; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchPlan>> {
    const memories = await this.#ports.memories(agentsOf(order.ask));
    if (!memories.ok) return memories;
    return await this.#ports.runner.plan({ ...order, memories: memories.value }, signal);
  }

  planWake(
    order: { readonly ask: WakeAsk; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<WakePlanView>> {
    return this.#ports.runner.planWake(order, signal);
  }

  async whenEnded(id: string): Promise<void> {
    const job = this.jobs.get(id);
    if (job === undefined || !isUnderWay(job.state)) return;
    await new Promise<void>((resolve) => {
      this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), resolve]);
    });
  }

  start(asked: {
    readonly ask: AnyOrder;
    readonly env: ClientEnvironment;
    readonly project: string | null;
  }): Result<{ id: string }, JobFailure> {
    const { ask, env, project } = asked;
    if (this.#isFinished) return fail("unfit", sentence("the service is ending; ask again"));
    const { newId, clock } = this.#ports;
    const id = newId(ask);
    const none = { startedAt: null, endedAt: null, memories: null, plan: null, outline: null, runs: [] };
    const job: StoredJob = {
      version: 1,
      id,
      ask,
      project,
      at: clock.now(),
      state: { kind: "queued", ahead: 0 },
      ...none,
    };
    this.#enqueue(job, env);
    return succeed({ id });
  }

  resume(id: string, env: ClientEnvironment): Result<object, JobFailure> {
    const job = this.jobs.get(id);
    if (job === undefined) return fail("unknown", sentence("there is no bench {0}", id));
    if (this.#isFinished || !isResumable(job.state))
      return fail("unfit", sentence("bench {0} is {1}: there is nothing to resume", id, job.state.kind));
    this.#enqueue({ ...job, endedAt: null }, env);
    return succeed({});
  }

  /** Resolves when the job's work has ended. */
  async cancel(id: string): Promise<Result<object, JobFailure>> {
    const job = this.jobs.get(id);
    if (job === undefined) return fail("unknown", sentence("there is no bench {0}", id));
    const position = this.#queue.indexOf(id);
    if (position !== -1) {
      this.#queue.splice(position, 1);
      this.#environments.delete(id);
      this.#end(id, { kind: "cancelled" });
      this.#renumber();
      return succeed({});
    }
    const running = this.#running.get(laneOf(job.ask));
    if (running?.id === id) {
      this.jobs.put({ ...job, state: { kind: "cancelling" } });
      running.stop.abort();
      await running.ended;
    }
    return succeed({});
  }

  /** Stops all jobs. They can be resumed, by the next service too. */
  async stop(): Promise<void> {
    this.#isFinished = true;
    const detail = sentence("The service ended while it was under way.");
    const waiting = this.#queue.splice(0);
    for (const id of waiting) this.#end(id, { kind: "interrupted", detail });
    const running = this.#running.get("measure");
    const wakes = [...this.#running.values()].filter((each) => each !== running);
    running?.stop.abort();
    await running?.ended;
    if (running !== undefined) this.#end(running.id, { kind: "interrupted", detail });
    // Nobody cancelled them: their runner reports that they are interrupted.
    await this.#ports.runner.close();
    await Promise.all(wakes.map(({ ended }) => ended));
    for (const { id } of wakes) this.#end(id, { kind: "interrupted", detail });
    this.jobs.dispose();
  }

  #enqueue(job: StoredJob, env: ClientEnvironment): void {
    this.#environments.set(job.id, env);
    this.#queue.push(job.id);
    this.jobs.put(job);
    this.#renumber();
    this.#next();
  }

  #next(): void {
    if (this.#isFinished) return;
    for (const id of [...this.#queue]) {
      const job = this.jobs.get(id);
      const lane = job === undefined ? "" : laneOf(job.ask);
      if (job !== undefined && this.#running.has(lane)) continue;
      this.#queue.splice(this.#queue.indexOf(id), 1);
      if (job !== undefined) this.#begin(job, lane);
    }
    this.#renumber();
  }

  #begin(job: StoredJob, lane: string): void {
    const stop = new AbortController();
    const startedAt = job.startedAt ?? this.#ports.clock.now();
    this.jobs.put({ ...job, state: { kind: "running" }, startedAt });
    if (lane === "measure") this.jobs.setLive(job.id);
    // Nothing of the job runs before this is set.
    const ended = Promise.resolve().then(() => this.#work(job, lane, stop.signal));
    this.#running.set(lane, { id: job.id, stop, ended });
  }

  #end(id: string, state: JobState): void {
    this.jobs.end(id, state);
    for (const resolve of this.#waiting.get(id) ?? []) resolve();
    this.#waiting.delete(id);
  }

  async #work(stored: StoredJob, lane: string, signal: AbortSignal): Promise<void> {
    const { id, ask, project, memories: before, selection, comparison } = stored;
    const env = this.#environments.get(id) ?? {};
    let ended: Result<WorkEnd> | WorkFailed;
    try {
      const known = before === null ? await this.#ports.memories(agentsOf(ask)) : succeed(before);
      const job = this.jobs.get(id);
      if (known.ok && before === null && job !== undefined)
        this.jobs.put({ ...job, memories: { ...known.value } });
      const more = { ...(selection && { selection }), ...(comparison && { comparison }) };
      const run = async (memories: ActiveMemories) =>
        await this.#ports.runner.run(
          { id, ask, env, project, memories, ...more },
          (event) => this.jobs.handle(id, event),
          signal,
        );
      if (signal.aborted) ended = succeed({ kind: "cancelled" });
      else ended = known.ok ? await run(known.value) : known;
    } catch (error) {
      ended = fail(
        "failed",
        error instanceof Error ? plainSentence(error.message) : plainSentence(String(error)),
      );
    }
    this.#environments.delete(id);
    if (lane === "measure") this.jobs.setLive(null);
    this.#running.delete(lane);
    const state = stateAfter(ended, signal.aborted);
    if (state.kind === "failed" || state.kind === "interrupted")
      this.#ports.log.write("warn", `${ask.kind === "wake" ? "Wake" : "Bench"} ${id}: ${state.detail.text}`);
    this.#end(id, state);
    this.#next();
  }

  #renumber(): void {
    const before = new Map<string, number>();
    for (const id of this.#queue) {
      const job = this.jobs.get(id);
      if (job === undefined) continue;
      const lane = laneOf(job.ask);
      const ahead = before.get(lane) ?? (this.#running.has(lane) ? 1 : 0);
      before.set(lane, ahead + 1);
      this.jobs.put({ ...job, state: { kind: "queued", ahead } });
    }
  }
}

function stateAfter(ended: Result<WorkEnd> | WorkFailed, wasCancelled: boolean): JobState {
  if (wasCancelled) return { kind: "cancelled" };
  if (ended.ok) return { ...ended.value };
  if (ended.reason === "gone") return { kind: "interrupted", detail: ended.detail };
  return { kind: "failed", detail: ended.detail };
}
