import type { GuardedCall } from "../../calls/find-hits.ts";
import { asPython } from "../../calls/patterns.ts";
import type { GuardRule } from "../../calls/rule.ts";
import type { Hit } from "../../calls/rule-set.ts";

export const textOperators = [
  "regex_match",
  "contains",
  "equals",
  "not_contains",
  "starts_with",
  "ends_with",
] as const;

/** A test of a call's text as it is written. */
export interface TextTest {
  readonly field: "command" | "file" | "text";
  readonly operator: (typeof textOperators)[number];
  readonly pattern: string;
}

/** A rule of another program, which tests what is written, not what would be run. All its tests must pass. */
export interface TextRule {
  /** Its id, message and action; it has no match of its own. */
  readonly rule: GuardRule;
  readonly on: "command" | "edit";
  readonly tests: readonly TextTest[];
}

/** Longest excerpt of a command. Characters. */
const longestExcerpt = 200;

/** Returns the rules that fire on a call; none is tested once it is late. */
export function hitsOfText(
  rules: readonly TextRule[],
  call: GuardedCall,
  isLate: () => boolean = () => false,
): Hit[] {
  return rules
    .filter(({ on, tests }) => isOn(on, call) && !isLate() && tests.every((test) => passes(test, call)))
    .map(({ rule }) => {
      const excerpt = call.kind === "file" ? call.file : call.command;
      return { rule, excerpt: excerpt.slice(0, longestExcerpt), isGuess: false };
    });
}

function isOn(on: TextRule["on"], call: GuardedCall): boolean {
  return on === "command" ? call.kind === "command" : call.kind === "file" && call.tool === "edit";
}

function passes({ field, operator, pattern }: TextTest, call: GuardedCall): boolean {
  const value = fieldOf(field, call);
  if (value === null) return false;
  switch (operator) {
    case "regex_match":
      return asPython(pattern).test(value);
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
