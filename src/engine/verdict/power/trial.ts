import { sentence, type Sentence } from "../../base/language.ts";
import type { Provenance } from "../../usage/token-counts.ts";

/** Sessions of an agent's real work in the last days. */
export interface RecentSessions {
  readonly count: number;
  readonly days: number;
  /** Variation of the newest sessions, as in `TrialPlan.noise`, and their number; null if too few are known. */
  readonly noise: { readonly value: number; readonly sessions: number } | null;
}

/** How long a trial on real work would take. */
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
export const fewestSessions = 20;
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
    const sessions = Math.max(fewestSessions, enough);
    return { share, sessions, days: sessionsADay === 0 ? null : Math.ceil(sessions / sessionsADay) };
  });
  const known: Pick<TrialPlan, "source" | "because"> =
    own === null
      ? {
          source: "estimated",
          because: sentence(
            "what is documented of sessions: fewer than {0} of yours are known",
            fewestSessions,
          ),
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
