import { english } from "../../base/text/english.ts";
import { wholeNumber } from "../../base/text/format.ts";
import type { PeriodName } from "../budget.ts";
import type { BudgetAnswer } from "./check-answer.ts";
import { quotedWord } from "../quoted-word.ts";
import { verdictOn, type LevelState } from "./weigh.ts";

interface Used {
  readonly saidWho: string;
  readonly used: string;
  readonly limit: string;
}

const describeUsed: Readonly<Record<PeriodName, (values: Used & Record<string, string>) => string>> = {
  total: (values) => english("{saidWho} has used {used} of {limit} tokens in total", values),
  run: (values) => english("{saidWho} has used {used} of {limit} tokens in this run", values),
  day: (values) => english("{saidWho} has used {used} of {limit} tokens today", values),
  week: (values) => english("{saidWho} has used {used} of {limit} tokens this week", values),
  month: (values) => english("{saidWho} has used {used} of {limit} tokens this month", values),
};

/**
 * Explains to an agent and its user, in a sentence or two, why a call is denied or warned about, and what to do; "" if all is well.
 */
export function describeAnswer({ reason, levels, projected }: BudgetAnswer): string {
  if (reason === "ok") return "";
  const verdict = reason === "warning_threshold" ? "warning" : "exceeded";
  const states = levels.filter((state) => verdictOn(state) === verdict);
  // The projection is left out when it was given by the caller or is unknown, unless it decides.
  const isByCall = isDueToCall(verdict, states);
  const isCallNamed = isByCall || !["given", "unknown"].includes(projected.basis);
  const { tokens, source: saidSource } = projected;
  const call = isCallNamed
    ? [
        english("this call is projected at {tokens} ({saidSource})", {
          tokens: wholeNumber(tokens),
          saidSource,
        }),
      ]
    : [];
  const raise = states.map(({ from, level }) => `purser budget set ${from} --${level} TOKENS`).join("; ");
  return english("{saidHeadline}: {saidStates}. To raise it: {raise}", {
    saidHeadline: headline(verdict, isByCall),
    saidStates: [...states.map(describeState), ...call].join("; "),
    raise,
  });
}

function headline(verdict: "warning" | "exceeded", isByCall: boolean): string {
  if (verdict === "warning")
    return isByCall
      ? english("This call would nearly use up a token budget")
      : english("Token budget nearly used");
  return isByCall ? english("This call would pass a token budget") : english("Token budget exceeded");
}

/** Whether no state deserves the verdict without this call. */
function isDueToCall(verdict: "warning" | "exceeded", states: readonly LevelState[]): boolean {
  return states.every((state) => {
    const before = state.used + state.reserved;
    const threshold = verdict === "warning" ? (state.limit * state.warnPercent) / 100 : state.limit;
    return before < threshold;
  });
}

/** `the agent "backend" of session 5ff98c68 has used 98,000 of 100,000 tokens today, 4,000 more are set aside`. */
function describeState(state: LevelState): string {
  const { used, reserved, limit, period } = state;
  const saidUsed = describeUsed[period]({
    saidWho: describeWho(state),
    used: wholeNumber(used),
    limit: wholeNumber(limit),
  });
  return reserved === 0
    ? saidUsed
    : english("{saidUsed}, {reserved} more are set aside", { saidUsed, reserved: wholeNumber(reserved) });
}

/** The start of an id is enough to find a session. Characters. */
const shortId = 8;

function describeWho({ level, subject, sessionId, agentType }: LevelState): string {
  if (subject === null || level === "project") return english("the project");
  if (level === "convoy") return english("the convoy {0}", quotedWord(subject));
  if (level === "session") return english("the session {0}", quotedWord(subject));
  const name = quotedWord(agentType ?? subject);
  if (sessionId === null) return english("the agent {0}", name);
  return english("the agent {0} of session {1}", name, quotedWord(sessionId.slice(0, shortId)).slice(1, -1));
}
