import { dollars, shortNumber, wholeNumber } from "../../engine/base/format.ts";
import type { BreakdownPart, Overview } from "../../engine/ledger/answers.ts";
import type { PanelState } from "./protocol.ts";

export type Metric = PanelState["metric"];
type Usage = Overview["totals"]["usage"];

/** Input, output and cache writes: what a model worked on anew. */
export function processingTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheCreation5m + usage.cacheCreation1h;
}

/** What is known of it: a cost that is not known adds nothing, and is said to be missing. */
export function amount(part: Pick<BreakdownPart, "usage" | "usd">, metric: Metric): number {
  return metric === "tokens" ? processingTokens(part.usage) : (part.usd ?? 0);
}

export function amountText(value: number, metric: Metric): string {
  return metric === "tokens" ? wholeNumber(value) : dollars(value);
}

/** Where there is little room. */
export function shortAmount(value: number, metric: Metric): string {
  if (metric === "tokens") return shortNumber(value);
  return value >= 1000 ? `$${shortNumber(value)}` : `$${String(Number(value.toPrecision(3)))}`;
}
