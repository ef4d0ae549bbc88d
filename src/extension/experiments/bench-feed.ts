import { Emitter, type Disposable } from "../../engine/base/events.ts";
import type { JobSummary, WakeJob } from "../../engine/jobs/bench-answers.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** All jobs as the service last reported them, for features that only need summaries. */
export class BenchFeed implements Disposable {
  readonly #changes = new Emitter<readonly JobSummary[]>();
  /** Fires with the benches that changed. */
  readonly onChange = this.#changes.on;
  readonly #wakeChanges = new Emitter<void>();
  /** Fires when a wake changed. */
  readonly onWakes = this.#wakeChanges.on;
  readonly #jobs = new Map<string, JobSummary>();
  readonly #wakes = new Map<string, WakeJob>();
  readonly #service: ServiceConnection;
  readonly #warn: (message: string) => void;
  readonly #listening: Disposable;

  constructor(service: ServiceConnection, warn: (message: string) => void) {
    this.#service = service;
    this.#warn = warn;
    this.#listening = service.onChanged("benchChanged", (changed) => {
      if (changed === undefined) void this.#readAll();
      else this.#take(changed);
    });
    void this.#readAll();
  }

  /** Newest first. */
  get jobs(): readonly JobSummary[] {
    return [...this.#jobs.values()].toSorted((one, other) => other.at - one.at);
  }

  /** Wakes of recurring agents that are jobs, the newest first. */
  get wakes(): readonly WakeJob[] {
    return [...this.#wakes.values()].toSorted((one, other) => other.at - one.at);
  }

  find(id: string): JobSummary | undefined {
    return this.#jobs.get(id);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
    this.#wakeChanges.dispose();
  }

  async #readAll(): Promise<void> {
    const all = await this.#service.ask("benchList", {});
    if (all.ok) {
      this.#jobs.clear();
      this.#wakes.clear();
      this.#take(all.value);
    } else if (all.reason === "failed") this.#warn(`Benches could not be listed: ${all.detail.text}`);
  }

  #take({
    jobs,
    wakes = [],
  }: {
    readonly jobs: readonly JobSummary[];
    readonly wakes?: readonly WakeJob[] | undefined;
  }): void {
    for (const job of jobs) this.#jobs.set(job.id, job);
    for (const wake of wakes) this.#wakes.set(wake.id, wake);
    this.#changes.fire(jobs);
    if (wakes.length > 0) this.#wakeChanges.fire();
  }
}

/** Resolves with a job once it is as wanted; the service reports a new job a moment after it started. */
export function whenJob<Job>(
  find: () => Job | undefined,
  onChange: (listener: () => void) => Disposable,
  isWanted: (job: Job) => boolean,
): Promise<Job> {
  return new Promise((resolve) => {
    const check = () => {
      const job = find();
      if (job === undefined || !isWanted(job)) return;
      listening.dispose();
      resolve(job);
    };
    const listening = onChange(check);
    check();
  });
}
