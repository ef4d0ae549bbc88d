/**
 * Numbers in the language of the texts, for people. What files, agents and programs read is formatted by `format.ts`, the same for everybody;
 * in English both agree.
 */
import * as plain from "./format.ts";
import { language, t } from "./l10n.ts";

/** `124,310`, in German `124.310`. */
export function wholeNumber(value: number): string {
  return localized(plain.wholeNumber(value));
}

/** An estimate with three digits: `109,000`, in German `109.000`. */
export function estimatedNumber(value: number): string {
  return localized(plain.estimatedNumber(value));
}

/** A difference: `+1,234`, `−1,234`, `0`. */
export function signedNumber(value: number): string {
  return localized(plain.signedNumber(value));
}

/** A number with this many digits after the decimal point: `3.1`, in German `3,1`. */
export function decimalNumber(value: number, digits: number): string {
  return localized(value.toFixed(digits));
}

/** A difference as a share of what it is compared with, given as a fraction: `+3%`, in German `+3 %`. */
export function signedPercent(fraction: number): string {
  return withPercent(plain.signedPercent(fraction));
}

/** `62%`. Only the full share is shown as 100%, and only 0 as 0%. */
export function percent(value: number): string {
  return withPercent(plain.percent(value));
}

/** A share of a limit that can be passed. Above 100 it is never rounded down to the limit: `114%`. */
export function limitPercent(value: number): string {
  return value > 100 ? withPercent(`${Math.max(101, Math.round(value))}%`) : percent(value);
}

/** `812`, `83k`, `1.2M`: for small spaces. */
export function shortNumber(value: number): string {
  return withThousands(plain.shortNumber(value));
}

/** `$1.92`, in German `1,92 $`. */
export function dollars(value: number): string {
  return withDollars(plain.dollars(value));
}

/** A price that is estimated: `~$1.92`, `< $0.001`. */
export function aboutDollars(value: number): string {
  return withDollars(plain.aboutDollars(value));
}

/** A price without its sign, where a heading has the unit: `1.92`. */
export function dollarAmount(value: number): string {
  return localized(plain.dollars(value).replace("$", ""));
}

/** An amount with two digits after the point, under a heading that has the unit: `1,234.50`. */
export function amount(value: number): string {
  const [whole = "", digits = ""] = value.toFixed(2).split(".");
  return localized(`${plain.wholeNumber(Number(whole))}.${digits}`);
}

/**
 * Formats a figure of `format.ts` in the user's language. Returns null for other words, such as a version.
 */
export function figureInLanguage(text: string): string | null {
  if (!/^[~<> +\u2212-]*\$?\d{1,3}(?:,?\d{3})*(?:\.\d+)?[kM%]?$/u.test(text)) return null;
  if (text.endsWith("%")) return withPercent(text);
  if (text.includes("$")) return withDollars(text);
  if (/[kM]$/u.test(text)) return withThousands(text);
  return text.includes(",") ? localized(text) : null;
}

function withPercent(text: string): string {
  return t("{0}%", localized(text.replace("%", "")));
}

function withThousands(text: string): string {
  const digits = localized(text.replace(/[kM]$/u, ""));
  if (text.endsWith("k")) return t("{0}k", digits);
  return text.endsWith("M") ? t("{0}M", digits) : digits;
}

/** Text before the currency sign, such as `~` and a minus, precedes the amount in every language. */
function withDollars(text: string): string {
  const [before = "", amount = ""] = text.split("$");
  return `${before}${t("${0}", localized(amount))}`;
}

function localized(text: string): string {
  const found = separatorsOf(language());
  return found === undefined
    ? text
    : text.replaceAll(/(?<=\d)[,.](?=\d)/gu, (mark) => (mark === "," ? found.group : found.decimal));
}

interface Separators {
  readonly group: string;
  readonly decimal: string;
}

const known = new Map<string, Separators | undefined>([["en", undefined]]);

/** Undefined for English, which then needs no `Intl`: its first use costs a process 20 ms. */
function separatorsOf(tag: string): Separators | undefined {
  if (!known.has(tag)) {
    const parts = new Intl.NumberFormat(tag).formatToParts(1_234_567.8);
    const of = (type: string) => parts.find((part) => part.type === type)?.value;
    known.set(tag, { group: of("group") ?? ",", decimal: of("decimal") ?? "." });
  }
  return known.get(tag);
}
