import { isSentence, plainSentence, type Sentence } from "../../base/text/sentence.ts";
import type { Freshness } from "../../ledger/answers.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import type { UsageAnswer } from "../../ledger/ledger-requests.ts";
import { memberOf } from "./quick-ask.ts";

type Report = UsageAnswer["report"];
type Sum = Report["totals"];

/**
 * Parses an answer about usage by hand, so that a terminal prints it before the schemas would be loaded.
 * Returns undefined for an invalid answer; tests compare it with the schema.
 */
export function readUsageAnswer(value: unknown): UsageAnswer | undefined {
  try {
    return {
      report: reportIn(value),
      places: placesIn(value),
      zoneOffset: numberIn(value, "zoneOffset"),
      freshness: freshnessIn(value),
    };
  } catch (error) {
    if (error instanceof NotOfThisKind) return undefined;
    throw error;
  }
}

class NotOfThisKind extends Error {}

function reportIn(value: unknown): Report {
  const report = memberOf(value, "report");
  const rows = listIn(report, "rows").map((row) => ({
    key: textIn(row, "key"),
    model: textIn(row, "model"),
    ...sumIn(row),
    lastAt: maybe(numberIn, row, "lastAt"),
  }));
  return { rows, totals: sumIn(memberOf(report, "totals")), undated: numberIn(report, "undated") };
}

function sumIn(value: unknown): Sum {
  return {
    responses: numberIn(value, "responses"),
    usage: usageIn(memberOf(value, "usage")),
    usd: maybe(numberIn, value, "usd"),
    unpriced: numberIn(value, "unpriced"),
    standardTier: numberIn(value, "standardTier"),
  };
}

function usageIn(value: unknown): TokenUsage {
  return {
    input: numberIn(value, "input"),
    output: numberIn(value, "output"),
    cacheCreation5m: numberIn(value, "cacheCreation5m"),
    cacheCreation1h: numberIn(value, "cacheCreation1h"),
    cacheRead: numberIn(value, "cacheRead"),
  };
}

function placesIn(value: unknown): string[] {
  return listIn(value, "places").map((place) => {
    if (typeof place !== "string") throw new NotOfThisKind();
    return place;
  });
}

function freshnessIn(value: unknown): Freshness {
  const freshness = memberOf(value, "freshness");
  return {
    asOf: maybe(numberIn, freshness, "asOf"),
    files: numberIn(freshness, "files"),
    done: numberIn(freshness, "done"),
    problems: listIn(freshness, "problems").map((problem) => ({
      path: textIn(problem, "path"),
      reason: sentenceIn(problem, "reason"),
    })),
  };
}

function numberIn(value: unknown, name: string): number {
  const member = memberOf(value, name);
  if (typeof member !== "number" || !Number.isFinite(member)) throw new NotOfThisKind();
  return member;
}

function textIn(value: unknown, name: string): string {
  const member = memberOf(value, name);
  if (typeof member !== "string") throw new NotOfThisKind();
  return member;
}

function sentenceIn(value: unknown, name: string): Sentence {
  const member = memberOf(value, name);
  if (typeof member === "string") return plainSentence(member);
  if (!isSentence(member)) throw new NotOfThisKind();
  return member;
}

function listIn(value: unknown, name: string): unknown[] {
  const member = memberOf(value, name);
  if (!Array.isArray(member)) throw new NotOfThisKind();
  return member;
}

function maybe<Value>(
  read: (value: unknown, name: string) => Value,
  value: unknown,
  name: string,
): Value | null {
  return memberOf(value, name) === null ? null : read(value, name);
}
