import { measuresModel } from "../../bench/run-facts.ts";
import type { RuleBook } from "../../ledger/questions/rule-book.ts";
import type { RuleStep } from "../act.ts";
import { ruleOfRow, stepOfRow } from "./entries.ts";
import type { Rule } from "../rule.ts";

type Book = Pick<RuleBook, "rules" | "steps" | "receipts">;

/** What a rule whose verdict was a replay's says of itself. */
const notMeasured = "measured only by a replay, which says nothing about a model";

/**
 * The rules of a ledger as they stand. A step that was taken because of a replay, as purser once did, is no verdict: what it shelved, passed
 * or evicted is approved and still to be measured, what it let in stays in its agent's memory and is not measured, and what it found to be
 * saved is not known.
 */
export function rulesInBook(book: Book): Rule[] {
  const drivers = new Map(book.receipts.map(({ id, driver }) => [id, driver]));
  const isReplay = (receiptId: string) => !measuresModel(drivers.get(receiptId) ?? "");
  return book.rules.flatMap((row) => {
    const rule = ruleOfRow(row);
    if (rule === null) return [];
    const steps = stepsIn(book, row.id);
    const measured = steps.flatMap((step) => measuredBy(step) ?? []);
    return [
      measured.some(isReplay) ? withoutReplays(rule, { steps, receipts: book.receipts, isReplay }) : rule,
    ];
  });
}

/** A rule's history, the oldest step first. */
export function stepsIn({ steps }: Pick<Book, "steps">, ruleId: string): RuleStep[] {
  return steps.filter((row) => row.ruleId === ruleId).flatMap((row) => stepOfRow(row) ?? []);
}

/** The receipt that a step rests on; null where a person took it. */
function measuredBy({ why }: RuleStep): string | null {
  return /\(receipt ([^()]+)\)$/u.exec(why)?.[1] ?? null;
}

interface Told {
  readonly steps: readonly RuleStep[];
  readonly receipts: Book["receipts"];
  readonly isReplay: (receiptId: string) => boolean;
}

function withoutReplays(rule: Rule, { steps, receipts, isReplay }: Told): Rule {
  const measured = steps.flatMap((step) => {
    const receiptId = measuredBy(step);
    return receiptId === null ? [] : [{ step, receiptId, isReplay: isReplay(receiptId) }];
  });
  const real = measured.filter((each) => !each.isReplay).map(({ receiptId }) => receiptId);
  const own = receipts.filter(({ id }) => real.includes(id));
  const known = {
    // Receipts come the newest first.
    saving: own.find(({ saving }) => saving !== null)?.saving ?? null,
    auditedAt: own[0]?.at ?? null,
  };
  const [before, last] = [measured.at(-2), measured.at(-1)];
  const fresh = { ...rule, ...known, strikes: 0 };
  const waits = { ...fresh, status: "approved", decidedReason: notMeasured } as const;
  const decided = steps.findLast(({ from, to }) => to === rule.status && from !== to);
  const isDecidedBy = decided !== undefined && decided === last?.step;
  if (last?.isReplay === false) {
    // Two strikes in a row evict, and one of these was a replay's.
    const verdict = own.find(({ id }) => id === last.receiptId)?.verdict;
    const isHalf = isDecidedBy && decided.from === "active" && before?.isReplay === true;
    return isHalf && verdict !== "regression" ? waits : { ...rule, ...known };
  }
  switch (rule.status) {
    // Nothing else leads there.
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
