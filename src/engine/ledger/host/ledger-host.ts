import path from "node:path";
import { Emitter } from "../../base/events.ts";
import { succeed, type Result } from "../../base/result.ts";
import { type Clock, Throttle } from "../../base/timing.ts";
import type { ScannedCompaction } from "../../sessions/learn.ts";
import type { Freshness } from "../ledger-answers.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { RunsQuery } from "../questions/queries.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "../questions/questions.ts";
import { type LedgerRecorder, HeldLedger, type LedgerAnswer, type HeldLedgerPorts } from "./held.ts";
import type { LedgerApi, LedgerThread } from "../ledger-thread.ts";
import { type SessionRoot, isRootOfEditor } from "../../transcripts/agents.ts";
import type { LedgerStatus, UsageAnswer, UsageQuestion, WrittenFile } from "../ledger-requests.ts";
import type { MergedRows } from "../machines/machine-requests.ts";
import type { ServiceLog } from "../../base/log.ts";

interface WindowRootsPorts {
  /** The service's own folders with sessions. */
  readonly places: readonly string[];
  readonly log: ServiceLog;
}

/** Maximum number. More are a mistake, and each is searched repeatedly. */
const maxRoots = 16;

/**
 * The folders with sessions that only windows know: those of a VS Code with a `--user-data-dir`, or of a portable one.
 */
class WindowRoots {
  readonly #log: ServiceLog;
  readonly #known: Set<string>;
  #taken = 0;
  #isFull = false;

  constructor({ places, log }: WindowRootsPorts) {
    this.#log = log;
    this.#known = new Set(places.map((place) => path.resolve(place)));
  }

  /** Returns the new folders among them that belong to editors. */
  take(named: readonly SessionRoot[]): SessionRoot[] {
    const absolute = named.filter((root) => isRootOfEditor(root) && path.isAbsolute(root.path));
    return absolute.flatMap(({ agent, path: name }) => {
      const root = path.resolve(name);
      if (this.#known.has(root)) return [];
      if (this.#taken >= maxRoots) {
        this.#noteFull(root);
        return [];
      }
      this.#taken += 1;
      this.#known.add(root);
      return [{ agent, path: root }];
    });
  }

  #noteFull(root: string): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#log.write(
      "warn",
      `Windows named ${maxRoots} folders with sessions; ${root} and others are not collected`,
    );
  }
}

/** Makes sure that only one of the clients notified of an anomaly shows it to a person. */
class AnomalyClaims {
  readonly #ports: { readonly log: ServiceLog; readonly clock: Clock };
  readonly #claimed = new Set<string>();

  constructor({ log, clock }: { readonly log: ServiceLog; readonly clock: Clock }) {
    this.#ports = { log, clock };
  }

  /** Marks an anomaly as shown. Returns whether this is the first time. */
  async claim(
    id: string,
    ledger: Pick<LedgerThread, "append" | "ask">,
  ): Promise<{ readonly isFirst: boolean }> {
    const found = (await ledger.ask("anomalies", { unshownOnly: true })).find((anomaly) => anomaly.id === id);
    // Two concurrent requests may both find it unshown.
    if (found === undefined || this.#claimed.has(id)) return { isFirst: false };
    this.#claimed.add(id);
    const { sessionId, agentId, cause, at, value, usual } = found;
    const about = { id, sessionId, agentId, cause, at, value, usual, turns: JSON.stringify(found.turns) };
    const appended = await ledger.append([{ kind: "anomaly", ...about, shownAt: this.#ports.clock.now() }]);
    if (!appended.ok)
      this.#ports.log.write("warn", `Could not record that an anomaly was shown: ${appended.detail.text}`);
    return { isFirst: true };
  }
}

const changeInterval = 1000; // ms

export interface LedgerHostPorts extends HeldLedgerPorts {
  /** See `agentRoots`. Excludes folders named by windows: a terminal compares these places with its own. */
  readonly places: readonly string[];
}

export class LedgerHost {
  readonly #changes = new Emitter<Freshness>();
  /** Fires when there is new data, or when the ledger is complete up to a later time. At most once a second. */
  readonly onChange = this.#changes.on;
  readonly problem: HeldLedger["problem"];
  readonly onAnomaly: HeldLedger["onAnomaly"];
  readonly onBudgetsRecorded: HeldLedger["onBudgetsRecorded"];
  readonly #ports: LedgerHostPorts;
  readonly #held: HeldLedger;
  readonly #change: Throttle;
  readonly #claims: AnomalyClaims;
  readonly #windowRoots: WindowRoots;

  constructor(ports: LedgerHostPorts) {
    this.#ports = ports;
    this.#held = new HeldLedger(ports);
    this.problem = this.#held.problem;
    this.onAnomaly = this.#held.onAnomaly;
    this.onBudgetsRecorded = this.#held.onBudgetsRecorded;
    this.#claims = new AnomalyClaims(ports);
    this.#windowRoots = new WindowRoots(ports);
    this.#change = new Throttle(changeInterval, () => {
      this.#changes.fire(this.freshness);
      return true;
    });
    this.#held.onChange(() => this.#change.request());
  }

  start(): void {
    this.#held.start();
  }

  get isOpen(): boolean {
    return this.#held.isOpen;
  }

  get freshness(): Freshness {
    return this.#held.freshness;
  }

  /** Applies the user's figures for models from now on, for every client: the last call wins. */
  configure(models: unknown): void {
    this.#held.configure(models);
  }

  /** Also collects from a window's allowed folders, until the service ends. */
  addWindowRoots(named: readonly SessionRoot[]): void {
    const added = this.#windowRoots.take(named);
    if (added.length > 0) this.#held.addRoots(added);
  }

  usage(question: UsageQuestion): Promise<LedgerAnswer<UsageAnswer>> {
    return this.#held.ask(async (ledger) => {
      const { freshness } = this;
      const report = await ledger.ask("usage", question);
      const zoneOffset = new Date(this.#ports.clock.now()).getTimezoneOffset();
      return { report, places: [...this.#ports.places], zoneOffset, freshness };
    });
  }

  /** Answers a client's question from `questions.ts`, with the ledger's freshness at that moment. */
  answer<Name extends QuestionName>(
    name: Name,
    asked: QuestionParams<Name>,
  ): Promise<LedgerAnswer<{ answer: QuestionAnswer<Name>; freshness: Freshness }>> {
    return this.#held.ask(async (ledger) => {
      const { freshness } = this;
      return { answer: await ledger.ask(name, asked), freshness };
    });
  }

  /** Collects everything present now. A read-only ledger stays unchanged. */
  catchUp(signal: AbortSignal): Promise<LedgerAnswer<{ freshness: Freshness }>> {
    return this.#held.ask(async (_, collecting) => ({
      freshness: (await collecting?.catchUp(signal)) ?? this.freshness,
    }));
  }

  /** Automatic compactions of Claude Code: in everything present now, or without a signal in the collected part. */
  claudeCompactions(signal?: AbortSignal): Promise<LedgerAnswer<readonly ScannedCompaction[]>> {
    return this.#held.ask(async (ledger, collecting) => {
      if (signal !== undefined) await collecting?.catchUp(signal);
      return await ledger.ask("claudeCompactions", null);
    });
  }

  status(): Promise<LedgerAnswer<LedgerStatus>> {
    return this.#held.ask(async (ledger) => {
      const { totals } = await ledger.ask("usage", { by: "model", since: null, until: null });
      return {
        readOnly: ledger.readOnly?.detail ?? null,
        opening: [...this.#held.opening],
        responses: totals.responses,
        places: [...this.#ports.places],
        freshness: { ...this.freshness, problems: this.#held.problems },
      };
    });
  }

  /** Provides a budget's `RunHistory`. Empty while no ledger is open. */
  async recentTokens(asked: RunsQuery): Promise<readonly number[]> {
    const answer = await this.#held.ask((ledger) => ledger.ask("recentTokens", asked));
    return answer.ok ? answer.value : [];
  }

  /** Returns the recorder that reports to budgets; undefined while no writable ledger is open. */
  budgetRecorder(): Promise<LedgerRecorder | undefined> {
    return this.#held.budgetRecorder();
  }

  /** Marks an anomaly as shown. Returns whether this is the first time. */
  claimAnomaly(id: string): Promise<LedgerAnswer<{ isFirst: boolean }>> {
    return this.#held.ask((ledger) => this.#claims.claim(id, ledger));
  }

  /** Resolves when the entries are durable or have failed; entries wait while the ledger is being opened. */
  async append(entries: readonly LedgerEntry[]): Promise<Result<unknown>> {
    return flat(await this.#held.ask((ledger) => ledger.append(entries)));
  }

  /** Answers a question from `questions.ts`; questions wait while the ledger is being opened. */
  ask<Name extends QuestionName>(
    name: Name,
    params: QuestionParams<Name>,
  ): Promise<LedgerAnswer<QuestionAnswer<Name>>> {
    return this.#held.ask((ledger) => ledger.ask(name, params));
  }

  read<Answer>(question: (ledger: LedgerApi) => Promise<Answer>): Promise<LedgerAnswer<Answer>> {
    return this.#held.ask((ledger) => question(ledger));
  }

  check(): Promise<LedgerAnswer<{ faults: string[] }>> {
    return this.#held.ask(async (ledger) => ({ faults: [...(await ledger.check())] }));
  }

  async compact(): Promise<Result<WrittenFile>> {
    return flat(await this.#held.ask((ledger) => ledger.compact()));
  }

  async backup(file: string): Promise<Result<WrittenFile>> {
    return flat(await this.#held.ask((ledger) => ledger.backup(file)));
  }

  /** The rows and their cursor are one append, so that a kill leaves both or neither. */
  async mergeMachine(asked: MergedRows): Promise<Result<Record<string, never>>> {
    const { id, label, isAnew, rows, retractions, cursor, isEnd } = asked;
    const entries: LedgerEntry[] = [
      ...(isAnew ? [{ kind: "forget-machine", id } as const] : []),
      ...retractions.map(
        ({ session, version }) => ({ kind: "retraction", machine: id, sessionId: session, version }) as const,
      ),
      ...rows.map(({ row, version }) => ({ kind: "machine-row", machine: id, version, row }) as const),
      { kind: "machine", id, label, cursor, syncedAt: isEnd ? this.#ports.clock.now() : null },
    ];
    const appended = await this.append(entries);
    return appended.ok ? succeed({}) : appended;
  }

  async forgetMachine(id: string): Promise<Result<Record<string, never>>> {
    const appended = await this.append([{ kind: "forget-machine", id }]);
    return appended.ok ? succeed({}) : appended;
  }

  /** Stops collecting, writes the snapshot and closes the ledger. */
  async stop(): Promise<void> {
    await this.#held.stop();
    this.#change.dispose();
    this.#changes.dispose();
  }
}

function flat<Value>(asked: LedgerAnswer<Result<Value>>): Result<Value> {
  return asked.ok ? asked.value : asked;
}
