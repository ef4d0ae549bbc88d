import { type Clock, Throttle } from "../../base/timing.ts";
import { Emitter } from "../../base/events.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { bookAfter, applyAmongMany, undoOf } from "./after.ts";
import { type MemoryPorts } from "../memory.ts";
import { compileInto } from "../compile-memory.ts";
import type { MainPorts } from "../main/main-memory.ts";
import { propose, type Proposal } from "../distil/propose.ts";
import { applyAction, type RuleAction, type RuleStep } from "../action.ts";
import { ruleEntries } from "./rules-book-entries.ts";
import { waitsForUser, type Rule } from "../rule.ts";
import { readKnown } from "./known.ts";
import { findRule, readRules, rulesIn, type Rules, type RulesLedger } from "./rules-book-rows.ts";
import { bySetting } from "./rules-book-view.ts";
import type { ManyRulesAction, ManyRulesDone, Proposed, RuleActionRequest } from "../rules-answers.ts";
import { sentence, type Sentence } from "../../base/language.ts";

export interface RuleChangesPorts extends MemoryPorts {
  readonly ledger: RulesLedger;
  readonly clock: Clock;
  readonly main: Pick<MainPorts, "disk" | "chosenFiles">;
  /** Whether the user's setting currently approves what purser finds. */
  readonly isAutoApproved: () => boolean;
}

export interface RuleAmong {
  readonly rules: Rules;
  readonly rule: Rule;
  /** Why its agent's memory was not written, or null. */
  readonly memory: Sentence | null;
}

export interface ChangedRule extends RuleAmong {
  readonly why: Sentence;
  readonly revision: number;
}

type StepAsked =
  | Exclude<RuleActionRequest, { kind: "edit" }>
  | Extract<RuleAction, { kind: "measured" | "tried" | "turned" }>;

const changeInterval = 1000; // ms

/** Changes rules one after the other; each change is in the ledger before it is answered. Reads the rules once per change. */
export class RuleChanges {
  readonly #changes = new Emitter<{ readonly waiting: number; readonly revision: number }>();
  /** Fires when rules changed, with the number of rules that wait for the user. At most once a second. */
  readonly onChange = this.#changes.on;
  readonly #ports: RuleChangesPorts;
  readonly #publishing: Throttle;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Number of changes since the service started. */
  revision = 0;

  constructor(ports: RuleChangesPorts) {
    this.#ports = ports;
    this.#publishing = new Throttle(changeInterval, () => {
      this.#changes.fire({ waiting: this.#waiting, revision: this.revision });
      return true;
    });
  }

  /** @param beside entries appended together with the first one that becomes a candidate */
  proposeAll(
    proposals: readonly Proposal[],
    who: string,
    beside: readonly LedgerEntry[],
  ): Promise<Result<{ proposed: Proposed[] }>> {
    return this.#serialize(async () => {
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
        const entries = this.#entriesOf(made.value.rule, made.value.step);
        const isFirst = held.length === rules.rules.length;
        const appended = await this.#ports.ledger.append([...entries, ...more, ...(isFirst ? beside : [])]);
        if (!appended.ok) return appended;
        held.push(rule);
        this.#changed(held);
        proposed.push({ text: proposal.text, id: rule.id, refused: null });
      }
      return succeed({ proposed });
    });
  }

  /** @param more entries appended with the step */
  perform(
    id: string,
    asked: StepAsked,
    { root, who, more = [] }: { root: string; who: string; more?: readonly LedgerEntry[] },
  ): Promise<Result<ChangedRule>> {
    return this.#serialize(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const found = findRule(known.value.rules, id);
      if (!found.ok) return found;
      const what = asked.kind === "undo" ? undoOf(known.value, found.value) : succeed(asked);
      if (!what.ok) return what;
      const done = applyAction(found.value, what.value, { who, at: this.#ports.clock.now() });
      if (!done.ok)
        return fail(done.reason, sentence("rule {0}: {detail}", { 0: found.value.id, detail: done.detail }));
      const before = { rules: known.value, rule: found.value };
      return await this.#keep(before, { ...done.value, more }, root);
    });
  }

  /**
   * Applies a set's measurement to its rules, with the entries that prove it, in one append. A rule that can
   * no longer be decided stays unchanged.
   */
  performOnSet(
    { agent, ids }: { readonly agent: string; readonly ids: readonly string[] },
    what: Extract<RuleAction, { kind: "set" }>,
    { root, more }: { readonly root: string; readonly more: readonly LedgerEntry[] },
  ): Promise<Result<Pick<RuleAmong, "rules" | "memory">>> {
    return this.#serialize(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const by = { who: "purser", at: this.#ports.clock.now() };
      const done = known.value.rules
        .filter((rule) => rule.agent === agent && ids.includes(rule.id))
        .flatMap((rule) => {
          const applied = applyAction(rule, what, by);
          return applied.ok ? [{ before: rule, ...applied.value }] : [];
        });
      const entries = [...done.flatMap(({ rule, step }) => this.#entriesOf(rule, step)), ...more];
      const appended = await this.#ports.ledger.append(entries);
      if (!appended.ok) return appended;
      const after = await this.#after(known.value, entries);
      if (!after.ok) return after;
      this.#changed(after.value.rules);
      const isChanged = done.some(({ before, rule }) => isActive(before) !== isActive(rule));
      return succeed(
        isChanged ? await this.#compiled(after.value, agent, root) : { rules: after.value, memory: null },
      );
    });
  }

  /** Applies a user's action to several rules in one append. A rule to which it does not apply stays as it is. */
  performOnMany(
    ids: readonly string[],
    asked: ManyRulesAction,
    root: string,
  ): Promise<Result<ManyRulesDone & { readonly rules: Rules; readonly revision: number }>> {
    return this.#serialize(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const by = { who: "user", at: this.#ports.clock.now() };
      const refused: ManyRulesDone["refused"] = [];
      const done: { before: Rule; rule: Rule; step: RuleStep }[] = [];
      for (const id of new Set(ids)) {
        const applied = applyAmongMany(asked, id, known.value, by);
        if (applied.ok) done.push(applied.value);
        else refused.push({ id, why: applied.detail });
      }
      if (done.length === 0)
        return succeed({ rules: known.value, ids: [], refused, memories: [], revision: this.revision });
      const entries = done.flatMap(({ rule, step }) => this.#entriesOf(rule, step));
      const appended = await this.#ports.ledger.append(entries);
      if (!appended.ok) return appended;
      let rules = rulesIn(bookAfter(known.value.book, entries));
      this.#changed(rules.rules);
      const { revision } = this;
      const changed = done.filter(({ before, rule }) => isActive(before) !== isActive(rule));
      const memories: ManyRulesDone["memories"] = [];
      for (const agent of new Set(changed.map(({ rule }) => rule.agent))) {
        const compiled = await this.#compiled(rules, agent, root);
        rules = compiled.rules;
        if (compiled.memory !== null) memories.push({ agent, why: compiled.memory });
      }
      return succeed({ rules, ids: done.map(({ rule }) => rule.id), refused, memories, revision });
    });
  }

  edit(id: string, text: string, root: string): Promise<Result<ChangedRule>> {
    return this.#serialize(async () => {
      const known = await readKnown(this.#ports);
      if (!known.ok) return known;
      const { rules, rent } = known.value;
      const found = findRule(rules.rules, id);
      if (!found.ok) return found;
      const { agent, source } = found.value;
      const by = { who: "user", at: this.#ports.clock.now() };
      const made = propose({ agent, text, origin: "hand", source, replaces: found.value.id }, rules.rules, {
        ...by,
        rent: (words) => rent({ agent, scope: null, sentence: words }).total,
      });
      if (!made.ok) return made;
      const gone = applyAction(found.value, { kind: "replaced", by: made.value.rule.id }, by);
      if (!gone.ok)
        return fail(gone.reason, sentence("rule {0}: {detail}", { 0: found.value.id, detail: gone.detail }));
      const more = this.#entriesOf(gone.value.rule, gone.value.step);
      return await this.#keep({ rules, rule: found.value }, { ...made.value, more }, root);
    });
  }

  /**
   * Appends entries about a rule that do not change it.
   * @param entries none if they are already stored
   */
  keepBeside(ruleId: string, entries: readonly LedgerEntry[]): Promise<Result<RuleAmong>> {
    return this.#serialize(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const found = findRule(known.value.rules, ruleId);
      if (!found.ok) return found;
      const same = { rule: found.value, memory: null };
      if (entries.length === 0) return succeed({ ...same, rules: known.value });
      const appended = await this.#ports.ledger.append(entries);
      if (!appended.ok) return appended;
      this.#changed(known.value.rules);
      const after = await readRules(this.#ports.ledger);
      return after.ok ? succeed({ ...same, rules: after.value }) : after;
    });
  }

  /** Writes a memory. Returns the rules after that. */
  write(memory: (known: Rules) => ReturnType<typeof compileInto>): Promise<Result<Rules>> {
    return this.#serialize(async () => {
      const known = await readRules(this.#ports.ledger);
      if (!known.ok) return known;
      const written = await memory(known.value);
      if (!written.ok) return written;
      const after = rulesIn(bookAfter(known.value.book, written.value));
      this.#changed(after.rules);
      return succeed(after);
    });
  }

  async stop(): Promise<void> {
    await this.#last;
    this.#publishing.dispose();
    this.#changes.dispose();
  }

  async #keep(
    before: Pick<RuleAmong, "rules" | "rule">,
    { rule, step, more }: { rule: Rule; step: RuleStep; more: readonly LedgerEntry[] },
    root: string,
  ): Promise<Result<ChangedRule>> {
    const entries = [...this.#entriesOf(rule, step), ...more];
    const appended = await this.#ports.ledger.append(entries);
    if (!appended.ok) return appended;
    const known = await this.#after(before.rules, entries);
    if (!known.ok) return known;
    let rules = known.value;
    this.#changed(rules.rules);
    const { revision } = this;
    const after = findRule(rules.rules, rule.id);
    if (!after.ok) return after;
    let memory: Sentence | null = null;
    if (isActive(before.rule) !== isActive(after.value))
      ({ rules, memory } = await this.#compiled(rules, rule.agent, root));
    return succeed({ rules, rule: after.value, why: step.why, memory, revision });
  }

  async #compiled(rules: Rules, agent: string, root: string): Promise<Pick<RuleAmong, "rules" | "memory">> {
    const context = { ...this.#ports, now: () => this.#ports.clock.now() };
    const written = await compileInto({ agent, root, replaces: null }, rules, context);
    if (!written.ok) return { rules, memory: written.detail };
    return { rules: rulesIn(bookAfter(rules.book, written.value)), memory: null };
  }

  /** Reads the rules again after a receipt: only the ledger can combine it with others. */
  async #after(before: Rules, entries: readonly LedgerEntry[]): Promise<Result<Rules>> {
    return entries.some(({ kind }) => kind === "receipt")
      ? await readRules(this.#ports.ledger)
      : succeed(rulesIn(bookAfter(before.book, entries)));
  }

  #entriesOf(rule: Rule, step: RuleStep): LedgerEntry[] {
    return ruleEntries(rule, step, `${rule.id}:${this.#ports.unique()}`);
  }

  /**
   * Approves purser's own findings if the user's setting allows it, but never what a person wrote or
   * imported.
   */
  #approvedBySetting(rule: Rule) {
    const isFound = rule.origin === "trajectory" || rule.origin === "model";
    if (!isFound || !this.#ports.isAutoApproved()) return { rule, more: [] };
    const done = applyAction(rule, { kind: "approve" }, { who: bySetting, at: this.#ports.clock.now() });
    return done.ok
      ? { rule: done.value.rule, more: this.#entriesOf(done.value.rule, done.value.step) }
      : { rule, more: [] };
  }

  /** Runs changes one after the other: each reads what the last one left. */
  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** @param rules after the change */
  #changed(rules: readonly Rule[]): void {
    this.#waiting = rules.filter(waitsForUser).length;
    this.revision += 1;
    this.#publishing.request();
  }
}

function isActive({ status }: Rule): boolean {
  return status === "active";
}
