import type { Clock } from "../base/clock.ts";
import { Emitter } from "../base/emitter.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { Throttle } from "../base/throttle.ts";
import type { ActiveMemories } from "../bench/as-it-is.ts";
import type { LiveRun } from "../bench/bench-progress.ts";
import { measuresModel, type BenchRun } from "../bench/bench-run.ts";
import type { BenchPlan } from "../bench/plan.ts";
import { referencesOf, type Reference, type ReferenceKey, type ReferenceOf } from "./bench-figures.ts";
import type { KeptJob, JobStore } from "./bench-job.ts";
import { withRun } from "./bench-job.ts";
import { readPage, summaryOf, viewOf } from "./bench-summary.ts";
import { agentsOf, isResumable, isUnderWay } from "./bench-states.ts";
import type { BenchChoices, JobAsk, JobState, JobSummary, JobView, RunPage } from "./bench-view.ts";
import type { ClientEnvironment, WorkEnd, WorkFailed, WorkNews, Workshop } from "./bench-workshop.ts";
import type { ServiceLog } from "./service-log.ts";

export interface BenchKeeperPorts {
  readonly store: JobStore;
  readonly workshop: Workshop;
  readonly log: ServiceLog;
  readonly clock: Clock;
  /** What these agents' active rules come to now. Where nobody can say, an agent as it is cannot be measured. */
  readonly memories: (agents: readonly string[]) => Promise<Result<ActiveMemories>>;
  /** What the ledger has of golden tasks: of benches that others made too. */
  readonly baselines: () => Promise<readonly (ReferenceKey & Reference)[]>;
  /** A word no other job has. */
  readonly newId: (ask: JobAsk) => string;
}

/** `unknown`: there is no such job. `unfit`: that cannot be done with it now. */
export type JobFailure = "unknown" | "unfit";

/** Milliseconds between two times that clients are told. */
const tellInterval = 500;
const learnInterval = 5000;

interface Running {
  readonly id: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** The jobs of a purser's home: one goes on at a time, others wait, and what is known of each is kept. */
export class BenchKeeper {
  readonly #changes = new Emitter<readonly JobSummary[]>();
  /** Those that are under way, and those that changed. At most two a second. */
  readonly onChange = this.#changes.on;
  readonly #ports: BenchKeeperPorts;
  readonly #tell: Throttle;
  readonly #changed = new Set<string>();
  /** Null until somebody asked: a service that nobody asks of benches reads nothing of them. */
  #jobs: Map<string, KeptJob> | null = null;
  readonly #live = new Map<string, LiveRun>();
  /** The environments of those that wait or run: kept nowhere. */
  readonly #environments = new Map<string, ClientEnvironment>();
  readonly #queue: string[] = [];
  #running: Running | undefined;
  #baselines: readonly (ReferenceKey & Reference)[] = [];
  #learnedAt = -Infinity;
  #isFinished = false;

  constructor(ports: BenchKeeperPorts) {
    this.#ports = ports;
    this.#tell = new Throttle(tellInterval, () => this.#tellNow());
  }

  /** A service with work must not end because nobody looks. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#queue.length > 0;
  }

  choices(
    asked: { readonly workspace: string | null; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchChoices>> {
    return this.#ports.workshop.choices(asked, signal);
  }

  async plan(
    order: { readonly ask: JobAsk; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchPlan>> {
    const memories = await this.#ports.memories(agentsOf(order.ask));
    if (!memories.ok) return memories;
    return await this.#ports.workshop.plan({ ...order, memories: memories.value }, signal);
  }

  start(asked: {
    readonly ask: JobAsk;
    readonly env: ClientEnvironment;
    readonly project: string | null;
  }): Result<{ id: string }, JobFailure> {
    const { ask, env, project } = asked;
    if (this.#isFinished) return fail("unfit", "the service is ending; ask again");
    const { newId, clock } = this.#ports;
    const id = newId(ask);
    const none = { startedAt: null, endedAt: null, memories: null, plan: null, outline: null, runs: [] };
    const job: KeptJob = {
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
    const job = this.#all().get(id);
    if (job === undefined) return fail("unknown", `there is no bench ${id}`);
    if (this.#isFinished || !isResumable(job.state))
      return fail("unfit", `bench ${id} is ${job.state.kind}: there is nothing to resume`);
    this.#enqueue({ ...job, endedAt: null }, env);
    return succeed({});
  }

  /** Ends when nothing of it goes on any more. */
  async cancel(id: string): Promise<Result<object, JobFailure>> {
    const job = this.#all().get(id);
    if (job === undefined) return fail("unknown", `there is no bench ${id}`);
    const place = this.#queue.indexOf(id);
    if (place !== -1) {
      this.#queue.splice(place, 1);
      this.#environments.delete(id);
      this.#keep({ ...job, state: { kind: "cancelled" }, endedAt: this.#ports.clock.now() });
      this.#renumber();
    } else if (this.#running?.id === id) {
      this.#keep({ ...job, state: { kind: "cancelling" } });
      this.#running.stop.abort();
      await this.#running.ended;
    }
    return succeed({});
  }

  /** The newest first. */
  async list(): Promise<{ jobs: JobSummary[] }> {
    await this.#learn();
    const jobs = [...this.#all().values()].toSorted((one, other) => other.at - one.at);
    return { jobs: jobs.map((job) => this.#summary(job)) };
  }

  async read(id: string): Promise<{ view: JobView | null }> {
    await this.#learn();
    const job = this.#all().get(id);
    if (job === undefined) return { view: null };
    return { view: viewOf(job, [...this.#all().values()], this.#liveOf(id), this.#references()) };
  }

  async runPage(id: string, runId: string): Promise<{ page: RunPage | null }> {
    await this.#learn();
    const job = this.#all().get(id);
    const run = job?.runs.find((one) => one.id === runId);
    if (job === undefined || run === undefined) return { page: null };
    return { page: readPage(job, run, this.#references(), this.#ports.store.trajectory(run)) };
  }

  /** A file that a run changed; null where nothing is kept of that. */
  change(id: string, runId: string, place: string): ReturnType<JobStore["change"]> {
    const run = this.#all()
      .get(id)
      ?.runs.find((one) => one.id === runId);
    return run === undefined ? null : this.#ports.store.change(run, place);
  }

  /** Ends what goes on. It can be resumed, by the next service too. */
  async finish(): Promise<void> {
    this.#isFinished = true;
    const detail = "The service ended while it was under way.";
    const waiting = this.#queue.splice(0);
    for (const id of waiting) this.#become(id, { kind: "interrupted", detail });
    const running = this.#running;
    running?.stop.abort();
    await running?.ended;
    if (running !== undefined) this.#become(running.id, { kind: "interrupted", detail });
    await this.#ports.workshop.close();
    this.#tell.dispose();
    this.#changes.dispose();
  }

  #all(): Map<string, KeptJob> {
    this.#jobs ??= new Map(this.#ports.store.load().map((job) => [job.id, job]));
    return this.#jobs;
  }

  #enqueue(job: KeptJob, env: ClientEnvironment): void {
    this.#environments.set(job.id, env);
    this.#queue.push(job.id);
    this.#keep(job);
    this.#renumber();
    this.#next();
  }

  #next(): void {
    if (this.#running !== undefined || this.#isFinished) return;
    const id = this.#queue.shift();
    const job = id === undefined ? undefined : this.#all().get(id);
    if (job === undefined) return;
    this.#renumber();
    const stop = new AbortController();
    const startedAt = job.startedAt ?? this.#ports.clock.now();
    this.#keep({ ...job, state: { kind: "running" }, startedAt });
    this.#running = { id: job.id, stop, ended: this.#work(job, stop.signal) };
  }

  async #work(kept: KeptJob, signal: AbortSignal): Promise<void> {
    const { id, ask, project, memories: before, selection, comparison } = kept;
    const env = this.#environments.get(id) ?? {};
    let ended: Result<WorkEnd> | WorkFailed;
    try {
      const known = before === null ? await this.#ports.memories(agentsOf(ask)) : succeed(before);
      const job = this.#all().get(id);
      if (known.ok && before === null && job !== undefined)
        this.#keep({ ...job, memories: { ...known.value } });
      const more = { ...(selection && { selection }), ...(comparison && { comparison }) };
      const run = async (memories: ActiveMemories) =>
        await this.#ports.workshop.run(
          { id, ask, env, project, memories, ...more },
          (news) => this.#hear(id, news),
          signal,
        );
      if (signal.aborted) ended = succeed({ kind: "cancelled" });
      else ended = known.ok ? await run(known.value) : known;
    } catch (error) {
      ended = fail("failed", error instanceof Error ? error.message : String(error));
    }
    this.#environments.delete(id);
    this.#live.clear();
    this.#running = undefined;
    const state = stateAfter(ended, signal.aborted);
    if (state.kind === "failed" || state.kind === "interrupted")
      this.#ports.log.write("warn", `Bench ${id}: ${state.detail}`);
    this.#become(id, state);
    this.#next();
  }

  #hear(id: string, news: WorkNews): void {
    const job = this.#all().get(id);
    if (job === undefined) return;
    switch (news.kind) {
      case "outline":
        this.#keep({ ...job, outline: news.outline });
        return;
      case "selection":
        this.#keep({ ...job, selection: news.selection });
        return;
      case "comparison":
        this.#keep({ ...job, comparison: news.comparison });
        return;
      case "plan":
        // What it was planned for before it was first begun stays the plan.
        if (job.plan === null) this.#keep({ ...job, plan: news.plan });
        return;
      case "resumed":
        this.#keep({ ...job, runs: news.runs.reduce(withRun, job.runs) });
        return;
      case "started":
        return;
      case "live":
        this.#live.set(news.run.id, news.run);
        this.#say(id);
        return;
      case "ended":
        this.#live.delete(news.run.id);
        this.#keep({ ...job, runs: withRun(job.runs, news.run) });
        return;
      case "paused":
      case "done":
        // How it ended is told when all of it has.
        return;
    }
  }

  #become(id: string, state: JobState): void {
    const job = this.#all().get(id);
    if (job !== undefined) this.#keep({ ...job, state, endedAt: this.#ports.clock.now() });
  }

  #renumber(): void {
    for (const [index, id] of this.#queue.entries()) {
      const job = this.#all().get(id);
      const ahead = index + (this.#running === undefined ? 0 : 1);
      if (job !== undefined) this.#keep({ ...job, state: { kind: "queued", ahead } });
    }
  }

  #keep(job: KeptJob): void {
    this.#all().set(job.id, job);
    try {
      this.#ports.store.write(job);
    } catch (error) {
      this.#ports.log.write("error", `Bench ${job.id} is not kept: ${String(error)}`);
    }
    this.#say(job.id);
  }

  #say(id: string): void {
    this.#changed.add(id);
    this.#tell.request();
  }

  #tellNow(): boolean {
    const jobs = [...this.#all().values()].filter(
      ({ id, state }) => this.#changed.has(id) || isUnderWay(state),
    );
    this.#changed.clear();
    this.#changes.fire(jobs.map((job) => this.#summary(job)));
    return jobs.length > 0;
  }

  #summary(job: KeptJob): JobSummary {
    return summaryOf(job, this.#liveOf(job.id), this.#references());
  }

  #references(): ReferenceOf {
    // What only a change reached was never the agent's own work, and what is replayed is nobody's.
    const isOwn = ({ role, driver }: BenchRun) => role === "active" && measuresModel(driver);
    const runs = [...this.#all().values()].flatMap((job) => job.runs.filter(isOwn));
    return referencesOf(runs, this.#baselines);
  }

  /** What the ledger has changes seldom: it is asked again after a while. */
  async #learn(): Promise<void> {
    const now = this.#ports.clock.now();
    if (now - this.#learnedAt < learnInterval) return;
    this.#learnedAt = now;
    this.#baselines = await this.#ports.baselines();
  }

  #liveOf(id: string): LiveRun[] {
    return this.#running?.id === id ? [...this.#live.values()] : [];
  }
}

function stateAfter(ended: Result<WorkEnd> | WorkFailed, wasCancelled: boolean): JobState {
  if (wasCancelled) return { kind: "cancelled" };
  if (ended.ok) return { ...ended.value };
  if (ended.reason === "gone") return { kind: "interrupted", detail: ended.detail };
  return { kind: "failed", detail: ended.detail };
}
