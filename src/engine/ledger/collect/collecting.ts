import { Emitter, type Disposable } from "../../base/events.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { Freshness } from "../ledger-answers.ts";

export interface CollectTask {
  /** May hold variables that name the folders, such as `CLAUDE_CONFIG_DIR`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Folders with sessions, in addition to those named by the variables and the home. */
  readonly roots?: readonly SessionRoot[];
}

export interface Collecting extends Disposable {
  readonly freshness: Freshness;
  /** Fires at most twice a second while files are read. */
  readonly onFreshness: Emitter<Freshness>["on"];
  /**
   * Reads everything present at this moment; resolves when all of it is in the ledger. If the ledger refuses it or a
   * file cannot be read, the result's `problems` list that. Rejects when the signal is aborted or collecting has ended.
   */
  catchUp(signal?: AbortSignal): Promise<Freshness>;
  /** Also collects below these roots from now on. A known one changes nothing. */
  addRoots(roots: readonly SessionRoot[]): void;
  /** Resolves after the write in progress. */
  stop(): Promise<void>;
}

/** Calls to the collecting thread. A call with an answer rejects when the thread has died. */
export interface CollectCalls {
  catchUp(): Promise<Freshness>;
  addRoots(roots: readonly SessionRoot[]): void;
  stop(): Promise<unknown>;
  readonly onFreshness: Emitter<Freshness>["on"];
}

/** Collecting in another thread. */
export class RemoteCollecting implements Collecting {
  freshness: Freshness = { asOf: null, files: 0, done: 0, problems: [] };
  readonly #freshnessChanged = new Emitter<Freshness>();
  readonly onFreshness = this.#freshnessChanged.on;
  readonly #calls: CollectCalls;
  readonly #subscription: Disposable;
  readonly #end = new AbortController();

  constructor(calls: CollectCalls) {
    this.#calls = calls;
    this.#subscription = calls.onFreshness((freshness) => this.#update(freshness));
  }

  async catchUp(signal?: AbortSignal): Promise<Freshness> {
    const ended = AbortSignal.any([this.#end.signal, ...(signal === undefined ? [] : [signal])]);
    ended.throwIfAborted();
    return new Promise<Freshness>((resolve, reject) => {
      // The signal's owner may pass any value as the reason.
      const abort = () =>
        reject(ended.reason instanceof Error ? ended.reason : new Error(String(ended.reason)));
      ended.addEventListener("abort", abort, { once: true });
      this.#calls
        .catchUp()
        .then((freshness) => {
          this.#update(freshness);
          resolve(freshness);
        })
        .catch(reject)
        .finally(() => ended.removeEventListener("abort", abort));
    });
  }

  addRoots(roots: readonly SessionRoot[]): void {
    this.#calls.addRoots(roots);
  }

  async stop(): Promise<void> {
    this.dispose();
    await this.#calls.stop();
  }

  dispose(): void {
    this.#end.abort(new Error("collecting was stopped"));
    this.#subscription.dispose();
    this.#freshnessChanged.dispose();
  }

  #update(freshness: Freshness): void {
    if (this.#end.signal.aborted) return;
    this.freshness = freshness;
    this.#freshnessChanged.fire(freshness);
  }
}
