import { namedByStart } from "../../base/named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "../../ledger/questions/questions.ts";
import type { RuleBook } from "../../ledger/questions/rule-book.ts";
import type { RuleStep } from "../action.ts";
import type { Rule } from "../rule.ts";
import { rulesInBook, stepsIn } from "./rules-book-rows.ts";
import { sentence } from "../../base/text/sentence.ts";

/** The part of the ledger that rules need. */
export interface RulesLedger {
  ask<Name extends QuestionName>(
    name: Name,
    params: QuestionParams<Name>,
  ): Promise<Result<QuestionAnswer<Name>>>;
  append(entries: readonly LedgerEntry[]): Promise<Result<unknown>>;
}

/** The ledger's rules, parsed. */
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

/** Finds a rule by its id, or by an unambiguous prefix of it. */
export function findRule(rules: readonly Rule[], id: string): Result<Rule, "no_rule"> {
  const named = namedByStart(rules, id, (rule) => rule.id);
  if (named.kind === "one") return succeed(named.item);
  return named.kind === "none"
    ? fail("no_rule", sentence("there is no rule {0}", id))
    : fail("no_rule", sentence("more than one rule begins with {0}", id));
}
