import * as z from "zod/mini";
import { joinSentences, plainSentence, sentence, type Sentence } from "../../base/language.ts";
import { wholeNumber } from "../../base/format.ts";
import { amountWords, maxAmounts, plainAmount, type UnitName } from "../amounts.ts";
import { type PeriodName, maxLimit, word } from "../budget.ts";
import type { BudgetAnswer } from "./check-answer.ts";
import { type LevelState, verdictOn } from "./stop-reason.ts";
import { quotedWord, readConvoyId } from "../convoys/id.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Spender } from "../spending/spending.ts";

interface Used {
  readonly who: Sentence;
  readonly used: Sentence;
  readonly limit: Sentence;
}

const describeUsed: Readonly<Record<PeriodName, (values: Used & Sentence["values"]) => Sentence>> = {
  total: (values) => sentence("{who} has used {used} of {limit} in total", values),
  run: (values) => sentence("{who} has used {used} of {limit} in this run", values),
  day: (values) => sentence("{who} has used {used} of {limit} today", values),
  week: (values) => sentence("{who} has used {used} of {limit} this week", values),
  month: (values) => sentence("{who} has used {used} of {limit} this month", values),
};

/**
 * Explains to an agent and its user, in a sentence or two, why a call is denied or warned about, and what to do; "" if all is well.
 */
export function describeAnswer({ reason, levels, projected, amounts }: BudgetAnswer): Sentence {
  if (reason === "ok") return plainSentence("");
  const verdict = reason === "warning_threshold" ? "warning" : "exceeded";
  const states = levels.filter((state) => verdictOn(state) === verdict);
  // The projection is left out when it was given by the caller or is unknown, unless it decides.
  const isByCall = isDueToCall(verdict, states);
  const isCallNamed = isByCall || !["given", "unknown"].includes(projected.basis);
  const { source } = projected;
  const [unit = "tokens"] = states.map((state) => state.unit);
  const call = isCallNamed
    ? [
        sentence("this call is projected at {tokens} ({source})", {
          tokens: plainAmount(unit, amounts[unit]),
          source,
        }),
      ]
    : [];
  const raise = states
    .map((state) => `purser budget set ${state.from} --${state.level} ${placeholders[state.unit]}`)
    .join("; ");
  return sentence("{headline}: {states}. To raise it: {raise}", {
    headline: headline(verdict, isByCall),
    states: joinSentences([...states.map(describeState), ...call], "; "),
    raise,
  });
}

/** What to type for a new limit. */
const placeholders: Readonly<Record<UnitName, string>> = {
  tokens: "TOKENS",
  usd: "AMOUNTusd",
  credits: "AMOUNTcredits",
};

function headline(verdict: "warning" | "exceeded", isByCall: boolean): Sentence {
  if (verdict === "warning")
    return isByCall ? sentence("This call would nearly use up a budget") : sentence("Budget nearly used");
  return isByCall ? sentence("This call would pass a budget") : sentence("Budget exceeded");
}

function isDueToCall(verdict: "warning" | "exceeded", states: readonly LevelState[]): boolean {
  return states.every((state) => {
    const before = state.used + state.reserved;
    const threshold = verdict === "warning" ? (state.amount * state.warnPercent) / 100 : state.amount;
    return before < threshold;
  });
}

/** `the agent "backend" of session 5ff98c68 has used 98,000 of 100,000 tokens today, 4,000 more are set aside`. */
function describeState(state: LevelState): Sentence {
  const { used, reserved, amount, unit, period, unpriced } = state;
  const spent = plainAmount(unit, used);
  const saidUsed = describeUsed[period]({
    who: describeWho(state),
    used: unpriced === 0 ? plainSentence(spent) : sentence("at least {0}", spent),
    limit: amountWords(unit, amount),
  });
  const saidReserved =
    reserved === 0
      ? saidUsed
      : sentence("{used}, {reserved} more are set aside", {
          used: saidUsed,
          reserved: plainAmount(unit, reserved),
        });
  return unpriced === 0
    ? saidReserved
    : sentence("{0} (no price is known for {1} tokens)", saidReserved, wholeNumber(unpriced));
}

/** The start of an id is enough to find a session. Characters. */
const shortId = 8;

function describeWho({ level, subject, sessionId, agentType }: LevelState): Sentence {
  if (subject === null || level === "project") return sentence("the project");
  if (level === "convoy") return sentence("the group {0}", quotedWord(subject));
  if (level === "session") return sentence("the session {0}", quotedWord(subject));
  const name = quotedWord(agentType ?? subject);
  if (sessionId === null) return sentence("the agent {0}", name);
  return sentence("the agent {0} of session {1}", name, quotedWord(sessionId.slice(0, shortId)).slice(1, -1));
}

export interface Call {
  /** Null if the session belongs to no convoy: then only the project's limits apply. */
  readonly convoyId: string | null;
  /** One agent of the session: `main`, a subagent's id, or the caller's name for it. */
  readonly agentId: string;
  readonly sessionId: string;
  /** Defaults to the session's current run. */
  readonly runId?: string | null;
}

export interface PlannedCall extends Call {
  /** A subagent's type, used to look up its history: its own id is new each time. */
  readonly agentType?: string | null;
  /** Model name in the API; past usage of the agent with this model projects the call's. */
  readonly model?: string | null;
  /** The caller's own projection in processing tokens, if it knows better than the history of runs. */
  readonly projectedTokens?: number | null;
  /** What the caller expects the call to cost. */
  readonly projectedUsd?: number | null;
  readonly projectedCredits?: number | null;
}

const leaseTimes = z.int().check(z.minimum(1), z.maximum(86_400_000));
const tokenCount = z.int().check(z.minimum(0), z.maximum(maxLimit));

/** Returns the spender of a call. Outside values are validated, so that they can be written and read back. */
export function spenderOf({
  convoyId,
  agentId,
  sessionId,
  runId,
}: Call): Result<Spender, "invalid" | "invalid_id"> {
  if (convoyId !== null) {
    const id = readConvoyId(convoyId);
    if (!id.ok) return id;
  }
  const words = { agentId, sessionId, runId: runId ?? sessionId };
  for (const [name, text] of Object.entries(words))
    if (!word.safeParse(text).success)
      return fail("invalid", sentence("{0} needs 1 to 200 characters", name));
  return succeed({ convoyId, ...words });
}

export function checkedLeaseId(id: string): Result<string, "invalid"> {
  return word.safeParse(id).success
    ? succeed(id)
    : fail("invalid", sentence("a lease's id has 1 to 200 characters"));
}

/**
 * Validates the duration of a lease, at most a day: a longer one would block tokens for a dead agent too long.
 * Milliseconds.
 */
export function checkedLeaseTime(time: number): Result<number, "invalid"> {
  if (leaseTimes.safeParse(time).success) return succeed(time);
  return fail("invalid", sentence("a lease lasts a whole number of milliseconds, up to a day"));
}

/** Validates a price. Null is unknown. */
export function checkedPrice(
  unit: "usd" | "credits",
  price: number | null,
): Result<number | null, "invalid"> {
  if (price === null || (price >= 0 && price <= maxAmounts[unit]))
    return succeed(price === null ? null : price + 0);
  return unit === "usd"
    ? fail(
        "invalid",
        sentence("a price is a number of dollars from 0 to {0}, not {1}", maxAmounts.usd, price),
      )
    : fail("invalid", sentence("credits are a number from 0 to {0}, not {1}", maxAmounts.credits, price));
}

export function checkedTokens(tokens: number): Result<number, "invalid"> {
  // Turns a negative zero into 0: it would be written as 0 and differ when read back.
  if (tokenCount.safeParse(tokens).success) return succeed(tokens + 0);
  return fail("invalid", sentence("tokens are a whole number from 0 to a million million, not {0}", tokens));
}
