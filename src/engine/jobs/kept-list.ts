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
  /** The ledger's references of golden tasks, including those of other clients' benches. */
  readonly baselines: () => Promise<readonly (ReferenceKey & Reference)[]>;
}

/** Interval between updates to clients. Milliseconds. */
const tellInterval = 500;
const learnInterval = 5000;

/** State of each job: stored on disk, returned to clients, and sent to them when it changes. */
export class KeptJobs {
  readonly #changes = new Emitter<readonly JobSummary[]>();
  /** Fires with the jobs under way and those that changed, at most twice a second. */
  readonly onChange = this.#changes.on;
  readonly #ports: KeptJobsPorts;
  readonly #tell: Throttle;
  readonly #changed = new Set<string>();
  /** Null until first requested: a service without requests about benches reads none of them. */
  #jobs: Map<string, KeptJob> | null = null;
  /** Runs under way of the running job. */
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

  /** Returns all jobs, the newest first. */
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

  /** Returns a file that a run changed; null where nothing was stored of it. */
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

  /** Records the end of a job. */
  end(id: string, state: JobState): void {
    const job = this.get(id);
    if (job !== undefined) this.put({ ...job, state, endedAt: this.#ports.clock.now() });
  }

  /** Sets the job that live runs belong to; null for none. */
  setLive(id: string | null): void {
    this.#live.clear();
    this.#liveJob = id;
  }

  /** Records the progress of a running job. */
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
        // The plan from before the first start stays the plan.
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
        // The end of the job is reported once all of its work has ended.
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
    // Excludes runs with a change, which are not the agent's own work, and replays, which are nobody's.
    const isOwn = ({ role, driver }: BenchRun) => role === "active" && measuresModel(driver);
    const runs = [...this.#all().values()].flatMap((job) => job.runs.filter(isOwn));
    return referencesOf(runs, this.#baselines);
  }

  /** The ledger's references change rarely, so they are fetched at intervals. */
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
