import type { LedgerEntry } from "../../ledger/entries.ts";
import type { RuleBook, RuleRow } from "../../ledger/rule-questions.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { applyAction, type RuleAction, type RuleStep } from "../action.ts";
import type { ManyRulesAction } from "../rules-answers.ts";
import { statusWords, type Rule } from "../rule.ts";
import type { Rules } from "./rules-book-rows.ts";
import { setOf, bySetting } from "./rules-book-view.ts";
import { sentence } from "../../base/language.ts";

type EntryOf<Kind extends LedgerEntry["kind"]> = Extract<LedgerEntry, { kind: Kind }>;
type MemoryRow = RuleBook["memories"][number];

/**
 * Returns the rule book after these entries, as the ledger would report it. Applies only rules, steps and memories.
 */
export function bookAfter(book: RuleBook, entries: readonly LedgerEntry[]): RuleBook {
  const rules = new Map(book.rules.map((row) => [row.id, row]));
  const steps = [...book.steps];
  const memories = [...book.memories];
  for (const entry of entries) {
    if (entry.kind === "rule") rules.set(entry.id, rowOf(entry, rules.get(entry.id)));
    if (entry.kind === "rule-step") steps.push(stepOf(entry));
    // Newest first; of two from the same time, the later entry first.
    if (entry.kind === "memory") memories.unshift(memoryOf(entry));
  }
  return {
    ...book,
    rules: [...rules.values()].sort(byBeginning),
    steps: steps.sort((one, other) => one.at - other.at),
    memories: memories.sort((one, other) => other.at - one.at),
  };
}

const blank: Omit<RuleRow, "id" | "agent" | "body" | "status"> = {
  scope: null,
  measuredDelta: null,
  contextCost: null,
  sourceRun: null,
  createdAt: null,
  decidedAt: null,
  decidedReason: null,
  isProtected: false,
  strikes: 0,
  replaces: null,
  origin: null,
  source: null,
  auditedAt: null,
};

/** A field of an existing rule stays if the entry omits it or gives null. */
function rowOf(entry: EntryOf<"rule">, before: typeof blank = blank): RuleRow {
  return {
    id: entry.id,
    agent: entry.agent,
    body: entry.body,
    status: entry.status,
    isProtected: entry.isProtected ?? before.isProtected,
    strikes: entry.probation ?? before.strikes,
    scope: entry.scope ?? before.scope,
    measuredDelta: entry.measuredDelta ?? before.measuredDelta,
    contextCost: entry.contextCost ?? before.contextCost,
    sourceRun: entry.sourceRun ?? before.sourceRun,
    createdAt: entry.createdAt ?? before.createdAt,
    decidedAt: entry.decidedAt ?? before.decidedAt,
    decidedReason: entry.decidedReason ?? before.decidedReason,
    replaces: entry.replaces ?? before.replaces,
    origin: entry.origin ?? before.origin,
    source: entry.source ?? before.source,
    auditedAt: entry.auditedAt ?? before.auditedAt,
  };
}

function stepOf({ id, ruleId, at, who, fromStatus = null, toStatus, why }: EntryOf<"rule-step">) {
  return { id, ruleId, at, who, fromStatus, toStatus, why };
}

function memoryOf({ agent, version, at, text, ruleIds, madeBy }: EntryOf<"memory">): MemoryRow {
  return { agent, version, at, text, ruleIds: ruleIds.split(",").filter((id) => id !== ""), madeBy };
}

function byBeginning(one: RuleRow, other: RuleRow): number {
  const [first, second] = [one.createdAt ?? -Infinity, other.createdAt ?? -Infinity];
  if (first !== second) return first < second ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

/** Applies a user's action on several rules to one of them. @param by who acts, and when: milliseconds since the epoch */
export function applyAmongMany(
  asked: ManyRulesAction,
  id: string,
  known: Rules,
  by: { readonly who: string; readonly at: number },
): Result<{ readonly before: Rule; readonly rule: Rule; readonly step: RuleStep }> {
  const before = known.rules.find((rule) => rule.id === id);
  if (before === undefined) return fail("no_rule", sentence("there is no rule {0}", id));
  const what = actionAmongMany(asked, before, known);
  if (!what.ok) return what;
  const done = applyAction(before, what.value, by);
  return done.ok ? succeed({ before, ...done.value }) : done;
}

/**
 * Returns the action on one rule that a user's action on several rules means for it. It is stricter than an
 * action on one rule, because a single rule's page shows the consequences. An approval does not admit a rule
 * that passed in the meantime. No rule is admitted without a verdict on a model, or before the set found with
 * it was measured as a whole.
 */
function actionAmongMany(
  asked: ManyRulesAction,
  rule: Rule,
  known: Rules,
): Result<RuleAction, "not_possible"> {
  switch (asked.kind) {
    case "reject":
      return succeed(asked);
    case "undo":
      return undoOf(known, rule);
    case "approve":
      return rule.status === "measured"
        ? fail("not_possible", sentence("it is ready and waits to be added to its agent's memory"))
        : succeed(asked);
    case "letIn":
      return lettingIn(rule, known);
  }
}

function lettingIn(rule: Rule, known: Rules): Result<RuleAction, "not_possible"> {
  if (rule.status !== "measured")
    return fail(
      "not_possible",
      sentence("only a ready rule is added, and it is {status}", { status: statusWords[rule.status] }),
    );
  const isMeasured = known.book.receipts.some(
    ({ subject, subjectId, driver }) =>
      subject === "rule" && subjectId === rule.id && measuresModel(driver ?? ""),
  );
  if (!isMeasured) return fail("not_possible", sentence("it was never measured with a model"));
  const others = known.rules.filter(({ agent, id }) => agent === rule.agent && id !== rule.id);
  const set = setOf(rule, others, { steps: known.stepsOf(rule.id), book: known.book });
  return set?.decision === null
    ? fail("not_possible", sentence("those found with it were not measured as a whole"))
    : succeed({ kind: "approve" });
}

/** Takes back a rule's last step, if its user or a setting of theirs took it. */
export function undoOf({ stepsOf }: Rules, { id }: Rule): Result<RuleAction, "not_possible"> {
  const last = stepsOf(id).at(-1);
  if (last?.who !== "user" && last?.who !== bySetting)
    return fail("not_possible", sentence("the last step is not yours to take back"));
  return succeed({ kind: "undo", last });
}
