import type { Sentence } from "../../base/language.ts";
import type { RuleAction } from "../calls/rule-action.ts";
import type { GuardRule } from "../calls/rule.ts";

/** A user's wishes about guard rules. */
export interface GuardConfig {
  /** Other deeds of rules that come with purser, by their ids. Those that are code are off, or advise. */
  readonly set: Readonly<Record<string, "off" | RuleAction>>;
  readonly exceptions: readonly GuardException[];
  readonly rules: readonly GuardRule[];
}

/** Calls on which a rule does not fire. */
export interface GuardException {
  readonly rule: string;
  /** Linear regular expression, found in the command or the file. */
  readonly like?: string | undefined;
  /** Only in this folder and below it. */
  readonly folder?: string | undefined;
  /** Only before this day: `2026-12-31`. */
  readonly until?: string | undefined;
}

export const emptyConfig: GuardConfig = { set: {}, exceptions: [], rules: [] };

/** A fault of a guard file. Lines begin with 1. */
export interface GuardFault {
  readonly line: number;
  readonly message: Sentence;
  /** A word of that line that is wrong, and those that it may be instead, best first. */
  readonly wrong?: { readonly word: string; readonly instead: readonly string[] } | undefined;
}
