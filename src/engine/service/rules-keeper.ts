import type { Clock } from "../base/clock.ts";
import { Emitter } from "../base/emitter.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { Throttle } from "../base/throttle.ts";
import type { MemoryPorts } from "../rules/memory-file.ts";
import { propose, type Proposal } from "../rules/propose.ts";
import type { GuardSettings } from "../guard/guard-settings.ts";
import { act, type RuleAct, type RuleStep } from "../rules/rule-act.ts";
import { ruleEntries } from "../rules/rule-entries.ts";
import { waitsForUser, type Rule } from "../rules/rule.ts";
import type { Evidence } from "../verdict/pool.ts";
import { measuresModel } from "../bench/bench-run.ts";
import type { Receipt } from "../verdict/receipt.ts";
import { distilRun, mostRuns } from "./rules-distilled.ts";
import {
  evidenceOf,
  readMeasurement,
  receiptEntries,
  shownEvidence,
  type ToldMeasurement,
} from "./rules-evidence.ts";
import { findingsOf } from "./rules-findings.ts";
import type { AskNeeds } from "./rules-needs.ts";
import { findRule, readRules, type RulesLedger } from "./rules-ledger.ts";
import { compileInto, undoInto } from "./rules-memory.ts";
import { readKnown } from "./rules-known.ts";
import { bySetting, memoryViewOf, ruleViewOf } from "./rules-picture.ts";
import { reportOf } from "./rules-report.ts";
import { undoOf } from "./rules-undo.ts";
import type {
  Distilled,
  EvidenceView,
  MemoryView,
  Proposed,
  ReportView,
  RuleActAsked,
  RulesView,
  RuleView,
} from "./rules-view.ts";

/** What may happen to rules without their user. */
export type RulesSettings = Pick<GuardSettings, "rulesAutoApprove" | "rulesAutoActivate" | "rulesAskModel">;

export interface RulesKeeperPorts extends MemoryPorts {
  readonly ledger: RulesLedger;
  readonly clock: Clock;
  /** As they are now. */
  readonly settings: () => RulesSettings;
  readonly needs: AskNeeds;
}

const changeInterval = 1000; // ms
const week = 7 * 24 * 60 * 60_000;

interface Changed {
  readonly rule: RuleView;
  /** Why its agent's memory was not written, or null. */
  readonly memory: string | null;
}

/** Rules as the service keeps them: one change after the other, each in the ledger before it is answered. */
export class RulesKeeper {
  readonly #changes = new Emitter<{ waiting: number }>();
  /** At most once a second. */
  readonly onChange = this.#changes.on;
  readonly #ports: RulesKeeperPorts;
  readonly #tell: Throttle;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: RulesKeeperPorts) {
    this.#ports = ports;
    this.#tell = new Throttle(changeInterval, () => {
      void this.#sayChanged();
      return true;
    });
  }

  /** @param root Claude Code's configuration folder */
  async view(root: string): Promise<Result<{ view: RulesView }>> {
    const known = await readKnown(this.#ports);
    if (!known.ok) return known;
    const { rules, rent } = known.value;
    const agents = [...new Set(rules.rules.map(({ agent }) => agent))].sort();
    const memories: MemoryView[] = [];
    for (const agent of agents) {
      const memory = await memoryViewOf(agent, root, rules, this.#ports);
      if (memory.ok) memories.push(memory.value);
    }
    return succeed({ view: { rules: rules.rules.map((rule) => ruleViewOf(rule, rules, rent)), memories } });
  }

  /** @param beside is told with the first that becomes a candidate */
  proposeAll(
    proposals: readonly Proposal[],
    who = "user",
    beside: Parameters<RulesLedger["append"]>[0] = [],
  ): Promise<Result<{ proposed: Proposed[] }>> {
    return this.#alone(async () => {
      const known = await readKnown(this.#ports);
      if (!known.ok) return known;
      const { rules, rent } = known.value;
      const held = [...rules.rules];
      const proposed: Proposed[] = [];
      for (const proposal of proposals) {
        const made = propose(proposal, held, {
          who,
          at: this.#ports.clock.now(),
          rent: (text) => rent({ agent: proposal.agent, scope: null, sentence: text }).total,
        });
        if (!made.ok) {
          proposed.push({ text: proposal.text, id: null, refused: made.detail });
          continue;
        }
        const { rule, more } = this.#approvedBySetting(made.value.rule);
        const entries = held.length === rules.rules.length ? [...more, ...beside] : more;
        const told = await this.#tellLedger(made.value.rule, made.value.step, entries);
        if (!told.ok) return told;
        held.push(rule);
        proposed.push({ text: proposal.text, id: rule.id, refused: null });
      }
      return succeed({ proposed });
    });
  }

  act(id: string, asked: RuleActAsked, root: string): Promise<Result<Changed>> {
    return asked.kind === "edit" ? this.#edit(id, asked.text, root) : this.#act(id, asked, root, "user");
  }

  /** A replay is kept to be looked at, and changes nothing of the rule, however often it is told. */
  async measured(told: ToldMeasurement & { isActivated: boolean }, root: string): Promise<Result<Changed>> {
    const read = readMeasurement(told);
    if (!read.ok) return read;
    const { verdict, id, driver } = read.value;
    const known = await readRules(this.#ports.ledger);
    if (!known.ok) return known;
    const isKept = known.value.book.receipts.some((receipt) => receipt.id === id);
    if (!measuresModel(driver)) return this.#demonstrated(read.value, told, { root, isKept });
    if (isKept) return fail("known", `receipt ${id} is in the ledger already`);
    const done = await this.#act(
      told.ruleId,
      { kind: "measured", verdict, receiptId: id, isActivated: told.isActivated },
      root,
      "purser",
      receiptEntries(read.value, told.receipt, told.evidence),
    );
    if (!done.ok || done.value.rule.status !== "measured" || !this.#ports.settings().rulesAutoActivate)
      return done;
    return this.#act(told.ruleId, { kind: "approve" }, root, bySetting);
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

  compile(asked: {
    agent: string;
    root: string;
    replaces: string | null;
  }): Promise<Result<{ memory: MemoryView }>> {
    return this.#alone(() => this.#afterWriting(asked, compileInto(asked, this.#world)));
  }

  undoMemory(asked: {
    agent: string;
    root: string;
    version: string;
    replaces: string | null;
  }): Promise<Result<{ memory: MemoryView }>> {
    return this.#alone(() => this.#afterWriting(asked, undoInto(asked, this.#world)));
  }

  /** Looks at a run, and proposes what it shows; a preview proposes nothing. */
  distil(sessionId: string | null, isPreview: boolean): Promise<Result<Distilled>> {
    const propose = (proposals: readonly Proposal[]) => this.proposeAll(proposals, "purser");
    return distilRun({ sessionId, isPreview }, { ...this.#world, propose });
  }

  /** @param project whose runs are told; null for all */
  async report(project: string | null): Promise<Result<{ report: ReportView }>> {
    const { ledger, clock, needs } = this.#ports;
    const known = await readKnown(this.#ports);
    const facts = await ledger.ask("reportFacts", clock.now() - week);
    if (!known.ok) return known;
    if (!facts.ok) return facts;
    const { rules, runs: all } = known.value;
    const [runs, found] = [
      project === null ? succeed(all) : await ledger.ask("realRuns", { most: mostRuns, project }),
      await findingsOf(rules, ledger, needs),
    ];
    if (!runs.ok) return runs;
    if (!found.ok) return found;
    const told = { facts: facts.value, findings: found.value };
    return succeed({ report: reportOf(rules, { all, runs: runs.value, project }, told) });
  }

  /** Ends with what is being changed. */
  async finish(): Promise<void> {
    await this.#last;
    this.#tell.dispose();
    this.#changes.dispose();
  }

  #demonstrated(
    receipt: Receipt,
    { ruleId, receipt: json, evidence }: ToldMeasurement,
    { root, isKept }: { root: string; isKept: boolean },
  ): Promise<Result<Changed>> {
    return this.#alone(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const found = findRule(known.value.rules, ruleId);
      if (!found.ok) return found;
      if (!isKept) {
        const told = await this.#ports.ledger.append(receiptEntries(receipt, json, evidence));
        if (!told.ok) return told;
        this.#tell.request();
      }
      return await this.#answer(found.value, ruleId, root);
    });
  }

  get #world() {
    return { ...this.#ports, now: () => this.#ports.clock.now() };
  }

  #act(
    id: string,
    asked:
      | Exclude<RuleActAsked, { kind: "edit" | "undo" }>
      | { kind: "undo" }
      | Extract<RuleAct, { kind: "measured" }>,
    root: string,
    who: string,
    more: Parameters<RulesLedger["append"]>[0] = [],
  ): Promise<Result<Changed>> {
    return this.#alone(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const found = findRule(known.value.rules, id);
      if (!found.ok) return found;
      const what = asked.kind === "undo" ? undoOf(known.value, found.value) : succeed(asked);
      if (!what.ok) return what;
      const done = act(found.value, what.value, { who, at: this.#ports.clock.now() });
      if (!done.ok) return fail(done.reason, `rule ${found.value.id}: ${done.detail}`);
      const told = await this.#tellLedger(done.value.rule, done.value.step, more);
      if (!told.ok) return told;
      return await this.#answer(found.value, done.value.rule.id, root);
    });
  }

  #edit(id: string, text: string, root: string): Promise<Result<Changed>> {
    return this.#alone(async () => {
      const known = await readKnown(this.#ports);
      if (!known.ok) return known;
      const found = findRule(known.value.rules.rules, id);
      if (!found.ok) return found;
      const { agent, source } = found.value;
      const by = { who: "user", at: this.#ports.clock.now() };
      const made = propose(
        { agent, text, origin: "hand", source, replaces: found.value.id },
        known.value.rules.rules,
        {
          ...by,
          rent: (words) => known.value.rent({ agent, scope: null, sentence: words }).total,
        },
      );
      if (!made.ok) return made;
      const gone = act(found.value, { kind: "replaced", by: made.value.rule.id }, by);
      if (!gone.ok) return fail(gone.reason, `rule ${found.value.id}: ${gone.detail}`);
      const entries = this.#entriesOf(gone.value.rule, gone.value.step);
      const told = await this.#tellLedger(made.value.rule, made.value.step, entries);
      return told.ok ? await this.#answer(found.value, made.value.rule.id, root) : told;
    });
  }

  /** Writes the memory where what is active changed, and answers the rule as it is now. */
  async #answer(before: Rule, id: string, root: string): Promise<Result<Changed>> {
    const known = await readKnown(this.#ports);
    if (!known.ok) return known;
    const { rules, rent } = known.value;
    const after = findRule(rules.rules, id);
    if (!after.ok) return after;
    const isActive = ({ status }: Rule) => status === "active";
    let memory: string | null = null;
    if (isActive(before) !== isActive(after.value)) {
      const written = await compileInto({ agent: before.agent, root, replaces: null }, this.#world);
      memory = written.ok ? null : written.detail;
    }
    return succeed({ rule: ruleViewOf(after.value, rules, rent), memory });
  }

  async #afterWriting(
    { agent, root }: { agent: string; root: string },
    writing: Promise<Result<unknown>>,
  ): Promise<Result<{ memory: MemoryView }>> {
    const written = await writing;
    if (!written.ok) return written;
    const known = await readRules(this.#ports.ledger);
    if (!known.ok) return known;
    const memory = await memoryViewOf(agent, root, known.value, this.#ports);
    this.#tell.request();
    return memory.ok ? succeed({ memory: memory.value }) : memory;
  }

  #entriesOf(rule: Rule, step: RuleStep) {
    return ruleEntries(rule, step, `${rule.id}:${this.#ports.unique()}`);
  }

  async #tellLedger(rule: Rule, step: RuleStep, more: Parameters<RulesLedger["append"]>[0] = []) {
    const told = await this.#ports.ledger.append([...this.#entriesOf(rule, step), ...more]);
    if (told.ok) this.#tell.request();
    return told;
  }

  /** What purser found by itself is approved where the user set that; what a person wrote or imported never is. */
  #approvedBySetting(rule: Rule) {
    const isFound = rule.origin === "trajectory" || rule.origin === "model";
    if (!isFound || !this.#ports.settings().rulesAutoApprove) return { rule, more: [] };
    const done = act(rule, { kind: "approve" }, { who: bySetting, at: this.#ports.clock.now() });
    return done.ok
      ? { rule: done.value.rule, more: this.#entriesOf(done.value.rule, done.value.step) }
      : { rule, more: [] };
  }

  /** One change after the other: each looks at what the last one left. */
  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #sayChanged(): Promise<void> {
    const known = await readRules(this.#ports.ledger);
    if (!known.ok) return;
    this.#changes.fire({ waiting: known.value.rules.filter(waitsForUser).length });
  }
}
