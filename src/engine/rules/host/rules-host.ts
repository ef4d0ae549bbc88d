import type { Clock } from "../../base/timing.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { GuardSettings } from "../../settings/guard.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { type MemoryPorts } from "../memory.ts";
import { compileInto, undoInto } from "../compile-memory.ts";
import type { Proposal } from "../distil/propose.ts";
import { confirm } from "../../verdict/retention.ts";
import type { Evidence } from "../../verdict/evidence.ts";
import { describeGrade, expectedSaving, type Receipt } from "../../verdict/receipt.ts";
import { compose } from "../../base/language.ts";
import type { RuleAction } from "../action.ts";
import { RuleChanges, type ChangedRule, type RuleAmong } from "../book/changes.ts";
import { distilRun } from "../distil/distilled.ts";
import {
  evidenceOf,
  readMeasurement,
  readSet,
  receiptEntries,
  shownEvidence,
  type ReportedMeasurement,
  type ReportedSet,
} from "../book/evidence.ts";
import { withRent } from "../book/known.ts";
import { readRules, type Rules, type RulesLedger } from "../book/rules-book-rows.ts";
import type { AskNeeds } from "../needs-here.ts";
import { bySetting, memoryViewOf, ruleViewOf } from "../book/rules-book-view.ts";
import { readReport } from "../book/report.ts";
import { mainAgent, type MainFile } from "../main-files.ts";
import { chooseMainFile, mainMemoryViews, type MainPorts } from "../main/main-memory.ts";
import type {
  Distilled,
  EvidenceView,
  ManyRulesAction,
  MemoryView,
  Proposed,
  ReportView,
  RuleActionRequest,
  RulesView,
} from "../rules-answers.ts";
import type { AnswerOf } from "../../protocol/serve.ts";
import type { rulesRequests } from "../rule-requests.ts";
import { sentence, type Sentence } from "../../base/language.ts";

type Answer<Name extends keyof typeof rulesRequests> = AnswerOf<(typeof rulesRequests)[Name]>;

export type RulesSettings = Pick<GuardSettings, "rulesAutoApprove" | "rulesAutoActivate" | "rulesAskModel">;

export interface RulesServicePorts extends MemoryPorts {
  readonly ledger: RulesLedger;
  readonly clock: Clock;
  readonly settings: () => RulesSettings;
  readonly needs: AskNeeds;
  readonly main: Pick<MainPorts, "disk" | "chosenFiles">;
}

interface MemoryAsked {
  readonly agent: string;
  /** The project whose file is meant, for the main conversation. */
  readonly project?: string | null | undefined;
  /** Claude Code's configuration folder. */
  readonly root: string;
  readonly replaces: string | null;
}

export class RulesService {
  readonly #ports: RulesServicePorts;
  readonly #changes: RuleChanges;
  readonly onChange: RuleChanges["onChange"];

  constructor(ports: RulesServicePorts) {
    this.#ports = ports;
    this.#changes = new RuleChanges({ ...ports, isAutoApproved: () => ports.settings().rulesAutoApprove });
    this.onChange = this.#changes.onChange;
  }

  /** @param root Claude Code's configuration folder */
  async view(root: string): Promise<Result<Answer<"rulesRead">>> {
    // A change during the read gets a later revision.
    const { revision } = this.#changes;
    const known = await readRules(this.#ports.ledger);
    if (!known.ok) return known;
    const view = await this.#viewOf(known.value, root);
    return view.ok ? succeed({ view: view.value, revision }) : view;
  }

  /** @param beside entries appended together with the first one that becomes a candidate */
  proposeAll(
    proposals: readonly Proposal[],
    who = "user",
    beside: readonly LedgerEntry[] = [],
  ): Promise<Result<{ proposed: Proposed[] }>> {
    return this.#changes.proposeAll(proposals, who, beside);
  }

  /** Returns all rules after the change, from the rule book as it was read for it. */
  async perform(id: string, asked: RuleActionRequest, root: string): Promise<Result<Answer<"rulesAct">>> {
    const done =
      asked.kind === "edit"
        ? await this.#changes.edit(id, asked.text, root)
        : await this.#changes.perform(id, asked, { root, who: "user" });
    if (!done.ok) return done;
    const { rules, rule, why, memory, revision } = done.value;
    const view = await this.#viewOf(rules, root);
    return view.ok ? succeed({ id: rule.id, why, memory, view: view.value, revision }) : view;
  }

  /** Returns all rules after the change, as `perform` does. */
  async performOnMany(
    ids: readonly string[],
    asked: ManyRulesAction,
    root: string,
  ): Promise<Result<Answer<"rulesActOnMany">>> {
    const done = await this.#changes.performOnMany(ids, asked, root);
    if (!done.ok) return done;
    const { rules, ...rest } = done.value;
    const view = await this.#viewOf(rules, root);
    return view.ok ? succeed({ ...rest, view: view.value }) : view;
  }

  /**
   * Admits a rule because of a trial on real work.
   * @param root Claude Code's configuration folder
   */
  tried(
    id: string,
    { why, root }: { readonly why: Sentence; readonly root: string },
  ): Promise<Result<ChangedRule>> {
    return this.#changes.perform(id, { kind: "tried", why }, { root, who: "user" });
  }

  /** Evicts a rule that a trial found to be harmful. No memory is written, since rules on trial are in none. */
  switchedOff(id: string, why: Sentence): Promise<Result<ChangedRule>> {
    return this.#changes.perform(id, { kind: "turned", why }, { root: "", who: "purser" });
  }

  /** Records a measurement. A replay is stored for display only, and never changes the rule. */
  async measured(
    measurement: ReportedMeasurement & { isActivated: boolean; isHeld?: boolean | undefined },
    root: string,
  ): Promise<Result<Answer<"rulesMeasured">>> {
    const done = await this.#measured(measurement, root);
    if (!done.ok) return done;
    const { rules, rule, memory } = done.value;
    const known = await withRent(rules, this.#ports);
    return known.ok ? succeed({ rule: ruleViewOf(rule, rules, known.value.rent), memory }) : known;
  }

  async confirmed(
    measurement: ReportedSet & { readonly isActivated: boolean },
    root: string,
  ): Promise<Result<Answer<"rulesConfirmed">>> {
    const read = readSet(measurement);
    if (!read.ok) return read;
    const { receipt, found } = read.value;
    const { id, agent, verdict, set = [] } = receipt;
    const known = await readRules(this.#ports.ledger);
    if (!known.ok) return known;
    if (known.value.book.receipts.some((each) => each.id === id))
      return fail("known", sentence("receipt {0} is in the ledger already", id));
    const isActivated = measurement.isActivated || this.#ports.settings().rulesAutoActivate;
    const about = { rules: set.length, reason: verdict.reason, receiptId: id, isActivated };
    const done = await this.#changes.performOnSet(
      { agent, ids: found },
      { kind: "set", decision: confirm(verdict), ...about },
      { root, more: receiptEntries(receipt, measurement.receipt, measurement.evidence) },
    );
    if (!done.ok) return done;
    const { rules, memory } = done.value;
    const now = await withRent(rules, this.#ports);
    if (!now.ok) return now;
    const own = rules.rules.filter((rule) => found.includes(rule.id));
    return succeed({ rules: own.map((rule) => ruleViewOf(rule, rules, now.value.rent)), memory });
  }

  /** Admits a rule that was the only one found with its runs, if no consent is needed. */
  async foundAlone(
    id: string,
    isActivated: boolean,
    root: string,
  ): Promise<Result<Answer<"rulesFoundAlone">>> {
    const isBySetting = this.#ports.settings().rulesAutoActivate;
    if (!isActivated && !isBySetting) return succeed({ rule: null, memory: null });
    const who = isActivated ? "user" : bySetting;
    const done = await this.#changes.perform(id, { kind: "approve" }, { root, who });
    if (!done.ok) return done;
    const { rules, rule, memory } = done.value;
    const known = await withRent(rules, this.#ports);
    return known.ok ? succeed({ rule: ruleViewOf(rule, rules, known.value.rent), memory }) : known;
  }

  async evidence(agent: string): Promise<Result<{ evidence: Evidence[] }>> {
    const found = await evidenceOf(this.#ports.ledger, agent);
    return found.ok ? succeed({ evidence: found.value }) : found;
  }

  async evidenceOfRule(id: string): Promise<Result<{ evidence: EvidenceView | null }>> {
    const found = await shownEvidence(this.#ports.ledger, id);
    return found.ok ? succeed({ evidence: found.value }) : found;
  }

  async receipt(id: string): Promise<Result<{ json: string | null }>> {
    const found = await this.#ports.ledger.ask("receipt", id);
    return found.ok ? succeed({ json: found.value }) : found;
  }

  compile(asked: MemoryAsked): Promise<Result<{ memory: MemoryView }>> {
    return this.#write(asked, (known) => compileInto(asked, known, this.#context));
  }

  undoMemory(asked: MemoryAsked & { readonly version: string }): Promise<Result<{ memory: MemoryView }>> {
    return this.#write(asked, (known) => undoInto(asked, known, this.#context));
  }

  /** Chooses the file of a project that rules of the main conversation go into; null for none. */
  async chooseMainFile(
    asked: { readonly project: string; readonly name: MainFile | null },
    root: string,
  ): Promise<Result<Answer<"rulesMainFile">>> {
    const done = await this.#changes.write((known) =>
      chooseMainFile(asked, known, { ...this.#context, ...this.#ports.main }),
    );
    if (!done.ok) return done;
    const { revision } = this.#changes;
    const view = await this.#viewOf(done.value, root);
    return view.ok ? succeed({ view: view.value, revision }) : view;
  }

  distil(sessionId: string | null, isPreview: boolean): Promise<Result<Distilled>> {
    const propose = (proposals: readonly Proposal[]) => this.proposeAll(proposals, "purser");
    return distilRun({ sessionId, isPreview }, { ...this.#context, propose });
  }

  /**
   * @param project with the reported runs; null for all
   * @param taskWeights weights of golden tasks by hash; 1 if missing
   */
  async report(
    project: string | null,
    taskWeights: ReadonlyMap<string, number>,
  ): Promise<Result<{ report: ReportView }>> {
    return await readReport({ project, taskWeights }, this.#ports);
  }

  stop(): Promise<void> {
    return this.#changes.stop();
  }

  async #measured(
    measurement: ReportedMeasurement & { isActivated: boolean; isHeld?: boolean | undefined },
    root: string,
  ): Promise<Result<RuleAmong>> {
    const read = readMeasurement(measurement);
    if (!read.ok) return read;
    const { verdict, id, driver } = read.value;
    const known = await readRules(this.#ports.ledger);
    if (!known.ok) return known;
    const isKept = known.value.book.receipts.some((receipt) => receipt.id === id);
    const entries = receiptEntries(read.value, measurement.receipt, measurement.evidence);
    if (!measuresModel(driver))
      return await this.#changes.keepBeside(measurement.ruleId, isKept ? [] : entries);
    if (isKept) return fail("known", sentence("receipt {0} is in the ledger already", id));
    const { isHeld = false } = measurement;
    const isActivated = measurement.isActivated && !isHeld;
    const done = await this.#changes.perform(
      measurement.ruleId,
      { kind: "measured", verdict, receiptId: id, isActivated, ...expectedIn(read.value) },
      { root, who: "purser", more: entries },
    );
    const isProved = verdict.kind === "saves";
    const isLetIn = isProved && !isHeld && this.#ports.settings().rulesAutoActivate;
    if (!done.ok || done.value.rule.status !== "measured" || !isLetIn) return done;
    return await this.#changes.perform(measurement.ruleId, { kind: "approve" }, { root, who: bySetting });
  }

  async #viewOf(all: Rules, root: string): Promise<Result<RulesView>> {
    const known = await withRent(all, this.#ports);
    if (!known.ok) return known;
    const { rules, rent } = known.value;
    const agents = [...new Set(rules.rules.map(({ agent }) => agent))].sort();
    const memories: MemoryView[] = [];
    const main = await mainMemoryViews(rules, { ...this.#ports, ...this.#ports.main });
    if (!main.ok) return main;
    memories.push(...main.value);
    for (const agent of agents) {
      if (agent === mainAgent) continue;
      const memory = await memoryViewOf(agent, root, rules, this.#ports);
      if (memory.ok) memories.push(memory.value);
    }
    return succeed({ rules: rules.rules.map((rule) => ruleViewOf(rule, rules, rent)), memories });
  }

  async #write(
    { agent, root, project }: MemoryAsked,
    memory: Parameters<RuleChanges["write"]>[0],
  ): Promise<Result<{ memory: MemoryView }>> {
    const written = await this.#changes.write(memory);
    if (!written.ok) return written;
    if (agent === mainAgent) {
      const views = await mainMemoryViews(written.value, { ...this.#ports, ...this.#ports.main });
      if (!views.ok) return views;
      const own = views.value.find((each) => project === undefined || each.project === project);
      return own === undefined
        ? fail("no_file", sentence("no file is chosen for the rules of the main conversation"))
        : succeed({ memory: own });
    }
    const view = await memoryViewOf(agent, root, written.value, this.#ports);
    return view.ok ? succeed({ memory: view.value }) : view;
  }

  get #context() {
    return { ...this.#ports, now: () => this.#ports.clock.now() };
  }
}

/** What a receipt expects of a rule, for its history. An audit keeps its verdict's own words. */
function expectedIn(
  receipt: Receipt,
): Pick<Extract<RuleAction, { kind: "measured" }>, "expected" | "saving"> {
  const grade = describeGrade(receipt);
  const saving = expectedSaving(receipt);
  if (grade === null || receipt.question.kind !== "candidate") return { saving };
  const { stop, reason } = receipt.verdict;
  const why = stop === "worth" ? grade : compose`${reason} ${grade}`;
  const isWorth = stop === "worth" && receipt.expected?.grade === "worth";
  return { saving, expected: { isWorth, why } };
}
