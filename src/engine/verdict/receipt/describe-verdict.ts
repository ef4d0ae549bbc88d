import { sentence, type Sentence } from "../../base/language.ts";
import { percent, wholeNumber } from "../../base/format.ts";
import type { Interval } from "../verdict.ts";

/** `1,200 tokens (800 to 1,600)`. */
export function formatTokens({ value, low, high }: Interval): Sentence {
  return sentence("{0} tokens ({1} to {2})", wholeNumber(value), wholeNumber(low), wholeNumber(high));
}

/** `12% (8.0% to 16%, 90% confidence)`. */
export function formatPercent({ value, low, high, level }: Interval): Sentence {
  return sentence(
    "{0} ({1} to {2}, {3} confidence)",
    share(value),
    share(low),
    share(high),
    percent(100 * level),
  );
}

/** `−4 points (−12 to +5)`. */
export function formatPoints({ value, low, high }: Interval): Sentence {
  return sentence("{0} points ({1} to {2})", points(value), points(low), points(high));
}

/** Converts a saving to a cost, and a cost to a saving. */
export function opposite({ value, low, high, level }: Interval): Interval {
  return { value: -value, low: -high, high: -low, level };
}

/** Shows at most ten times dearer: a larger figure would not help. */
function share(value: number): string {
  if (value < -9.99) return "below −999%";
  const inHundredths = 100 * value;
  const written = inHundredths.toFixed(Math.abs(inHundredths) < 9.95 ? 1 : 0);
  return `${written.replace("-", Number(written) === 0 ? "" : "−")}%`;
}

function points(value: number): string {
  const written = (100 * value).toFixed(0);
  if (Number(written) === 0) return "0";
  return value > 0 ? `+${written}` : written.replace("-", "−");
}
