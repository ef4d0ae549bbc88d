import { t } from "../base/language.ts";
import { percent, signedNumber, wholeNumber } from "../base/local-format.ts";
import type { GuardrailChange, GuardrailRate } from "./recurring-answers.ts";

/** In the person's language; null without wakes. */
export function rateWords({ wakes, of, rate }: GuardrailRate): string | null {
  if (rate === null) return null;
  const inWords = (share: number) => percent(share * 100);
  return t(
    "{0} ({1} to {2}; {3} of {4})",
    inWords(rate.value),
    inWords(rate.low),
    inWords(rate.high),
    wholeNumber(wakes),
    wholeNumber(of),
  );
}

/** In percentage points; null if unknown. */
export function differenceWords(difference: GuardrailChange["difference"]): string | null {
  if (difference === null) return null;
  const { value, low, high } = difference;
  return t("{0} points ({1} to {2})", points(value), points(low), points(high));
}

function points(share: number): string {
  return signedNumber(Math.round(share * 100));
}
