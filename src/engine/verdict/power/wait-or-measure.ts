import { compose, type Sentence, sentence, plural } from "../../base/language.ts";
import { percent, shortNumber, wholeNumber } from "../../base/format.ts";
import type { Provenance } from "../../usage/token-counts.ts";

/** Sessions of an agent's real work in the last days. */
export interface RecentSessions {
  readonly count: number;
  readonly days: number;
  /** Variation of the newest sessions, as in `TrialPlan.noise`, and their number; null if too few are known. */
  readonly noise: { readonly value: number; readonly sessions: number } | null;
}

export interface TrialPlan {
  /** Standard deviation between sessions of the logarithm of tokens per completed prompt, for the compared quantity. */
  readonly noise: number;
  readonly source: Provenance;
  readonly because: Sentence;
  readonly sessionsADay: number;
  /** For each of the plan's savings. */
  readonly needed: readonly {
    readonly share: number;
    readonly sessions: number;
    /** Null if the agent had no recent sessions. */
    readonly days: number | null;
  }[];
}

/** Until there are sessions of one's own. */
const usualNoise = 0.4;
/** Minimum sessions for a decision of a trial, and for an estimate of a person's own noise. */
export const minSessions = 20;
/** Size of an effect, in standard errors, that sequential boundaries mostly find. */
const neededErrors = 2.5;

/** @param savings shares of tokens that a rule truly saves */
export function trialPlan(
  savings: readonly number[],
  { count, days, noise: own }: RecentSessions,
): TrialPlan {
  const noise = own?.value ?? usualNoise;
  const sessionsADay = count / days;
  const needed = savings.map((share) => {
    // Half of the sessions have the rule: the difference of two halves varies four times as much as the mean of all.
    const enough = Math.ceil(((2 * noise * neededErrors) / -Math.log(1 - share)) ** 2);
    const sessions = Math.max(minSessions, enough);
    return { share, sessions, days: sessionsADay === 0 ? null : Math.ceil(sessions / sessionsADay) };
  });
  const known: Pick<TrialPlan, "source" | "because"> =
    own === null
      ? {
          source: "estimated",
          because: sentence("what is documented of sessions: fewer than {0} of yours are known", minSessions),
        }
      : {
          source: "measured",
          because: sentence(
            "your last {0} sessions, beyond what project, branch, hour and first prompt explain",
            own.sessions,
          ),
        };
  return { noise, ...known, sessionsADay, needed };
}

/** Result of measuring this many rules together, for a saving that is worth having. */
export interface Outlook {
  readonly together: number;
  /** The chance to decide by the last round. */
  readonly chance: number;
  /** Processing tokens per rule for this chance; null if it is never reached. */
  readonly tokensFor: (chance: number) => number | null;
}

/** The chance with a stated price: no measurement is made for more. */
const wanted = 0.8;
/** Below this chance, measuring is not advised. */
const poor = 0.5;
/** Minimum price ratio at which waiting is advised. */
const muchCheaper = 1.8;

/**
 * Advises whether to measure now, or to wait for more candidates.
 * @param share saved that is worth having
 * @param later with the candidates that may still come; null if no more fit
 */
export function adviceOnRuns(share: number, now: Outlook, later: Outlook | null): Sentence {
  const worth = inPercent(share);
  const chance = Math.min(wanted, now.chance);
  const price = now.tokensFor(chance);
  const cheaper = later?.tokensFor(chance) ?? null;
  const saidShown = shownFor({ worth, chance: inPercent(chance), price, isOfRules: now.together > 1 });
  // If a saving is hardly ever shown, waiting is pointless, however cheap it becomes.
  const isHopeful = later !== null && later.chance >= poor;
  if (isHopeful && price !== null && cheaper !== null && price > 0 && price >= muchCheaper * cheaper) {
    const more = later.together - now.together;
    const values = {
      more,
      times: (price / cheaper).toFixed(1).replace(/\.0$/u, ""),
      shown: saidShown,
      tokens: shortNumber(cheaper),
    };
    return more === 2
      ? sentence(
          "Wait: two more candidates make this {times} times cheaper. Now {shown}; together with them it is for about {tokens} a rule.",
          values,
        )
      : sentence(
          "Wait: {more} more candidates make this {times} times cheaper. Now {shown}; together with them it is for about {tokens} a rule.",
          values,
        );
  }
  if (now.chance >= poor) return sentence("Measure now: {shown}.", { shown: saidShown });
  const little = sentence("Measuring now says little: {shown}.", {
    shown: shownFor({
      worth,
      chance: inPercent(chance),
      price,
      isOfRules: now.together > 1,
      isMost: true,
    }),
  });
  return later === null || later.chance < now.chance + 0.1
    ? little
    : compose`${little} ${sentence("With {0} more candidates the chance is {1}.", later.together - now.together, inPercent(later.chance))}`;
}

interface Shown {
  readonly worth: string;
  readonly chance: string;
  /** Tokens. */
  readonly price: number | null;
  readonly isOfRules: boolean;
  readonly isMost?: boolean;
}

function shownFor({ worth, chance, price, isOfRules, isMost = false }: Shown): Sentence {
  const values = { worth, chance, tokens: shortNumber(price ?? 0) };
  if (price === null)
    return isMost
      ? sentence("a true saving of {worth} is shown with a chance of {chance} at most", values)
      : sentence("a true saving of {worth} is shown with a chance of {chance}", values);
  if (isOfRules)
    return isMost
      ? sentence(
          "a true saving of {worth} is shown with a chance of {chance} at most for about {tokens} tokens a rule",
          values,
        )
      : sentence(
          "a true saving of {worth} is shown with a chance of {chance} for about {tokens} tokens a rule",
          values,
        );
  return isMost
    ? sentence(
        "a true saving of {worth} is shown with a chance of {chance} at most for about {tokens} tokens",
        values,
      )
    : sentence(
        "a true saving of {worth} is shown with a chance of {chance} for about {tokens} tokens",
        values,
      );
}

export function adviceOnTrial(worth: number, { needed, sessionsADay }: TrialPlan): Sentence {
  const own = needed.find(({ share }) => share === worth);
  if (own?.days === undefined || own.days === null)
    return sentence(
      "How long a trial on real work would take is not known: no session of the last weeks is known to be the agent's own.",
    );
  const values = {
    days: wholeNumber(own.days),
    worth: inPercent(worth),
    sessions: wholeNumber(own.sessions),
    rate: sessionsADay < 10 ? sessionsADay.toFixed(1) : wholeNumber(sessionsADay),
  };
  return plural(
    own.days,
    sentence(
      "A trial on real work would take about a day for {worth} ({sessions} sessions, {rate} a day) and costs nothing.",
      values,
    ),
    sentence(
      "A trial on real work would take about {days} days for {worth} ({sessions} sessions, {rate} a day) and costs nothing.",
      values,
    ),
  );
}

export function inPercent(share: number): string {
  return percent(100 * share);
}
