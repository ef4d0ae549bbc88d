import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Freshness } from "../answers.ts";

/** Where agents keep their files. */
export interface CollectTask {
  /** Variables such as `CLAUDE_CONFIG_DIR` tell it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export interface Collecting extends Disposable {
  readonly freshness: Freshness;
  /** At most twice a second while it reads. */
  readonly onFreshness: Emitter<Freshness>["on"];
  /**
   * Reads everything that is there at this moment; ends when all of it is in the ledger. Where the ledger refuses it, or
   * a file cannot be read, the answer's problems say so. Rejects when the signal is aborted, or collecting has ended.
   */
  catchUp(signal?: AbortSignal): Promise<Freshness>;
  /** Ends after what is being written. */
  stop(): Promise<void>;
}

/** The thread that collects, as it is asked. A call rejects when the thread has died. */
export interface CollectCalls {
  catchUp(): Promise<Freshness>;
  stop(): Promise<unknown>;
  readonly onFreshness: Emitter<Freshness>["on"];
}

/** Collecting, as it goes on in another thread. */
export class CollectingApart implements Collecting {
  freshness: Freshness = { asOf: null, files: 0, done: 0, problems: [] };
  readonly #told = new Emitter<Freshness>();
  readonly onFreshness = this.#told.on;
  readonly #calls: CollectCalls;
  readonly #heard: Disposable;
  readonly #end = new AbortController();

  constructor(calls: CollectCalls) {
    this.#calls = calls;
    this.#heard = calls.onFreshness((freshness) => this.#tell(freshness));
  }

  async catchUp(signal?: AbortSignal): Promise<Freshness> {
    const ended = AbortSignal.any([this.#end.signal, ...(signal === undefined ? [] : [signal])]);
    ended.throwIfAborted();
    return new Promise<Freshness>((resolve, reject) => {
      // Whoever gave the signal says why, with an error or anything else.
      const abort = () =>
        reject(ended.reason instanceof Error ? ended.reason : new Error(String(ended.reason)));
      ended.addEventListener("abort", abort, { once: true });
      this.#calls
        .catchUp()
        .then((freshness) => {
          this.#tell(freshness);
          resolve(freshness);
        })
        .catch(reject)
        .finally(() => ended.removeEventListener("abort", abort));
    });
  }

  async stop(): Promise<void> {
    this.dispose();
    await this.#calls.stop();
  }

  dispose(): void {
    this.#end.abort(new Error("collecting was stopped"));
    this.#heard.dispose();
    this.#told.dispose();
  }

  #tell(freshness: Freshness): void {
    if (this.#end.signal.aborted) return;
    this.freshness = freshness;
    this.#told.fire(freshness);
  }
}
