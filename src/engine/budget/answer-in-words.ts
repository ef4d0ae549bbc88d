import { wholeNumber } from "../base/format.ts";
import type { PeriodName } from "./budget.ts";
import type { BudgetAnswer } from "./answer.ts";
import { quotedWord } from "./quoted-word.ts";
import { verdictOn, type LevelState } from "./weigh.ts";

/** `today`, `in this run`: how long usage counts. */
export const periodInWords: Readonly<Record<PeriodName, string>> = {
  run: "in this run",
  day: "today",
  week: "this week",
  month: "this month",
};

/** Why a call is not allowed, or warned of, and what to do, in a sentence or two for an agent and its user; "" when all is well. */
export function answerInWords({ reason, levels, projected }: BudgetAnswer): string {
  if (reason === "ok") return "";
  const verdict = reason === "warning_threshold" ? "warning" : "exceeded";
  const told = levels.filter((state) => verdictOn(state) === verdict);
  // What a caller made up tells a reader nothing.
  const call =
    projected.basis === "given"
      ? ""
      : `; this call is projected at ${wholeNumber(projected.tokens)} (${projected.source})`;
  const raise = told.map(({ from, level }) => `purser budget set ${from} --${level} TOKENS`).join("; ");
  const what = verdict === "exceeded" ? "Token budget exceeded" : "Token budget nearly used";
  return `${what}: ${told.map(stateInWords).join("; ")}${call}. To raise it: ${raise}`;
}

/** `the agent "backend" has used 98,000 of 100,000 tokens today, 4,000 more are set aside`. */
function stateInWords({ level, subject, used, reserved, limit, period }: LevelState): string {
  const who = subject === null ? "the project" : `the ${level} ${quotedWord(subject)}`;
  const aside = reserved === 0 ? "" : `, ${wholeNumber(reserved)} more are set aside`;
  return `${who} has used ${wholeNumber(used)} of ${wholeNumber(limit)} tokens ${periodInWords[period]}${aside}`;
}
