import { wholeNumber } from "../../base/text/format.ts";
import type { PeriodName } from "../budget.ts";
import type { BudgetAnswer } from "./answer.ts";
import { quotedWord } from "../quoted-word.ts";
import { verdictOn, type LevelState } from "./weigh.ts";

/** `today`, `in this run`: how long usage counts. */
export const periodInWords: Readonly<Record<PeriodName, string>> = {
  total: "in total",
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
  // What a caller made up tells a reader nothing unless it decides, and what is not known even less.
  const isCallTold = isOverByCall(told) || !["given", "unknown"].includes(projected.basis);
  const call = isCallTold
    ? `; this call is projected at ${wholeNumber(projected.tokens)} (${projected.source})`
    : "";
  const raise = told.map(({ from, level }) => `purser budget set ${from} --${level} TOKENS`).join("; ");
  return `${headline(verdict, told)}: ${told.map(stateInWords).join("; ")}${call}. To raise it: ${raise}`;
}

function headline(verdict: "warning" | "exceeded", told: readonly LevelState[]): string {
  if (verdict === "warning") return "Token budget nearly used";
  return isOverByCall(told) ? "This call would pass a token budget" : "Token budget exceeded";
}

/** Whether nothing is used up yet, and the call itself would. */
function isOverByCall(told: readonly LevelState[]): boolean {
  return told.every((state) => verdictOn(state) === "exceeded" && state.used + state.reserved < state.limit);
}

/** `the agent "backend" of session 5ff98c68 has used 98,000 of 100,000 tokens today, 4,000 more are set aside`. */
function stateInWords(state: LevelState): string {
  const { used, reserved, limit, period } = state;
  const aside = reserved === 0 ? "" : `, ${wholeNumber(reserved)} more are set aside`;
  return `${whoInWords(state)} has used ${wholeNumber(used)} of ${wholeNumber(limit)} tokens ${periodInWords[period]}${aside}`;
}

/** The beginning of an id is enough to find a session by. Characters. */
const shortId = 8;

function whoInWords({ level, subject, sessionId, agentType }: LevelState): string {
  if (subject === null) return "the project";
  if (level !== "agent") return `the ${level} ${quotedWord(subject)}`;
  const of = sessionId === null ? "" : ` of session ${quotedWord(sessionId.slice(0, shortId)).slice(1, -1)}`;
  return `the agent ${quotedWord(agentType ?? subject)}${of}`;
}
