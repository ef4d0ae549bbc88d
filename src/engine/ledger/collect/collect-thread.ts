import { Worker } from "node:worker_threads";
import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { fail } from "../../base/result.ts";
import type { Freshness } from "../answers.ts";
import type { LedgerEntry } from "../entry.ts";
import type { LedgerThread } from "../ledger-thread.ts";
import type { CollectReport, CollectRequest } from "./collect-messages.ts";

export interface CollectOptions {
  readonly ledger: Pick<LedgerThread, "append" | "positions">;
  /** The built `collect-worker`. */
  readonly workerPath: string | URL;
  /** Where the agents keep their files is told by variables such as `CLAUDE_CONFIG_DIR`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Something went wrong that collecting survives, in words; for the log. */
  onProblem(message: string): void;
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

/** Brings what agents' transcripts tell into the ledger, and keeps up with them, from a thread of its own. */
export function startCollecting(options: CollectOptions): Collecting {
  return new CollectThread(options);
}

interface Waiting {
  readonly settle: (freshness: Freshness) => void;
  readonly fault: (error: unknown) => void;
}

/** A thread that dies is started again so many times: what killed it may be in a file, and come again. */
const mostDeaths = 3;

/**
 * Lines are parsed and forgotten at once; with more room V8 only keeps the garbage longer, and is no faster (see
 * `test/bench/collect.ts`). MB.
 */
const youngGeneration = 16;

class CollectThread implements Collecting {
  freshness: Freshness = { asOf: null, files: 0, done: 0, problems: [] };
  readonly #told = new Emitter<Freshness>();
  readonly onFreshness = this.#told.on;
  readonly #options: CollectOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stopped = new Emitter<null>();
  #worker: Worker | undefined;
  #last = 0;
  #deaths = 0;
  /** Why nothing is collected any more. */
  #end: Error | null = null;

  constructor(options: CollectOptions) {
    this.#options = options;
    void this.#begin();
  }

  async catchUp(signal?: AbortSignal): Promise<Freshness> {
    signal?.throwIfAborted();
    if (this.#end !== null) throw this.#end;
    const id = (this.#last += 1);
    const abort = () => this.#waiting.get(id)?.fault(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      return await new Promise<Freshness>((settle, fault) => {
        this.#waiting.set(id, { settle, fault });
        this.#post({ kind: "catch-up", id });
      });
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener("abort", abort);
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#finish(new Error("collecting was stopped"));
    if (worker !== undefined)
      await new Promise<null>((settle) => {
        this.#stopped.on(settle);
        worker.postMessage({ kind: "stop" });
      });
    this.dispose();
  }

  dispose(): void {
    this.#finish(new Error("collecting was stopped"));
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#told.dispose();
  }

  async #begin(): Promise<void> {
    const { ledger, workerPath, env, home } = this.#options;
    try {
      const positions = await ledger.positions();
      if (this.#end !== null) return;
      const worker = new Worker(workerPath, {
        resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
      });
      this.#worker = worker;
      worker.on("message", (report: CollectReport) => this.#hear(report));
      worker.once("error", (error) => this.#die(String(error)));
      worker.once("exit", () => this.#stopped.fire(null));
      // Only the variables' texts: an environment of the process itself cannot be handed over.
      this.#post({ kind: "start", task: { env: { ...env }, home, positions } });
      for (const id of this.#waiting.keys()) this.#post({ kind: "catch-up", id });
    } catch (error) {
      this.#die(String(error));
    }
  }

  #hear(report: CollectReport): void {
    switch (report.kind) {
      case "append":
        void this.#append(report.entries, this.#worker);
        break;
      case "freshness":
        this.#tell(report.freshness);
        break;
      case "caught-up":
        this.#tell(report.freshness);
        this.#waiting.get(report.id)?.settle(report.freshness);
        break;
      case "problem":
        this.#options.onProblem(report.message);
        break;
      case "stopped":
        this.#stopped.fire(null);
        break;
    }
  }

  /** @param from the thread that asked: another one may have come meanwhile */
  async #append(entries: readonly LedgerEntry[], from: Worker | undefined): Promise<void> {
    try {
      const result = await this.#options.ledger.append(entries);
      from?.postMessage({ kind: "appended", result });
    } catch (error) {
      // The ledger's thread has died: as good as closed.
      from?.postMessage({ kind: "appended", result: fail("closed", String(error)) });
    }
  }

  #tell(freshness: Freshness): void {
    // It has been over everything and lived: whatever it died of before is not there any more.
    if (freshness.asOf !== null) this.#deaths = 0;
    this.freshness = freshness;
    this.#told.fire(freshness);
  }

  #die(reason: string): void {
    this.#worker = undefined;
    if (this.#end !== null) return;
    this.#deaths += 1;
    const isLast = this.#deaths >= mostDeaths;
    const next = isLast ? "it is not tried again" : "it is started again";
    this.#options.onProblem(`The thread that collects has died (${reason}); ${next}`);
    if (isLast) this.#finish(new Error(`collecting has ended: ${reason}`));
    else void this.#begin();
  }

  #finish(end: Error): void {
    this.#end ??= end;
    for (const { fault } of this.#waiting.values()) fault(this.#end);
    this.#waiting.clear();
  }

  #post(request: CollectRequest): void {
    this.#worker?.postMessage(request);
  }
}
