import { dollars, shortNumber, wholeNumber } from "../base/local-format.ts";
import { t } from "../base/language.ts";
import { wholeCredits, type UnitName } from "./amounts.ts";

interface InUnit {
  readonly unit: UnitName;
  readonly unpriced?: number;
}

/** Amounts in the language of the texts, for people: `98,000`, `$3.10`, `12.5`. */
export function localAmount({ unit }: InUnit, value: number): string {
  return unit === "usd" ? dollars(value) : wholeCredits(unit, value, wholeNumber);
}

/** `412k`, `$3.10`: for small spaces. */
export function shortAmount({ unit }: InUnit, value: number): string {
  return unit === "tokens" ? shortNumber(value) : localAmount({ unit }, value);
}

/** `≥ $3.10` where some tokens have no known price. */
export function usedAmount(level: InUnit, value: number, format: typeof localAmount = localAmount): string {
  const text = format(level, value);
  return (level.unpriced ?? 0) > 0 ? t("≥ {0}", text) : text;
}

/** A limit with its unit, unless that is tokens in a column of its own: `100,000`, `$5.00`, `300 credits`. */
export function limitAmount(
  { unit }: InUnit,
  value: number,
  format: typeof localAmount = localAmount,
): string {
  const text = format({ unit }, value);
  return unit === "credits" ? t("{0} credits", text) : text;
}

/** `100,000 tokens`, `$5.00`, `300 credits`. */
export function limitWords(
  { unit }: InUnit,
  value: number,
  format: typeof localAmount = localAmount,
): string {
  return unit === "tokens" ? t("{0} tokens", format({ unit }, value)) : limitAmount({ unit }, value, format);
}
