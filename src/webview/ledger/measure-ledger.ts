import { dollars, shortNumber, wholeNumber } from "../../engine/base/text/local-format.ts";
import type { BreakdownPart, Overview } from "../../engine/ledger/answers.ts";
import type { PanelState } from "./protocol.ts";

export type Metric = PanelState["metric"];
type Usage = Overview["totals"]["usage"];

/** Processing tokens are input, output and cache writes: the tokens that a model newly processes. */
export function processingTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheCreation5m + usage.cacheCreation1h;
}

/** The known amount. An unknown cost adds nothing; the page notes elsewhere that it is missing. */
export function amount(part: Pick<BreakdownPart, "usage" | "usd">, metric: Metric): number {
  return metric === "tokens" ? processingTokens(part.usage) : (part.usd ?? 0);
}

export function amountText(value: number, metric: Metric): string {
  return metric === "tokens" ? wholeNumber(value) : dollars(value);
}

/** An amount in short form. */
export function shortAmount(value: number, metric: Metric): string {
  if (metric === "tokens") return shortNumber(value);
  return value >= 1000 ? `$${shortNumber(value)}` : `$${String(Number(value.toPrecision(3)))}`;
}
