import { joinSentences, plainSentence, sentence, type Sentence } from "../../base/text/sentence.ts";
import { wholeNumber } from "../../base/text/format.ts";
import type { PeriodName } from "../budget.ts";
import type { BudgetAnswer } from "./check-answer.ts";
import { quotedWord } from "../quoted-word.ts";
import { verdictOn, type LevelState } from "./weigh.ts";

interface Used {
  readonly who: Sentence;
  readonly used: string;
  readonly limit: string;
}

const describeUsed: Readonly<Record<PeriodName, (values: Used & Sentence["values"]) => Sentence>> = {
  total: (values) => sentence("{who} has used {used} of {limit} tokens in total", values),
  run: (values) => sentence("{who} has used {used} of {limit} tokens in this run", values),
  day: (values) => sentence("{who} has used {used} of {limit} tokens today", values),
  week: (values) => sentence("{who} has used {used} of {limit} tokens this week", values),
  month: (values) => sentence("{who} has used {used} of {limit} tokens this month", values),
};

/**
 * Explains to an agent and its user, in a sentence or two, why a call is denied or warned about, and what to do; "" if all is well.
 */
export function describeAnswer({ reason, levels, projected }: BudgetAnswer): Sentence {
  if (reason === "ok") return plainSentence("");
  const verdict = reason === "warning_threshold" ? "warning" : "exceeded";
  const states = levels.filter((state) => verdictOn(state) === verdict);
  // The projection is left out when it was given by the caller or is unknown, unless it decides.
  const isByCall = isDueToCall(verdict, states);
  const isCallNamed = isByCall || !["given", "unknown"].includes(projected.basis);
  const { tokens, source } = projected;
  const call = isCallNamed
    ? [
        sentence("this call is projected at {tokens} ({source})", {
          tokens: wholeNumber(tokens),
          source,
        }),
      ]
    : [];
  const raise = states.map(({ from, level }) => `purser budget set ${from} --${level} TOKENS`).join("; ");
  return sentence("{headline}: {states}. To raise it: {raise}", {
    headline: headline(verdict, isByCall),
    states: joinSentences([...states.map(describeState), ...call], "; "),
    raise,
  });
}

function headline(verdict: "warning" | "exceeded", isByCall: boolean): Sentence {
  if (verdict === "warning")
    return isByCall
      ? sentence("This call would nearly use up a token budget")
      : sentence("Token budget nearly used");
  return isByCall ? sentence("This call would pass a token budget") : sentence("Token budget exceeded");
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
function describeState(state: LevelState): Sentence {
  const { used, reserved, limit, period } = state;
  const saidUsed = describeUsed[period]({
    who: describeWho(state),
    used: wholeNumber(used),
    limit: wholeNumber(limit),
  });
  return reserved === 0
    ? saidUsed
    : sentence("{used}, {reserved} more are set aside", { used: saidUsed, reserved: wholeNumber(reserved) });
}

/** The start of an id is enough to find a session. Characters. */
const shortId = 8;

function describeWho({ level, subject, sessionId, agentType }: LevelState): Sentence {
  if (subject === null || level === "project") return sentence("the project");
  if (level === "convoy") return sentence("the convoy {0}", quotedWord(subject));
  if (level === "session") return sentence("the session {0}", quotedWord(subject));
  const name = quotedWord(agentType ?? subject);
  if (sessionId === null) return sentence("the agent {0}", name);
  return sentence("the agent {0} of session {1}", name, quotedWord(sessionId.slice(0, shortId)).slice(1, -1));
}
