/** Sessions of an agent's real work in the last days. */
export interface RecentSessions {
  readonly count: number;
  readonly days: number;
}

/** How long a trial on real work would take. */
export interface TrialPlan {
  /** Standard deviation of the logarithm of tokens a completed prompt, between sessions: a documented default. */
  readonly noise: number;
  readonly sessionsADay: number;
  /** For each of the plan's savings. */
  readonly needed: readonly {
    readonly share: number;
    readonly sessions: number;
    /** Null where the agent had no sessions lately. */
    readonly days: number | null;
  }[];
}

/** Until a trial has measured it. */
const usualNoise = 0.4;
/** Size of an effect, in standard errors, that sequential boundaries mostly find. */
const neededErrors = 2.5;

/** @param savings shares of tokens that a rule truly saves */
export function trialPlan(savings: readonly number[], { count, days }: RecentSessions): TrialPlan {
  const sessionsADay = count / days;
  const needed = savings.map((share) => {
    // Half of the sessions have the rule: the difference of two halves varies four times as much as the mean of all.
    const sessions = Math.ceil(((2 * usualNoise * neededErrors) / -Math.log(1 - share)) ** 2);
    return { share, sessions, days: sessionsADay === 0 ? null : Math.ceil(sessions / sessionsADay) };
  });
  return { noise: usualNoise, sessionsADay, needed };
}
