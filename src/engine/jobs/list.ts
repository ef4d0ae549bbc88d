import { type Clock, Throttle } from "../base/timing.ts";
import { Emitter } from "../base/events.ts";
import { measuresModel, type BenchRun } from "../bench/run-facts.ts";
import { type LiveRun } from "../bench/bench-entries.ts";
import { referencesOf, type Reference, type ReferenceKey, type ReferenceOf } from "./task-figures.ts";
import { isMeasuring, withRun, type JobStore, type MeasuringJob, type StoredJob } from "./jobs-store.ts";
import { isUnderWay } from "./compare-answers.ts";
import { readPage, summaryOf, viewOf, wakesOf } from "./summary.ts";
import type { JobState, JobSummary, JobView, RunPage, WakeJob } from "./bench-answers.ts";
import type { JobEvent } from "./executor.ts";
import type { ServiceLog } from "../base/log.ts";

export interface JobListPorts {
  readonly store: JobStore;
  readonly log: ServiceLog;
  readonly clock: Clock;
  /** References of golden tasks, including those of other clients' benches. */
  readonly baselines: () => Promise<readonly (ReferenceKey & Reference)[]>;
}

export interface ListedJobs {
  readonly jobs: readonly JobSummary[];
  readonly wakes: readonly WakeJob[];
}

/** The ledger has all of them. */
const maxWakes = 30;
/** Milliseconds. */
const publishInterval = 500;
const learnInterval = 5000;

/** State of each job: stored on disk, returned to clients, and sent to them when it changes. */
export class JobList {
  readonly #changes = new Emitter<ListedJobs>();
  /** Fires with the jobs in progress and those that changed, at most twice a second. */
  readonly onChange = this.#changes.on;
  readonly #ports: JobListPorts;
  readonly #publishing: Throttle;
  readonly #changed = new Set<string>();
  /** Null until first requested, so that a service without requests about benches reads none. */
  #jobs: Map<string, StoredJob> | null = null;
  readonly #live = new Map<string, LiveRun>();
  #liveJob: string | null = null;
  /** Packages that the live job waits for. */
  #preparing: JobSummary["preparing"];
  #baselines: readonly (ReferenceKey & Reference)[] = [];
  #learnedAt = -Infinity;

  constructor(ports: JobListPorts) {
    this.#ports = ports;
    this.#publishing = new Throttle(publishInterval, () => this.#publishNow());
  }

  get(id: string): StoredJob | undefined {
    return this.#all().get(id);
  }

  /** Newest first. */
  async list(): Promise<{ jobs: JobSummary[]; wakes: WakeJob[] }> {
    await this.#learn();
    return this.#listed([...this.#all().values()].toSorted((one, other) => other.at - one.at));
  }

  /** By the tasks' hashes. */
  taskWeights(): ReadonlyMap<string, number> {
    const tasks = [...this.#all().values()].flatMap(({ outline }) => outline?.tasks ?? []);
    return new Map(tasks.map(({ hash, weight }) => [hash, weight]));
  }

  async read(id: string): Promise<{ view: JobView | null }> {
    await this.#learn();
    const job = this.#all().get(id);
    if (job === undefined || !isMeasuring(job)) return { view: null };
    const measuring = [...this.#all().values()].filter(isMeasuring);
    const view = viewOf(job, measuring, this.#liveOf(id), this.#references());
    return { view: { ...view, ...this.#preparingOf(id) } };
  }

  async runPage(id: string, runId: string): Promise<{ page: RunPage | null }> {
    await this.#learn();
    const job = this.#all().get(id);
    const run = job?.runs.find((one) => one.id === runId);
    if (job === undefined || !isMeasuring(job) || run === undefined) return { page: null };
    return { page: readPage(job, run, this.#references(), this.#ports.store.trajectory(run)) };
  }

  change(id: string, runId: string, path: string): ReturnType<JobStore["change"]> {
    const run = this.#all()
      .get(id)
      ?.runs.find((one) => one.id === runId);
    return run === undefined ? null : this.#ports.store.change(run, path);
  }

  put(job: StoredJob): void {
    this.#all().set(job.id, job);
    try {
      this.#ports.store.write(job);
    } catch (error) {
      this.#ports.log.write("error", `Bench ${job.id} is not kept: ${String(error)}`);
    }
    this.#publish(job.id);
  }

  end(id: string, state: JobState): void {
    const job = this.get(id);
    if (job === undefined) return;
    this.put({ ...job, state, endedAt: this.#ports.clock.now() });
    if (!isMeasuring(job)) this.#forgetWakes();
  }

  setLive(id: string | null): void {
    this.#live.clear();
    this.#preparing = undefined;
    this.#liveJob = id;
  }

  handle(id: string, event: JobEvent): void {
    const job = this.get(id);
    if (job === undefined) return;
    switch (event.kind) {
      case "outline":
        this.put({ ...job, outline: event.outline });
        return;
      case "selection":
        this.put({ ...job, selection: event.selection });
        return;
      case "comparison":
        this.put({ ...job, comparison: event.comparison });
        return;
      case "wake":
        this.put({ ...job, wake: event.wake });
        return;
      case "plan":
        // The plan from before the first start stays the plan.
        if (job.plan === null) this.put({ ...job, plan: event.plan });
        return;
      case "resumed":
        this.put({ ...job, runs: event.runs.reduce(withRun, job.runs) });
        return;
      case "preparing": {
        const { fetched, packages } = event;
        this.#preparing = { fetched, packages };
        this.#publish(id);
        return;
      }
      case "started":
        this.#preparing = undefined;
        this.#publish(id);
        return;
      case "live":
        this.#live.set(event.run.id, event.run);
        this.#publish(id);
        return;
      case "ended":
        this.#live.delete(event.run.id);
        this.put({ ...job, runs: withRun(job.runs, event.run) });
        return;
      case "paused":
      case "done":
        // The end of the job is reported once all of its work has ended.
        return;
    }
  }

  dispose(): void {
    this.#publishing.dispose();
    this.#changes.dispose();
  }

  #all(): Map<string, StoredJob> {
    this.#jobs ??= new Map(this.#ports.store.load().map((job) => [job.id, job]));
    return this.#jobs;
  }

  #publish(id: string): void {
    this.#changed.add(id);
    this.#publishing.request();
  }

  #publishNow(): boolean {
    const jobs = [...this.#all().values()].filter(
      ({ id, state }) => this.#changed.has(id) || isUnderWay(state),
    );
    this.#changed.clear();
    this.#changes.fire(this.#listed(jobs));
    return jobs.length > 0;
  }

  #listed(jobs: readonly StoredJob[]): { jobs: JobSummary[]; wakes: WakeJob[] } {
    return { jobs: jobs.filter(isMeasuring).map((job) => this.#summary(job)), wakes: jobs.flatMap(wakesOf) };
  }

  #summary(job: MeasuringJob): JobSummary {
    return { ...summaryOf(job, this.#liveOf(job.id), this.#references()), ...this.#preparingOf(job.id) };
  }

  /** Removes old wakes that nobody looks for among jobs. */
  #forgetWakes(): void {
    const over = [...this.#all().values()].filter((job) => !isMeasuring(job) && !isUnderWay(job.state));
    for (const { id } of over.toSorted((one, other) => other.at - one.at).slice(maxWakes)) {
      this.#all().delete(id);
      this.#ports.store.remove(id);
    }
  }

  #references(): ReferenceOf {
    // Excludes runs with a change, which are not the agent's own work, and replays.
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

  #preparingOf(id: string): Pick<JobSummary, "preparing"> {
    return this.#liveJob === id && this.#preparing !== undefined ? { preparing: this.#preparing } : {};
  }

  #liveOf(id: string): LiveRun[] {
    return this.#liveJob === id ? [...this.#live.values()] : [];
  }
}
