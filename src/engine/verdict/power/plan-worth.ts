import { compose, sentence, type Sentence } from "../../base/language.ts";
import { dollars, shortNumber, wholeNumber } from "../../base/format.ts";
import { bestMeasurement, priorBelief, type Use } from "../worth.ts";

/** What measuring is expected to take until it pays no more. */
export interface WorthPlan {
  readonly rounds: number;
  /** Processing tokens of all rules. */
  readonly tokens: number;
  /** USD by list price, or null if unknown. */
  readonly usd: number | null;
  /** One run after the other. */
  readonly hours: number;
  /** Processing tokens that the rules worth having are expected to save until the next model, less the price. */
  readonly net: number;
  /** When it has paid for itself. */
  readonly sessions: number;
  readonly days: number;
  /** Whether it has paid for itself before the next model. */
  readonly pays: boolean;
}

interface Asked {
  readonly rules: number;
  readonly rent: number;
  readonly use: Use;
  readonly tokensOfRound: number;
  readonly runsOfRound: number;
  readonly usdOfRound: number | null;
  /** Inverse variances of a round. */
  readonly ofTokens: number;
  readonly ofPasses: number;
}

/** A run of a golden task, with its check. */
const minutesOfRun = 4.5;

export function planWorth(asked: Asked): WorthPlan {
  const { rules, rent, use, tokensOfRound, runsOfRound, usdOfRound, ofTokens, ofPasses } = asked;
  const belief = priorBelief([ofTokens, ofPasses]);
  const all = Array.from({ length: rules }, () => ({ belief, rent }));
  const { rounds, perSession } = bestMeasurement(all, use, { tokensOfRound });
  const tokens = rounds * tokensOfRound;
  const sessions = Math.ceil(tokens / Math.max(perSession, 1e-6));
  const net = use.perWeek * use.weeks * perSession - tokens;
  return {
    rounds,
    tokens,
    usd: usdOfRound === null ? null : rounds * usdOfRound,
    hours: (rounds * runsOfRound * minutesOfRun) / 60,
    net,
    sessions,
    days: Math.ceil((7 * sessions) / Math.max(use.perWeek, 1e-6)),
    pays: net > 0,
  };
}

export function adviceOnWorth({ tokens, usd, hours, sessions, days, pays }: WorthPlan, use: Use): Sentence {
  const values = {
    tokens: shortNumber(tokens),
    usd: usd === null ? "" : dollars(usd),
    hours: hours.toFixed(1),
    sessions: wholeNumber(sessions),
    days: wholeNumber(days),
    rate: wholeNumber(use.perWeek),
    weeks: wholeNumber(use.weeks),
  };
  const price =
    usd === null
      ? sentence("about {tokens} tokens and {hours} hours", values)
      : sentence("about {tokens} tokens, {usd} and {hours} hours", values);
  const basis = sentence("Assumed: {rate} sessions a week for {weeks} weeks, until the next model.", values);
  const said = pays
    ? sentence(
        "To see what is worth having takes {price}. It has paid for itself after about {sessions} sessions, or {days} days.",
        { ...values, price },
      )
    : sentence(
        "Measuring does not pay: it takes {price}, and has paid for itself after about {sessions} sessions, or {days} days.",
        { ...values, price },
      );
  return compose`${said} ${basis}`;
}
