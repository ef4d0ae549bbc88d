import { setTimeout as pause } from "node:timers/promises";
import type { Result } from "../base/result.ts";
import { hookEventEntry } from "../ledger/entries/collected.ts";
import type { LedgerEntry } from "../ledger/entries/entry.ts";

export type HookEntry = Extract<LedgerEntry, { kind: "hook-event" }>;

export interface RecorderPorts {
  /** Ends when the ledger has acknowledged the entries, or does not take them. */
  readonly append: (entries: readonly LedgerEntry[]) => Promise<Result<unknown>>;
  /** Where entries go that the ledger did not take. */
  readonly spool: (entries: readonly HookEntry[]) => void;
  readonly onProblem: (message: string) => void;
}

/** Entries that come within this time are told together. Milliseconds. */
const gatherFor = 100;
/** A ledger that took nothing is asked again after these pauses, the last of them again and again. Milliseconds. */
const pauses = [200, 1000, 5000, 30_000];
const mostAtOnce = 500;
/** More do not wait in memory: they go to the spool. */
const mostWaiting = 20_000;

/** Tells the ledger of every hook, in the background: no hook waits for it. */
export class HookRecorder {
  readonly #ports: RecorderPorts;
  readonly #stop = new AbortController();
  #waiting: HookEntry[] = [];
  #telling: Promise<void> | undefined;
  #isOver = false;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  record(entry: HookEntry): void {
    this.#waiting.push(entry);
    if (this.#isOver || this.#waiting.length > mostWaiting) this.#spool();
    else this.#telling ??= this.#tell();
  }

  /** Tells what is left; what the ledger does not take within this time goes to the spool. Milliseconds. */
  async finish(within: number): Promise<void> {
    this.#isOver = true;
    this.#stop.abort();
    const late = new AbortController();
    await Promise.race([this.#tellAll(), pause(within, undefined, { signal: late.signal }).catch(nothing)]);
    late.abort();
    // Of an append that is still under way nobody knows whether it succeeds: told twice, it is there once.
    this.#spool();
  }

  async #tellAll(): Promise<void> {
    await this.#telling;
    if (this.#waiting.length > 0) await this.#tellSome();
  }

  async #tell(): Promise<void> {
    try {
      await this.#pause(gatherFor);
      for (let attempt = 0; this.#waiting.length > 0 && !this.#isOver;) {
        if (await this.#tellSome()) attempt = 0;
        else {
          await this.#pause(pauses[Math.min(attempt, pauses.length - 1)] ?? 0);
          attempt += 1;
        }
      }
    } finally {
      this.#telling = undefined;
    }
  }

  /** Answers whether the ledger took them. They wait until it has: what comes meanwhile comes behind them. */
  async #tellSome(): Promise<boolean> {
    const some = this.#waiting.slice(0, mostAtOnce);
    const fit = some.filter((entry) => hookEventEntry.safeParse(entry).success);
    if (fit.length < some.length) this.#ports.onProblem(`${some.length - fit.length} hooks were no events`);
    const told = fit.length === 0 ? { ok: true as const } : await this.#appended(fit);
    if (!told.ok) {
      this.#ports.onProblem(`The ledger does not take what hooks told, which waits: ${told.detail}`);
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
      return { ok: false, reason: "failed", detail: String(error) };
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
  // It ended early, as it was asked to.
}
