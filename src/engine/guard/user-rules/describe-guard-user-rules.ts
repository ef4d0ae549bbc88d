import type { Result } from "../../base/result.ts";
import type { GuardRuleBook, GuardRuleView, GuardExceptionScope } from "../guard-answers.ts";
import { type GuardRule, type CodedRule } from "../calls/rule.ts";
import { actionOf } from "../calls/rule-action.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { maxExcerptLength } from "../hit-entry.ts";
import { ConfigFile, checksOf, loadCatalogue, type GuardFile } from "./config-file.ts";
import { faultText, type GuardException } from "./config.ts";
import type { WithException } from "./editor.ts";

/** Describes all rules for people, with the rules and exceptions of the user's file. */
export async function describeRules(file: GuardFile, context: ShellContext): Promise<GuardRuleBook> {
  const rules = await loadCatalogue();
  const own = new ConfigFile(file, "user");
  await own.refresh(rules, context, () => undefined);
  const [fault] = own.faults;
  const { set, rules: ownRules, exceptions } = own.config;
  return {
    rules: [
      ...ownRules.map((rule) => viewOf(rule, { isOff: false, isOwn: true, isChosen: true })),
      ...rules.catalogue.map((rule) => {
        const chosen = set[rule.id];
        const isOff = chosen === "off";
        const action = chosen === undefined || isOff ? actionOf(rule) : chosen;
        return viewOf({ ...rule, action }, { isOff, isOwn: false, isChosen: chosen !== undefined });
      }),
      ...rules.codedRules.map((rule) => codedView(rule, set[rule.id])),
    ],
    file: file.name,
    problem: fault === undefined ? null : faultText(fault),
    exceptions: [...exceptions],
  };
}

/** Returns the text of the user's file with one more exception. */
export async function textWithException(
  text: string,
  exception: GuardException,
  context: ShellContext,
): Promise<Result<WithException>> {
  const { withException } = await import("./editor.ts");
  return withException(text, exception, checksOf(await loadCatalogue(), { scope: "user", context }));
}

type Chosen = Pick<GuardRuleView, "isOff" | "isOwn" | "isChosen">;

function viewOf(rule: GuardRule, chosen: Chosen): GuardRuleView {
  const { id, family, message, remedy, fires, passes } = rule;
  return { id, family, action: actionOf(rule), message, remedy, fires, passes, ...chosen };
}

function codedView(
  { id, family, message, remedy, example }: CodedRule,
  set: string | undefined,
): GuardRuleView {
  const words = { id, family, message, remedy, fires: [example], passes: [] };
  return { ...words, action: "advise", isOff: set === "off", isOwn: false, isChosen: set !== undefined };
}

/** A hit that the user does not want again. */
export interface UnwantedHit {
  readonly rule: string;
  /** The excerpt of the call in the ledger. */
  readonly excerpt: string | null;
  readonly folder: string | null;
}

interface Wish {
  readonly scope: GuardExceptionScope;
  /** Days on which the exception applies, including today; null for all. */
  readonly days: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the requested exception; null if the hit lacks what the scope needs. */
export function exceptionFor(
  { rule, excerpt, folder }: UnwantedHit,
  { scope, days, now }: Wish,
): GuardException | null {
  const end = days === null ? {} : { until: localDay(now, days) };
  switch (scope) {
    case "here":
      return excerpt === null || excerpt === "" || folder === null || folder === ""
        ? null
        : { rule, like: patternOf(excerpt), folder, ...end };
    case "command":
      return excerpt === null || excerpt === "" ? null : { rule, like: patternOf(excerpt), ...end };
    case "folder":
      return folder === null || folder === "" ? null : { rule, folder, ...end };
    case "everywhere":
      return { rule, ...end };
  }
}

/**
 * Returns a linear regular expression for exactly the calls of an excerpt. The ledger's excerpt is cut, and lacks secrets and
 * halves of characters: anything matches in their place.
 */
export function patternOf(excerpt: string): string {
  const isCut = excerpt.length >= maxExcerptLength;
  const known = isCut ? excerpt.replace(partAtEnd, "") : excerpt;
  const parts = known.split(unknownPart).map((part) => part.replace(meaningful, String.raw`\$&`));
  // Patterns ignore case by default, but -d and -D are two options.
  return `${String.raw`(?-i)\A`}${parts.join(anything)}${isCut ? "" : String.raw`\z`}`;
}

const anything = String.raw`[\s\S]*`;
const unknownPart = /\[(?:secret|address)\]|[\ud800-\udfff\ufffd]+/u;
const meaningful = /[\\^$.*+?()[\]{}|]/gu;
/** A cut mark of a secret, or a cut character. */
const partAtEnd = /\[[a-z]{0,7}$|(?<![\ud800-\udfff\ufffd])[\ud800-\udfff\ufffd]+$/u;

/** Formats a date as `2026-11-21`. Uses the calendar: a day is not always 24 hours. */
function localDay(now: number, daysAfter: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() + daysAfter);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
