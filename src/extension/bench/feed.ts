import type { Disposable } from "../../engine/base/disposable.ts";
import { Emitter } from "../../engine/base/emitter.ts";
import type { JobSummary } from "../../engine/jobs/answers/bench.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** All benches as the service last reported them, for features that only need summaries. */
export class BenchFeed implements Disposable {
  readonly #changes = new Emitter<readonly JobSummary[]>();
  /** Fires with the benches that changed. */
  readonly onChange = this.#changes.on;
  readonly #jobs = new Map<string, JobSummary>();
  readonly #service: ServiceConnection;
  readonly #warn: (message: string) => void;
  readonly #listening: Disposable;

  constructor(service: ServiceConnection, warn: (message: string) => void) {
    this.#service = service;
    this.#warn = warn;
    this.#listening = service.onChanged("benchChanged", (changed) => {
      if (changed === undefined) void this.#readAll();
      else this.#take(changed.jobs);
    });
    void this.#readAll();
  }

  /** Newest first. */
  get jobs(): readonly JobSummary[] {
    return [...this.#jobs.values()].toSorted((one, other) => other.at - one.at);
  }

  find(id: string): JobSummary | undefined {
    return this.#jobs.get(id);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }

  async #readAll(): Promise<void> {
    const all = await this.#service.ask("benchList", {});
    if (all.ok) {
      this.#jobs.clear();
      this.#take(all.value.jobs);
    } else if (all.reason === "failed") this.#warn(`Benches could not be listed: ${all.detail}`);
  }

  #take(jobs: readonly JobSummary[]): void {
    for (const job of jobs) this.#jobs.set(job.id, job);
    this.#changes.fire(jobs);
  }
}
