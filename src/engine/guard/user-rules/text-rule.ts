import { cutEnd } from "../../base/text.ts";
import type { GuardedCall } from "../calls/find-hits.ts";
import { asPython } from "../calls/patterns.ts";
import type { Hit } from "../calls/rule-set.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { Effort } from "../effort.ts";

export const textOperators = [
  "regex_match",
  "contains",
  "equals",
  "not_contains",
  "starts_with",
  "ends_with",
] as const;

/** A test of a call's text. */
export interface TextTest {
  readonly field: "command" | "file" | "text";
  readonly operator: (typeof textOperators)[number];
  readonly pattern: string;
}

/** A rule of another program, which tests the text of a call, not what it would run. All tests must pass. */
export interface TextRule {
  /** Its id, message and action, without a match. */
  readonly rule: GuardRule;
  readonly on: "command" | "edit";
  readonly tests: readonly TextTest[];
}

/** Maximum length of an excerpt of a command. Characters. */
const maxExcerptLength = 200;

/** Returns the rules that fire on a call. Stops testing when the effort is exceeded. */
export function hitsOfText(rules: readonly TextRule[], call: GuardedCall, effort: Effort): Hit[] {
  return rules
    .filter(({ on, tests }) => isOn(on, call) && tests.every((test) => passes(test, call, effort)))
    .map(({ rule }) => {
      const excerpt = call.kind === "file" ? call.file : call.command;
      return { rule, excerpt: cutEnd(excerpt, maxExcerptLength), isGuess: false };
    });
}

/** Characters that a plain search reads in the time of one step. */
const quickCharacters = 50;

function isOn(on: TextRule["on"], call: GuardedCall): boolean {
  return on === "command" ? call.kind === "command" : call.kind === "file" && call.tool === "edit";
}

function passes({ field, operator, pattern }: TextTest, call: GuardedCall, effort: Effort): boolean {
  const value = fieldOf(field, call);
  if (value === null || !effort.take(1 + Math.floor(value.length / quickCharacters))) return false;
  switch (operator) {
    case "regex_match":
      return asPython(pattern).isIn(value, effort) === true;
    case "contains":
      return value.includes(pattern);
    case "not_contains":
      return !value.includes(pattern);
    case "equals":
      return value === pattern;
    case "starts_with":
      return value.startsWith(pattern);
    case "ends_with":
      return value.endsWith(pattern);
  }
}

function fieldOf(field: TextTest["field"], call: GuardedCall): string | null {
  if (call.kind === "command") return field === "command" ? call.command : null;
  if (field === "file") return call.file;
  return field === "text" ? call.content : null;
}
