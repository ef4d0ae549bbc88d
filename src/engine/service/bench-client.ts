import { Emitter } from "../base/emitter.ts";
import {
  benchCancel,
  benchChangeOf,
  benchChanged,
  benchChoicesOf,
  benchList,
  benchPlanOf,
  benchRead,
  benchResume,
  benchRunOf,
  benchStart,
} from "./bench-protocol.ts";
import type { JobAsk, JobSummary } from "./bench-view.ts";
import type { Peer } from "./peer.ts";

/** @param env see `benchEnvironment` */
type Environment = Record<string, string>;

/** What a client asks the service of benches. */
export class BenchClient {
  readonly #changes = new Emitter<readonly JobSummary[]>();
  /** Benches that are under way, and those that changed. At most two a second. */
  readonly onChanged = this.#changes.on;
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
    peer.hear(benchChanged, ({ jobs }) => this.#changes.fire(jobs));
  }

  /** @param workspace a trusted folder to look for a suite in, or null */
  choices(workspace: string | null, env: Environment, signal?: AbortSignal) {
    return this.#peer.ask(benchChoicesOf, { workspace, env }, signal);
  }

  plan(ask: JobAsk, env: Environment, signal?: AbortSignal) {
    return this.#peer.ask(benchPlanOf, { ask, env }, signal);
  }

  /** @param project a trusted folder whose budgets hold for it, or null */
  start(ask: JobAsk, env: Environment, project: string | null) {
    return this.#peer.ask(benchStart, { ask, env, project });
  }

  /** Ends when nothing of it goes on any more. */
  cancel(id: string) {
    return this.#peer.ask(benchCancel, { id });
  }

  resume(id: string, env: Environment) {
    return this.#peer.ask(benchResume, { id, env });
  }

  list(signal?: AbortSignal) {
    return this.#peer.ask(benchList, {}, signal);
  }

  read(id: string, signal?: AbortSignal) {
    return this.#peer.ask(benchRead, { id }, signal);
  }

  runPage(id: string, runId: string, signal?: AbortSignal) {
    return this.#peer.ask(benchRunOf, { id, runId }, signal);
  }

  /** A file that a run changed, before and after. */
  change(id: string, runId: string, path: string) {
    return this.#peer.ask(benchChangeOf, { id, runId, path });
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
