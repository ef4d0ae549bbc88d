import { plainSentence } from "../base/language.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Result } from "../base/result.ts";
import { hookEventEntry, type LedgerEntry } from "../ledger/entries.ts";

export type HookEntry = Extract<LedgerEntry, { kind: "hook-event" }>;

export interface RecorderPorts {
  /** Resolves when the ledger has acknowledged the entries or rejected them. */
  readonly append: (entries: readonly LedgerEntry[]) => Promise<Result<unknown>>;
  /**
   * Whether the ledger is open. Until then entries go to the spool, as the service may be killed while it
   * starts.
   */
  readonly isOpen: () => boolean;
  /** Writes entries that the ledger did not accept to the spool. */
  readonly spool: (entries: readonly HookEntry[]) => void;
  readonly onProblem: (message: string) => void;
}

/** Entries that arrive within this time are appended together. Milliseconds. */
const gatherFor = 100;
/** Pauses before retrying a failed append; the last one repeats. Milliseconds. */
const pauses = [200, 1000, 5000, 30_000];
const maxAtOnce = 500;
/** Maximum entries that wait in memory; further ones go to the spool. */
const maxWaiting = 20_000;

/** Records every hook in the ledger, in the background: no hook waits for it. */
export class HookRecorder {
  readonly #ports: RecorderPorts;
  readonly #stop = new AbortController();
  #waiting: HookEntry[] = [];
  #sending: Promise<void> | undefined;
  #isOver = false;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  record(entry: HookEntry): void {
    if (!this.#isOver && !this.#ports.isOpen() && this.#isSpooled(entry)) return;
    this.#waiting.push(entry);
    if (this.#isOver || this.#waiting.length > maxWaiting) this.#spool();
    else this.#sending ??= this.#send();
  }

  /**
   * Appends the remaining entries. Those that the ledger does not accept within this time go to the spool.
   * Milliseconds.
   */
  async stop(within: number): Promise<void> {
    this.#isOver = true;
    this.#stop.abort();
    const late = new AbortController();
    await Promise.race([this.#sendAll(), pause(within, undefined, { signal: late.signal }).catch(nothing)]);
    late.abort();
    // An append still in flight may or may not succeed: entries that reach the ledger twice are stored once.
    this.#spool();
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    if (this.#waiting.length > 0) await this.#sendSome();
  }

  async #send(): Promise<void> {
    try {
      await this.#pause(gatherFor);
      for (let attempt = 0; this.#waiting.length > 0 && !this.#isOver;) {
        if (await this.#sendSome()) attempt = 0;
        else {
          await this.#pause(pauses[Math.min(attempt, pauses.length - 1)] ?? 0);
          attempt += 1;
        }
      }
    } finally {
      this.#sending = undefined;
    }
  }

  /** Returns whether the ledger accepted the entries. They stay at the head of the queue until it has. */
  async #sendSome(): Promise<boolean> {
    const some = this.#waiting.slice(0, maxAtOnce);
    const fit = some.filter((entry) => hookEventEntry.safeParse(entry).success);
    if (fit.length < some.length) this.#ports.onProblem(`${some.length - fit.length} hooks were no events`);
    const appended = fit.length === 0 ? { ok: true as const } : await this.#appended(fit);
    if (!appended.ok) {
      this.#ports.onProblem(`The ledger does not take what hooks told, which waits: ${appended.detail.text}`);
      return false;
    }
    const done = new Set(some);
    this.#waiting = this.#waiting.filter((entry) => !done.has(entry));
    return true;
  }

  async #appended(entries: readonly HookEntry[]): Promise<Result<unknown>> {
    try {
      return await this.#ports.append(entries);
    } catch (error) {
      return { ok: false, reason: "failed", detail: plainSentence(String(error)) };
    }
  }

  /** If the spool fails, as on a full disk, the entry waits for the ledger. */
  #isSpooled(entry: HookEntry): boolean {
    try {
      this.#ports.spool([entry]);
      return true;
    } catch (error) {
      this.#ports.onProblem(`Hooks wait in memory until the ledger is open: ${String(error)}`);
      return false;
    }
  }

  #spool(): void {
    if (this.#waiting.length === 0) return;
    try {
      this.#ports.spool(this.#waiting);
    } catch (error) {
      this.#ports.onProblem(`${this.#waiting.length} hooks are recorded nowhere: ${String(error)}`);
    }
    this.#waiting = [];
  }

  async #pause(time: number): Promise<void> {
    await pause(time, undefined, { signal: this.#stop.signal }).catch(nothing);
  }
}

function nothing(): void {
  // The pause was aborted on purpose.
}
