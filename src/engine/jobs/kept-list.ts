import type { Clock } from "../base/timing/clock.ts";
import { Emitter } from "../base/emitter.ts";
import { Throttle } from "../base/timing/throttle.ts";
import type { LiveRun } from "../bench/progress.ts";
import { measuresModel, type BenchRun } from "../bench/run-facts.ts";
import { referencesOf, type Reference, type ReferenceKey, type ReferenceOf } from "./task-figures.ts";
import { withRun, type JobStore, type KeptJob } from "./store.ts";
import { isUnderWay } from "./answers/stages.ts";
import { readPage, summaryOf, viewOf } from "./summary.ts";
import type { JobState, JobSummary, JobView, RunPage } from "./answers/bench.ts";
import type { WorkNews } from "./workshop.ts";
import type { ServiceLog } from "../base/log.ts";

export interface KeptJobsPorts {
  readonly store: JobStore;
  readonly log: ServiceLog;
  readonly clock: Clock;
  /** What the ledger has of golden tasks: of benches that others made too. */
  readonly baselines: () => Promise<readonly (ReferenceKey & Reference)[]>;
}

/** Milliseconds between two times that clients are told. */
const tellInterval = 500;
const learnInterval = 5000;

/** What is known of each job: kept on the disk, answered to clients, and told them when it changes. */
export class KeptJobs {
  readonly #changes = new Emitter<readonly JobSummary[]>();
  /** Those that are under way, and those that changed. At most two a second. */
  readonly onChange = this.#changes.on;
  readonly #ports: KeptJobsPorts;
  readonly #tell: Throttle;
  readonly #changed = new Set<string>();
  /** Null until somebody asked: a service that nobody asks of benches reads nothing of them. */
  #jobs: Map<string, KeptJob> | null = null;
  /** Runs that go on, of the job that does. */
  readonly #live = new Map<string, LiveRun>();
  #liveJob: string | null = null;
  #baselines: readonly (ReferenceKey & Reference)[] = [];
  #learnedAt = -Infinity;

  constructor(ports: KeptJobsPorts) {
    this.#ports = ports;
    this.#tell = new Throttle(tellInterval, () => this.#tellNow());
  }

  get(id: string): KeptJob | undefined {
    return this.#all().get(id);
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

  put(job: KeptJob): void {
    this.#all().set(job.id, job);
    try {
      this.#ports.store.write(job);
    } catch (error) {
      this.#ports.log.write("error", `Bench ${job.id} is not kept: ${String(error)}`);
    }
    this.#say(job.id);
  }

  /** A job ends like this. */
  end(id: string, state: JobState): void {
    const job = this.get(id);
    if (job !== undefined) this.put({ ...job, state, endedAt: this.#ports.clock.now() });
  }

  /** From now on runs that go on are this job's; null for none. */
  setLive(id: string | null): void {
    this.#live.clear();
    this.#liveJob = id;
  }

  /** A job that goes on tells how far it is. */
  hear(id: string, news: WorkNews): void {
    const job = this.get(id);
    if (job === undefined) return;
    switch (news.kind) {
      case "outline":
        this.put({ ...job, outline: news.outline });
        return;
      case "selection":
        this.put({ ...job, selection: news.selection });
        return;
      case "comparison":
        this.put({ ...job, comparison: news.comparison });
        return;
      case "plan":
        // What it was planned for before it was first begun stays the plan.
        if (job.plan === null) this.put({ ...job, plan: news.plan });
        return;
      case "resumed":
        this.put({ ...job, runs: news.runs.reduce(withRun, job.runs) });
        return;
      case "started":
        return;
      case "live":
        this.#live.set(news.run.id, news.run);
        this.#say(id);
        return;
      case "ended":
        this.#live.delete(news.run.id);
        this.put({ ...job, runs: withRun(job.runs, news.run) });
        return;
      case "paused":
      case "done":
        // How it ended is told when all of it has.
        return;
    }
  }

  dispose(): void {
    this.#tell.dispose();
    this.#changes.dispose();
  }

  #all(): Map<string, KeptJob> {
    this.#jobs ??= new Map(this.#ports.store.load().map((job) => [job.id, job]));
    return this.#jobs;
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
    return this.#liveJob === id ? [...this.#live.values()] : [];
  }
}
