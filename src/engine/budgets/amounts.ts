import { dollars, readTokenAmount, wholeNumber } from "../base/format.ts";
import { plainSentence, sentence, type Sentence } from "../base/language.ts";

/** Unit of a limit: processing tokens, US dollars at the prices in force, or AI credits of GitHub Copilot. */
export const unitNames = ["tokens", "usd", "credits"] as const;
export type UnitName = (typeof unitNames)[number];

/** Usage of calls, in each unit. */
export interface Amounts extends Readonly<Record<UnitName, number>> {
  /** Tokens whose price is unknown: dollars and credits lack them. */
  readonly unpriced: number;
}

export const noAmounts: Amounts = { tokens: 0, usd: 0, credits: 0, unpriced: 0 };

/** Far more than anyone spends, while sums of many such amounts are still exact. */
export const maxAmounts: Readonly<Record<UnitName, number>> = { tokens: 1e12, usd: 1e8, credits: 1e9 };
const maxSums: Amounts = {
  tokens: Number.MAX_SAFE_INTEGER,
  usd: 9e9,
  credits: 9e9,
  unpriced: Number.MAX_SAFE_INTEGER,
};

/** GitHub bills a credit as a cent. */
export const creditsPerUsd = 100;

/** Whether GitHub bills a program's usage in AI credits. */
export function isBilledInCredits(program: string | null | undefined): boolean {
  return program === "copilot" || program === "vscode-chat";
}

/** Dollars and credits are whole millionths: sums of them are exact, so that no rounding error passes a limit. */
const parts = 1_000_000;

export function exact(value: number): number {
  return Math.round(value * parts) / parts;
}

/** Rounds up, so that what is reserved is never too little. */
export function exactUp(value: number): number {
  return Math.max(0, Math.ceil(value * parts - 1e-3)) / parts;
}

export function addAmounts(one: Amounts, other: Amounts): Amounts {
  const add = (name: keyof Amounts) => Math.min(maxSums[name], exact(one[name] + other[name]));
  return { tokens: add("tokens"), usd: add("usd"), credits: add("credits"), unpriced: add("unpriced") };
}

/** The same calls as two sources counted them: the larger figure of each unit counts, and what either could price is priced. */
export function largerAmounts(one: Amounts, other: Amounts): Amounts {
  const tokens = Math.max(one.tokens, other.tokens);
  const priced = Math.max(one.tokens - one.unpriced, other.tokens - other.unpriced);
  return {
    tokens,
    usd: Math.max(one.usd, other.usd),
    credits: Math.max(one.credits, other.credits),
    unpriced: tokens - priced,
  };
}

/** The forms of an amount, for messages about a wrong one. */
export const amountForms =
  "tokens such as 500000, 500k or 1.5M, dollars such as 5usd or 0.50usd, or credits such as 300credits";

/** Parses an amount as people write it: `500k`, `5usd`, `$5.50`, `300 credits`. Undefined for another currency, or no positive number. */
export function readAmount(text: string): { readonly amount: number; readonly unit: UnitName } | undefined {
  const [, sign = "", digits = "", word = ""] =
    /^(\$?)\s*(\d[\d,_]*(?:\.\d{1,6})?)\s*(usd|dollars?|credits?)?$/iu.exec(text.trim()) ?? [];
  const isCredits = /^c/iu.test(word);
  if (isCredits && sign !== "") return undefined;
  const isPriced = digits !== "" && (sign !== "" || word !== "");
  const unit = !isPriced ? "tokens" : isCredits ? "credits" : "usd";
  const amount = isPriced
    ? Number(digits.replaceAll(/[,_]/gu, ""))
    : readTokenAmount(text.replace(/tokens?$/iu, ""));
  return amount !== undefined && amount > 0 && amount <= maxAmounts[unit] ? { amount, unit } : undefined;
}

/** `98,000`, `$3.10`, `12.5`: for agents and files. People's screens use `local-format.ts`. */
export function plainAmount(unit: UnitName, value: number): string {
  return unit === "usd" ? dollars(value) : wholeCredits(unit, value, wholeNumber);
}

/** Credits are shown with the fraction that a small call has. */
export function wholeCredits(unit: UnitName, value: number, whole: (value: number) => string): string {
  const isFraction = unit === "credits" && value < 100 && !Number.isInteger(value);
  return isFraction ? String(Math.max(0.01, Number(value.toFixed(2)))) : whole(value);
}

/** An amount as people type it, which `readAmount` reads in any language. */
export function typedAmount(unit: UnitName, value: number): string {
  return unit === "credits" ? `${plainAmount(unit, value)} credits` : plainAmount(unit, value);
}

/** `100,000 tokens`, `$5.00`, `300 credits`. */
export function amountWords(unit: UnitName, value: number): Sentence {
  const text = plainAmount(unit, value);
  if (unit === "tokens") return sentence("{0} tokens", text);
  return unit === "usd" ? plainSentence(text) : sentence("{0} credits", text);
}
