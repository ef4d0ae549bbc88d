import { type Sentence, sentence } from "../../base/language.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { RuleAction } from "../calls/rule-action.ts";

/** A user's settings of guard rules. */
export interface GuardConfig {
  /** Changed actions of built-in rules, by id. Coded rules can only be off or advise. */
  readonly set: Readonly<Record<string, "off" | RuleAction>>;
  readonly exceptions: readonly GuardException[];
  readonly rules: readonly GuardRule[];
}

/** Calls on which a rule does not fire. */
export interface GuardException {
  readonly rule: string;
  /** Linear regular expression that matches part of the command or file. */
  readonly like?: string | undefined;
  /** The exception applies only in this folder and below it. */
  readonly folder?: string | undefined;
  /** The exception applies before this day: `2026-12-31`. */
  readonly until?: string | undefined;
}

export const emptyConfig: GuardConfig = { set: {}, exceptions: [], rules: [] };

/** A fault of a guard file. Lines begin with 1. */
export interface GuardFault {
  readonly line: number;
  readonly message: Sentence;
  /** A wrong word in that line, and valid ones, the best first. */
  readonly wrong?: { readonly word: string; readonly instead: readonly string[] } | undefined;
}

export function faultText({ line, message }: Pick<GuardFault, "line" | "message">): Sentence {
  return sentence("line {line}: {fault}", { line, fault: message });
}

/** @param length characters */
export function tooLong(length: number, max: number): Sentence {
  return sentence("it has {0} characters; at most {1} are read", length, max);
}
