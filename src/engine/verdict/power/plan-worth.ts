import { compose, sentence, type Sentence } from "../../base/language.ts";
import { dollars, shortNumber, wholeNumber } from "../../base/format.ts";
import { normalUpperQuantile } from "../statistics/normal.ts";
import { bestMeasurement, priorBelief, type Use } from "../worth.ts";

/** What measuring takes, and when it has paid for itself. */
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
  /** Sessions a week, and weeks until the next model, that this rests on. */
  readonly use: { readonly perWeek: number; readonly weeks: number };
  /** Whether it has paid for itself before the next model. */
  readonly pays: boolean;
  /** Further candidates with which it would pay. 0 if it pays already, or if so many do not help. */
  readonly more: number;
}

export interface Earning {
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

export function planWorth(asked: Earning): WorthPlan {
  const { rules, rent, use, tokensOfRound, ofTokens, ofPasses } = asked;
  const belief = priorBelief([ofTokens, ofPasses]);
  const all = Array.from({ length: rules }, () => ({ belief, rent }));
  return priced(asked, bestMeasurement(all, use, { tokensOfRound }));
}

/** Parts of equal probability, of what rules save before any run: the midpoints of each. */
const parts = 12;

/**
 * What it takes to prove which rules save, at most, and when that has paid for itself. @param chanceOf the chance that a
 * rule that truly saves this share is proved
 */
export function planProof(asked: Earning, rounds: number, chanceOf: (share: number) => number): WorthPlan {
  const { rules, rent, use, ofTokens, ofPasses } = asked;
  const { mean, deviation } = priorBelief([ofTokens, ofPasses]);
  const rentShare = rent / use.tokensPerSession;
  const shares = Array.from({ length: parts }, (_, index) => {
    const quantile = normalUpperQuantile(1 - (index + 0.5) / parts);
    return 1 - Math.exp(-(mean + deviation * quantile));
  });
  const saved = shares.reduce(
    (sum, share) => sum + (share <= rentShare ? 0 : chanceOf(share) * (share - rentShare)),
    0,
  );
  return priced(asked, { rounds, perSession: (rules * use.tokensPerSession * saved) / parts });
}

function priced(
  { use, tokensOfRound, runsOfRound, usdOfRound }: Earning,
  { rounds, perSession }: { readonly rounds: number; readonly perSession: number },
): WorthPlan {
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
    use: { perWeek: use.perWeek, weeks: use.weeks },
    pays: net > 0,
    more: 0,
  };
}

/** Says when measuring has paid for itself, and what it takes. */
export function adviceOnWorth(plan: WorthPlan): Sentence {
  const values = valuesOf(plan);
  const rates = { rate: wholeNumber(plan.use.perWeek), weeks: wholeNumber(plan.use.weeks) };
  const basis = sentence("Assumed: {rate} sessions a week for {weeks} weeks, until the next model.", rates);
  if (plan.pays)
    return compose`${sentence("Measuring pays for itself after about {sessions} sessions ({days} days). It takes {price}.", values)} ${basis}`;
  const said = sentence(
    "Measuring does not pay: only after about {sessions} sessions ({days} days). It takes {price}.",
    values,
  );
  return plan.more === 0
    ? compose`${said} ${basis}`
    : compose`${said} ${sentence("With {0} more candidates it pays.", plan.more)} ${basis}`;
}

export function adviceOnProof(plan: WorthPlan): Sentence {
  return plan.pays
    ? sentence(
        "Proof pays for itself after about {sessions} sessions ({days} days). It takes at most {price}.",
        valuesOf(plan),
      )
    : sentence(
        "Proof does not pay: only after about {sessions} sessions ({days} days). It takes at most {price}.",
        valuesOf(plan),
      );
}

function valuesOf({ tokens, usd, hours, sessions, days }: WorthPlan) {
  const values = {
    tokens: shortNumber(tokens),
    usd: usd === null ? "" : dollars(usd),
    hours: hours.toFixed(1),
    sessions: wholeNumber(sessions),
    days: wholeNumber(days),
  };
  const price =
    usd === null
      ? sentence("about {tokens} tokens and {hours} hours", values)
      : sentence("about {tokens} tokens, {usd} and {hours} hours", values);
  return { ...values, price };
}
