import { measuresModel } from "../../bench/run-facts.ts";
import type { RuleBook } from "../../ledger/rule-questions.ts";
import type { RuleStep } from "../action.ts";
import { ruleOfRow, stepOfRow } from "./rules-book-entries.ts";
import { rentFactor } from "../rent.ts";
import type { Rule } from "../rule.ts";
import { sentence } from "../../base/language.ts";
import { namedByStart } from "../named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "../../ledger/questions.ts";

type Book = Pick<RuleBook, "rules" | "steps" | "receipts">;

/** A rule's newest receipt, or its newest replayed demonstration if it was never measured. */
export function newestReceipt(
  { receipts }: Pick<Book, "receipts">,
  ruleId: string,
): Book["receipts"][number] | undefined {
  const own = receipts.filter(({ subject, subjectId }) => subject === "rule" && subjectId === ruleId);
  return own.find(({ driver }) => measuresModel(driver ?? "")) ?? own[0];
}

/** Tokens per session that a rule's newest verdict counted as its cost; null for a rule without any. */
export function costAtMeasuring(book: Pick<Book, "receipts">, ruleId: string): number | null {
  const bar = newestReceipt(book, ruleId)?.bar ?? null;
  return bar === null ? null : Math.round(bar / rentFactor);
}

/** Decision reason of a rule with a replay's verdict. */
const notMeasured = sentence("measured only by a replay, which says nothing about a model");

/**
 * Returns the rules of a ledger in their current state. Earlier versions of purser let a replay decide steps;
 * those do not count as verdicts. A rule shelved, passed or evicted that way is approved and still to be
 * measured. One activated that way stays in its agent's memory, unmeasured. A saving found that way counts as
 * unknown.
 */
export function rulesInBook(book: Book): Rule[] {
  const drivers = new Map(book.receipts.map(({ id, driver }) => [id, driver]));
  const isReplay = (receiptId: string) => !measuresModel(drivers.get(receiptId) ?? "");
  return book.rules.flatMap((row) => {
    const stored = ruleOfRow(row);
    if (stored === null) return [];
    const rule = { ...stored, rent: costAtMeasuring(book, row.id) ?? stored.rent };
    const steps = stepsIn(book, row.id);
    const measured = steps.flatMap((step) => measuredBy(step) ?? []);
    return [
      measured.some(isReplay) ? withoutReplays(rule, { steps, receipts: book.receipts, isReplay }) : rule,
    ];
  });
}

function stepsIn({ steps }: Pick<Book, "steps">, ruleId: string): RuleStep[] {
  return steps.filter((row) => row.ruleId === ruleId).flatMap((row) => stepOfRow(row) ?? []);
}

/** Returns the receipt behind a step; null for a person's step. */
function measuredBy({ why }: RuleStep): string | null {
  return /\(receipt ([^()]+)\)$/u.exec(why.text)?.[1] ?? null;
}

interface StepEvidence {
  readonly steps: readonly RuleStep[];
  readonly receipts: Book["receipts"];
  readonly isReplay: (receiptId: string) => boolean;
}

function withoutReplays(rule: Rule, { steps, receipts, isReplay }: StepEvidence): Rule {
  const measured = steps.flatMap((step) => {
    const receiptId = measuredBy(step);
    return receiptId === null ? [] : [{ step, receiptId, isReplay: isReplay(receiptId) }];
  });
  const real = measured.filter((each) => !each.isReplay).map(({ receiptId }) => receiptId);
  const own = receipts.filter(({ id }) => real.includes(id));
  const known = {
    // Receipts come newest first.
    saving: own.find(({ saving }) => saving !== null)?.saving ?? null,
    auditedAt: own[0]?.at ?? null,
  };
  const [before, last] = [measured.at(-2), measured.at(-1)];
  const fresh = { ...rule, ...known, strikes: 0 };
  const waits = { ...fresh, status: "approved", decidedReason: notMeasured } as const;
  const decided = steps.findLast(({ from, to }) => to === rule.status && from !== to);
  const isDecidedBy = decided !== undefined && decided === last?.step;
  if (last?.isReplay === false) {
    // Two strikes in a row evicted when replays still counted, and one of these two came from a replay.
    const verdict = own.find(({ id }) => id === last.receiptId)?.verdict;
    const isHalf = isDecidedBy && decided.from === "active" && before?.isReplay === true;
    return isHalf && verdict !== "regression" ? waits : { ...rule, ...known };
  }
  switch (rule.status) {
    // These need a verdict.
    case "measured":
    case "shelved":
      return waits;
    case "evicted":
      return isDecidedBy ? waits : fresh;
    case "active":
    case "approved":
    case "candidate":
      return fresh;
  }
}

export interface RulesLedger {
  ask<Name extends QuestionName>(
    name: Name,
    params: QuestionParams<Name>,
  ): Promise<Result<QuestionAnswer<Name>>>;
  append(entries: readonly LedgerEntry[]): Promise<Result<unknown>>;
}

export interface Rules {
  readonly book: RuleBook;
  readonly rules: readonly Rule[];
  readonly stepsOf: (id: string) => RuleStep[];
}

export async function readRules(ledger: Pick<RulesLedger, "ask">): Promise<Result<Rules>> {
  const book = await ledger.ask("ruleBook", null);
  return book.ok ? succeed(rulesIn(book.value)) : book;
}

export function rulesIn(book: RuleBook): Rules {
  return { book, rules: rulesInBook(book), stepsOf: (id) => stepsIn(book, id) };
}

export function findRule(rules: readonly Rule[], id: string): Result<Rule, "no_rule"> {
  const named = namedByStart(rules, id, (rule) => rule.id);
  if (named.kind === "one") return succeed(named.item);
  return named.kind === "none"
    ? fail("no_rule", sentence("there is no rule {0}", id))
    : fail("no_rule", sentence("more than one rule begins with {0}", id));
}
