import type { GuardExceptionScope } from "../answers.ts";
import { longestExcerpt } from "../hit-entry.ts";
import type { GuardException } from "./config.ts";

/** A hit that somebody wants no more of. */
export interface UnwantedHit {
  readonly rule: string;
  /** The part of the call on which it fired, as the ledger has it. */
  readonly excerpt: string | null;
  readonly folder: string | null;
}

interface Wish {
  readonly scope: GuardExceptionScope;
  /** Days on which the exception holds, today included; null for all. */
  readonly days: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes the exception that somebody asks for; null where the hit does not tell what the scope needs. */
export function exceptionFor(
  { rule, excerpt, folder }: UnwantedHit,
  { scope, days, now }: Wish,
): GuardException | null {
  const end = days === null ? {} : { until: localDay(now, days) };
  switch (scope) {
    case "command":
      return excerpt === null || excerpt === "" ? null : { rule, like: patternOf(excerpt), ...end };
    case "folder":
      return folder === null || folder === "" ? null : { rule, folder, ...end };
    case "everywhere":
      return { rule, ...end };
  }
}

/**
 * Returns a linear regular expression for exactly the calls of an excerpt. The ledger has it without what looks like a secret, without
 * halves of characters, and cut: anything may stand there.
 */
export function patternOf(excerpt: string): string {
  const isCut = excerpt.length >= longestExcerpt;
  const known = isCut ? excerpt.replace(partAtEnd, "") : excerpt;
  const parts = known.split(unknownPart).map((part) => part.replace(meaningful, String.raw`\$&`));
  // Patterns find either case unless told, but -d and -D are two options.
  return `${String.raw`(?-i)\A`}${parts.join(anything)}${isCut ? "" : String.raw`\z`}`;
}

const anything = String.raw`[\s\S]*`;
const unknownPart = /\[(?:secret|address)\]|[\ud800-\udfff\ufffd]+/u;
const meaningful = /[\\^$.*+?()[\]{}|]/gu;
/** What the cut may have left of a mark for a secret, or of a character. */
const partAtEnd = /\[[a-z]{0,7}$|(?<![\ud800-\udfff\ufffd])[\ud800-\udfff\ufffd]+$/u;

/** `2026-11-21`. By calendar: a day is not always 24 hours. */
function localDay(now: number, daysAfter: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() + daysAfter);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
