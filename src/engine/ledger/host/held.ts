import { sentence, type Sentence, plainSentence } from "../../base/language.ts";
import type { Clock } from "../../base/timing.ts";
import { Emitter, Observable, type Disposable } from "../../base/events.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Anomaly, Freshness } from "../ledger-answers.ts";
import { ledgerItself, cannotOpen, takesInNothing, type LedgerRefusal } from "../remedy.ts";
import type { Collecting } from "../collect/collecting.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import { describeOpening } from "../store/opening-report.ts";
import type { LedgerApi } from "../ledger-thread.ts";
import { Retries } from "../journal/retries.ts";
import type { ServiceLog } from "../../base/log.ts";

/** Reports the ledger's usage to budgets, as the ledger's holder needs it. */
export interface LedgerRecorder extends Disposable {
  /** Budgets that cannot be used, and spending that could not be written. */
  readonly problems: readonly Freshness["problems"][number][];
  /** Calls the listener with a project's folder when something new was recorded there. */
  readonly onRecorded: (listener: (project: string) => void) => Disposable;
  /** Requests a recording soon. */
  ask(): void;
  record(): Promise<void>;
  /** Resolves when all of a project's usage in the ledger is recorded for its budgets. */
  sync(
    project: string,
    asked: { readonly budgets: readonly object[]; readonly isDoubted?: boolean },
  ): Promise<void>;
  /** Records new usage, then disposes. */
  stop(): Promise<void>;
}

export interface HeldLedgerPorts {
  /** @param models the user's figures for models, as in the setting */
  readonly open: (models: unknown) => Promise<Result<LedgerApi>>;
  /**
   * Starts collecting the transcripts into a ledger.
   * @param roots folders with sessions in addition to the service's own
   */
  readonly collect: (ledger: LedgerApi, roots: readonly SessionRoot[]) => Collecting;
  /** Starts reporting usage in a ledger to budgets. Without it budgets get none. */
  readonly budgets?: (ledger: LedgerApi) => LedgerRecorder;
  readonly log: ServiceLog;
  readonly clock: Clock;
}

/** A result, or the failure when the ledger could not be opened. */
export type LedgerAnswer<Answer> = Result<Answer, "no_ledger">;

interface Held {
  readonly ledger: LedgerApi;
  /** Null while the ledger is read-only. */
  readonly collecting: Collecting | null;
  readonly budgets: LedgerRecorder | undefined;
  readonly opening: readonly Sentence[];
}

/**
 * Questions wait for the next attempt to open the ledger if it is due within this time: a thread that died is soon
 * replaced. Milliseconds.
 */
const patience = 1000;
/**
 * Transient reasons: another process may release the ledger, a disk may have space again, and a person may grant
 * access.
 */
const passing: readonly string[] = ["locked", "unwritable_folder", "denied"];
/**
 * Maximum deaths of the ledger's thread before all files are read. After that nothing is collected: the cause may be in
 * a file.
 */
const maxDeaths = 3;
/**
 * The message shown to people when a thread died: the log has the original message, which may come from the database.
 */
const died: LedgerRefusal = {
  reason: "died",
  detail: sentence("its thread ended with an error, which the service's log has"),
};
const unread: Freshness = { asOf: null, files: 0, done: 0, problems: [] };

/** Holds the ledger open: opens it in the background, while questions wait, and reopens it when its thread dies. */
export class HeldLedger {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #anomalies = new Emitter<Anomaly>();
  readonly onAnomaly = this.#anomalies.on;
  readonly #recorded = new Emitter<string>();
  /** See `LedgerRecorder.onRecorded`. */
  readonly onBudgetsRecorded = this.#recorded.on;
  /** Why the ledger cannot be opened or written, and the remedy; null while it can. */
  readonly problem = new Observable<Sentence | null>(null);
  readonly #ports: HeldLedgerPorts;
  #current: Promise<LedgerAnswer<Held>> = Promise.resolve(
    fail("no_ledger", sentence("the ledger is not open")),
  );
  #held: Held | null = null;
  #models: unknown = {};
  /** Folders with sessions in addition to the service's own. */
  readonly #roots: SessionRoot[] = [];
  readonly #retries: Retries;
  /** Fails the requests that wait for the next attempt. */
  #giveUp: () => void = () => undefined;
  /** Deaths since everything was last read. */
  #deaths = 0;
  /** Why the ledger was read-only when it was last opened; null if it was not. */
  #readOnly: string | null = null;
  /** The last logged reason why the ledger could not be opened. */
  #missedWhy: string | null = null;
  #isFinished = false;

  constructor(ports: HeldLedgerPorts) {
    this.#ports = ports;
    this.#retries = new Retries(ports.clock);
  }

  /**
   * Starts opening the ledger. Call this only when the service has its lock: until then, another service's process may
   * hold the ledger.
   */
  start(): void {
    this.#current = this.#open();
  }

  /** Whether questions are answered at once; otherwise they wait. */
  get isOpen(): boolean {
    return this.#held !== null;
  }

  /** A read-only ledger collects nothing: the reason is then its problem. */
  get freshness(): Freshness {
    const { collecting = null, ledger } = this.#held ?? {};
    if (collecting !== null) return collecting.freshness;
    const given =
      this.#deaths >= maxDeaths
        ? sentence("its thread ended again and again with an error, which the service's log has")
        : null;
    const reason = ledger?.readOnly?.detail ?? given;
    return reason === null ? unread : { ...unread, problems: [{ path: ledgerItself, reason }] };
  }

  get problems(): Freshness["problems"] {
    return [...this.freshness.problems, ...(this.#held?.budgets?.problems ?? [])];
  }

  get opening(): readonly Sentence[] {
    return this.#held?.opening ?? [];
  }

  configure(models: unknown): void {
    if (JSON.stringify(models) === JSON.stringify(this.#models)) return;
    this.#models = models;
    if (this.#held !== null) void this.#sendModels(this.#held.ledger);
  }

  /** Also collects below these roots from now on, even after the ledger is opened again. */
  addRoots(roots: readonly SessionRoot[]): void {
    this.#roots.push(...roots);
    this.#held?.collecting?.addRoots(roots);
  }

  async budgetRecorder(): Promise<LedgerRecorder | undefined> {
    const held = await this.#current;
    return held.ok ? held.value.budgets : undefined;
  }

  async ask<Answer>(
    question: (ledger: LedgerApi, collecting: Collecting | null) => Promise<Answer>,
  ): Promise<LedgerAnswer<Answer>> {
    const held = await this.#current;
    if (!held.ok) return held;
    try {
      return succeed(await question(held.value.ledger, held.value.collecting));
    } catch (error) {
      if (held.value === this.#held && !this.#isFinished) throw error;
      return fail("no_ledger", sentence("the ledger was closed meanwhile; ask again"));
    }
  }

  async stop(): Promise<void> {
    this.#isFinished = true;
    this.#retries.dispose();
    this.#giveUp();
    await this.#current;
    this.#current = Promise.resolve(fail("no_ledger", sentence("the service is ending; ask again")));
    await this.#release("finish");
    this.#changes.dispose();
    this.#anomalies.dispose();
    this.#recorded.dispose();
    this.problem.dispose();
  }

  async #open(): Promise<LedgerAnswer<Held>> {
    const { log } = this.#ports;
    const models = this.#models;
    let opened: Result<LedgerApi>;
    try {
      opened = await this.#ports.open(models);
    } catch (error) {
      return await this.#missed(died, "wait", plainSentence(String(error)));
    }
    // The same file would be found again, so the wait would be pointless.
    if (!opened.ok) return await this.#missed(opened, "answer");
    const ledger = opened.value;
    this.#missedWhy = null;
    this.#retries.succeeded(ledger.readOnly === null);
    const opening = describeOpening(ledger.report);
    for (const line of opening) log.write("warn", line.text);
    ledger.onDeath((death) => this.#died(death));
    const budgets = ledger.readOnly === null ? this.#ports.budgets?.(ledger) : undefined;
    budgets?.onRecorded((project) => this.#recorded.fire(project));
    ledger.onAppend(() => {
      this.#changes.fire();
      budgets?.ask();
    });
    ledger.onAnomaly((anomaly) => this.#anomalies.fire(anomaly));
    ledger.onProblem(({ detail }) =>
      log.write("warn", `Could not make the ledger's snapshot: ${detail.text}`),
    );
    const mayCollect = ledger.readOnly === null && this.#deaths < maxDeaths;
    const collecting = mayCollect ? this.#ports.collect(ledger, [...this.#roots]) : null;
    collecting?.onFreshness(({ asOf }) => {
      // Everything was read without a death: the earlier cause is gone.
      if (asOf !== null) this.#deaths = 0;
      this.#noteProblem();
      this.#changes.fire();
    });
    this.#held = { ledger, collecting, budgets, opening };
    // The last service may have ended before it reported to all budgets.
    budgets?.ask();
    this.#noteReadOnly(ledger.readOnly);
    this.#noteProblem();
    if (models !== this.#models) void this.#sendModels(ledger);
    this.#changes.fire();
    return succeed(this.#held);
  }

  async #sendModels(ledger: LedgerApi): Promise<void> {
    try {
      await ledger.configure(this.#models);
      this.#changes.fire();
    } catch (error) {
      this.#ports.log.write("warn", `Could not send prices to the ledger: ${String(error)}`);
    }
  }

  #noteReadOnly(readOnly: LedgerApi["readOnly"]): void {
    const before = this.#readOnly;
    this.#readOnly = readOnly?.detail.text ?? null;
    if (readOnly === null) return;
    if (readOnly.detail.text !== before)
      this.#ports.log.write("warn", `The ledger is open read-only: ${readOnly.detail.text}`);
    if (!passing.includes(readOnly.reason)) return;
    // Until then it answers questions from its present content.
    this.#retries.keepOn(() => void (this.#current = this.#reopen()));
  }

  /** Another process holds the ledger only briefly while one service follows another. */
  #noteProblem(): void {
    const why = this.freshness.problems.find(({ path }) => path === ledgerItself)?.reason ?? null;
    const isHandedOver = this.#held?.ledger.readOnly?.reason === "locked";
    this.problem.set(why === null || isHandedOver ? null : takesInNothing(why));
  }

  async #reopen(): Promise<LedgerAnswer<Held>> {
    await this.#release("reopen");
    return await this.#open();
  }

  #died(death: Error): void {
    if (this.#isFinished) return;
    this.#ports.log.write("error", `The ledger's thread has died: ${death.message}`);
    const { collecting, budgets } = this.#held ?? {};
    if (collecting?.freshness.asOf === null) this.#deaths += 1;
    collecting?.dispose();
    budgets?.dispose();
    this.#held = null;
    this.#current = this.#missed(died, "wait", plainSentence(death.message));
  }

  /**
   * Reopens the ledger after a pause; gives up after the last attempt.
   *
   * @param meanwhile what questions do during a short pause
   * @param why the reason for the log
   */
  #missed(
    refusal: LedgerRefusal,
    meanwhile: "wait" | "answer",
    why = refusal.detail,
  ): Promise<LedgerAnswer<Held>> {
    return new Promise((resolve) => {
      this.#giveUp = () => resolve(fail("no_ledger", cannotOpen(refusal)));
      const again = () => {
        this.#current = this.#open();
        resolve(this.#current);
      };
      const isPassing = passing.includes(refusal.reason);
      const pause = isPassing ? this.#retries.keepOn(again) : this.#retries.later(again);
      if (pause !== null && pause <= patience && meanwhile === "wait") return;
      if (why.text !== this.#missedWhy)
        this.#ports.log.write("error", `The ledger cannot be opened: ${why.text}`);
      this.#missedWhy = why.text;
      this.problem.set(cannotOpen(refusal));
      this.#giveUp();
    });
  }

  async #release(purpose: "finish" | "reopen"): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    await held.collecting?.stop();
    await held.budgets?.stop();
    if (purpose === "finish" && held.ledger.readOnly === null) {
      const made = await held.ledger.snapshot();
      if (!made.ok)
        this.#ports.log.write("warn", `Could not make the ledger's last snapshot: ${made.detail.text}`);
    }
    await held.ledger.close();
  }
}
