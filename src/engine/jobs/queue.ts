import { fail, succeed, type Result } from "../base/result.ts";
import type { ActiveMemories } from "../bench/current-configuration.ts";
import type { BenchPlan } from "../bench/plan/plan.ts";
import type { StoredJob } from "./store.ts";
import { agentsOf, isResumable } from "./answers/stages.ts";
import type { BenchChoices, JobOrder, JobState } from "./answers/bench.ts";
import type { ClientEnvironment, WorkEnd, WorkFailed, JobExecutor } from "./executor.ts";
import { JobList, type JobListPorts } from "./list.ts";

export interface JobQueuePorts extends JobListPorts {
  readonly runner: JobExecutor;
  /** The agents' active rules as memories now. Without an answer, the unchanged agent cannot be measured. */
  readonly memories: (agents: readonly string[]) => Promise<Result<ActiveMemories>>;
  /** Returns an id that no other job has. */
  readonly newId: (ask: JobOrder) => string;
}

/** `unknown`: no such job. `unfit`: not possible in its current state. */
export type JobFailure = "unknown" | "unfit";

interface Running {
  readonly id: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** The job queue of one purser home: one job runs at a time, others wait. `jobs` holds their state. */
export class JobQueue {
  readonly jobs: JobList;
  readonly #ports: JobQueuePorts;
  /** Environments of the waiting and running jobs: never stored. */
  readonly #environments = new Map<string, ClientEnvironment>();
  readonly #queue: string[] = [];
  #running: Running | undefined;
  #isFinished = false;

  constructor(ports: JobQueuePorts) {
    this.#ports = ports;
    this.jobs = new JobList(ports);
  }

  /** True while there is work: the service must not exit for lack of clients. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#queue.length > 0;
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

  start(asked: {
    readonly ask: JobOrder;
    readonly env: ClientEnvironment;
    readonly project: string | null;
  }): Result<{ id: string }, JobFailure> {
    const { ask, env, project } = asked;
    if (this.#isFinished) return fail("unfit", "the service is ending; ask again");
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
    if (job === undefined) return fail("unknown", `there is no bench ${id}`);
    if (this.#isFinished || !isResumable(job.state))
      return fail("unfit", `bench ${id} is ${job.state.kind}: there is nothing to resume`);
    this.#enqueue({ ...job, endedAt: null }, env);
    return succeed({});
  }

  /** Resolves when none of the job's work is running any more. */
  async cancel(id: string): Promise<Result<object, JobFailure>> {
    const job = this.jobs.get(id);
    if (job === undefined) return fail("unknown", `there is no bench ${id}`);
    const position = this.#queue.indexOf(id);
    if (position !== -1) {
      this.#queue.splice(position, 1);
      this.#environments.delete(id);
      this.jobs.put({ ...job, state: { kind: "cancelled" }, endedAt: this.#ports.clock.now() });
      this.#renumber();
    } else if (this.#running?.id === id) {
      this.jobs.put({ ...job, state: { kind: "cancelling" } });
      this.#running.stop.abort();
      await this.#running.ended;
    }
    return succeed({});
  }

  /** Stops all jobs. They can be resumed, by the next service too. */
  async stop(): Promise<void> {
    this.#isFinished = true;
    const detail = "The service ended while it was under way.";
    const waiting = this.#queue.splice(0);
    for (const id of waiting) this.jobs.end(id, { kind: "interrupted", detail });
    const running = this.#running;
    running?.stop.abort();
    await running?.ended;
    if (running !== undefined) this.jobs.end(running.id, { kind: "interrupted", detail });
    await this.#ports.runner.close();
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
    if (this.#running !== undefined || this.#isFinished) return;
    const id = this.#queue.shift();
    const job = id === undefined ? undefined : this.jobs.get(id);
    if (job === undefined) return;
    this.#renumber();
    const stop = new AbortController();
    const startedAt = job.startedAt ?? this.#ports.clock.now();
    this.jobs.put({ ...job, state: { kind: "running" }, startedAt });
    this.jobs.setLive(job.id);
    this.#running = { id: job.id, stop, ended: this.#work(job, stop.signal) };
  }

  async #work(kept: StoredJob, signal: AbortSignal): Promise<void> {
    const { id, ask, project, memories: before, selection, comparison } = kept;
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
      ended = fail("failed", error instanceof Error ? error.message : String(error));
    }
    this.#environments.delete(id);
    this.jobs.setLive(null);
    this.#running = undefined;
    const state = stateAfter(ended, signal.aborted);
    if (state.kind === "failed" || state.kind === "interrupted")
      this.#ports.log.write("warn", `Bench ${id}: ${state.detail}`);
    this.jobs.end(id, state);
    this.#next();
  }

  #renumber(): void {
    for (const [index, id] of this.#queue.entries()) {
      const job = this.jobs.get(id);
      const ahead = index + (this.#running === undefined ? 0 : 1);
      if (job !== undefined) this.jobs.put({ ...job, state: { kind: "queued", ahead } });
    }
  }
}

function stateAfter(ended: Result<WorkEnd> | WorkFailed, wasCancelled: boolean): JobState {
  if (wasCancelled) return { kind: "cancelled" };
  if (ended.ok) return { ...ended.value };
  if (ended.reason === "gone") return { kind: "interrupted", detail: ended.detail };
  return { kind: "failed", detail: ended.detail };
}
