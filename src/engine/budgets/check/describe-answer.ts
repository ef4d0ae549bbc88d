import { wholeNumber } from "../../base/text/format.ts";
import type { PeriodName } from "../budget.ts";
import type { BudgetAnswer } from "./answer.ts";
import { quotedWord } from "../quoted-word.ts";
import { verdictOn, type LevelState } from "./weigh.ts";

/** `today`, `in this run`: the period in words. */
const describePeriod: Readonly<Record<PeriodName, string>> = {
  total: "in total",
  run: "in this run",
  day: "today",
  week: "this week",
  month: "this month",
};

/**
 * Explains to an agent and its user, in a sentence or two, why a call is denied or warned about, and what to do; "" if all is well.
 */
export function describeAnswer({ reason, levels, projected }: BudgetAnswer): string {
  if (reason === "ok") return "";
  const verdict = reason === "warning_threshold" ? "warning" : "exceeded";
  const states = levels.filter((state) => verdictOn(state) === verdict);
  // The projection is left out when it was given by the caller or is unknown, unless it decides.
  const isCallNamed = isOverByCall(states) || !["given", "unknown"].includes(projected.basis);
  const call = isCallNamed
    ? `; this call is projected at ${wholeNumber(projected.tokens)} (${projected.source})`
    : "";
  const raise = states.map(({ from, level }) => `purser budget set ${from} --${level} TOKENS`).join("; ");
  return `${headline(verdict, states)}: ${states.map(describeState).join("; ")}${call}. To raise it: ${raise}`;
}

function headline(verdict: "warning" | "exceeded", states: readonly LevelState[]): string {
  if (verdict === "warning") return "Token budget nearly used";
  return isOverByCall(states) ? "This call would pass a token budget" : "Token budget exceeded";
}

/** Whether no limit is used up yet, and this call would exceed one. */
function isOverByCall(states: readonly LevelState[]): boolean {
  return states.every(
    (state) => verdictOn(state) === "exceeded" && state.used + state.reserved < state.limit,
  );
}

/** `the agent "backend" of session 5ff98c68 has used 98,000 of 100,000 tokens today, 4,000 more are set aside`. */
function describeState(state: LevelState): string {
  const { used, reserved, limit, period } = state;
  const aside = reserved === 0 ? "" : `, ${wholeNumber(reserved)} more are set aside`;
  return `${describeWho(state)} has used ${wholeNumber(used)} of ${wholeNumber(limit)} tokens ${describePeriod[period]}${aside}`;
}

/** The start of an id is enough to find a session. Characters. */
const shortId = 8;

function describeWho({ level, subject, sessionId, agentType }: LevelState): string {
  if (subject === null) return "the project";
  if (level !== "agent") return `the ${level} ${quotedWord(subject)}`;
  const of = sessionId === null ? "" : ` of session ${quotedWord(sessionId.slice(0, shortId)).slice(1, -1)}`;
  return `the agent ${quotedWord(agentType ?? subject)}${of}`;
}
