import type { RunSample, Verdict } from "../verdict.ts";
import type { Expectation } from "../verdict-answers.ts";
import { type Belief, chanceOfNothing, expectedLeft, learnPrior, RuleRuns } from "./belief.ts";
import { chanceOfHarm, isWorthHaving, netPerSession, type Use, valueOfMeasuring } from "./net-benefit.ts";

export type { Use } from "./net-benefit.ts";

/** A rule under measurement, with all its samples so far. */
export interface RuleSoFar {
  readonly id: string;
  readonly samples: readonly RunSample[];
}

interface WorthAsked {
  /** Null if measuring goes on until a rule is proved. */
  readonly use: Use | null;
  /** Processing tokens of a session that each rule under measurement takes. */
  readonly rents: ReadonlyMap<string, number>;
  /** Samples of other rules of the user: the prior is learned from them too. */
  readonly others: readonly (readonly RunSample[])[];
}

/** What is believed of rules that are being measured, and whether measuring them further pays. */
export class Worth {
  readonly #asked: WorthAsked;
  readonly #others: readonly RuleRuns[];
  readonly #known = new Map<string, RuleRuns>();

  constructor(asked: WorthAsked) {
    this.#asked = asked;
    this.#others = asked.others.map((samples) => new RuleRuns(samples));
  }

  /** Takes the samples of rules as they are now. */
  see(rules: readonly RuleSoFar[]): void {
    for (const { id, samples } of rules) this.#known.set(id, new RuleRuns(samples));
  }

  /** Null without runs. */
  beliefOf(id: string): Belief | null {
    return this.#known.get(id)?.belief(learnPrior([...this.#others, ...this.#known.values()])) ?? null;
  }

  /** Whether further rounds of these rules take more than they are expected to earn. */
  isEnough(
    ids: readonly string[],
    about: { readonly tokensOfRound: number; readonly maxRounds: number },
  ): boolean {
    const { use, rents } = this.#asked;
    if (use === null || ids.some((id) => this.#known.get(id)?.isKnown === false)) return false;
    const prior = learnPrior([...this.#others, ...this.#known.values()]);
    const rules = ids.flatMap((id) => {
      const belief = this.#known.get(id)?.belief(prior);
      return belief === undefined ? [] : [{ belief, rent: rents.get(id) ?? 0 }];
    });
    return valueOfMeasuring(rules, use, about) <= 0;
  }
}

/** What is expected of a rule that is measured no further. */
export function expectationOf(
  belief: Belief,
  {
    verdict,
    rent,
    use,
    tokensPerSession,
    spent,
    ms,
  }: {
    readonly verdict: Pick<Verdict, "kind">;
    readonly rent: number;
    readonly use: Use | null;
    /** Of a session, where `use` does not say it. */
    readonly tokensPerSession: number;
    /** Processing tokens of its measurement. */
    readonly spent: number;
    readonly ms: number;
  },
): Expectation {
  const of = use?.tokensPerSession ?? tokensPerSession;
  const perSession = netPerSession(belief, of, rent);
  const isShownBad = verdict.kind === "costs" || verdict.kind === "regression";
  const isWorth = !isShownBad && isWorthHaving(belief, of, rent);
  const sessions = perSession <= 0 ? null : Math.ceil(spent / perSession);
  const perDay = (use?.perWeek ?? 0) / 7;
  return {
    grade: verdict.kind === "saves" ? "proved" : isWorth ? "worth" : "none",
    share: 1 - expectedLeft(belief),
    ofNothing: chanceOfNothing(Math.min(0.9, rent / of), belief),
    ofHarm: chanceOfHarm(belief),
    perSession,
    use: use === null ? null : { perWeek: use.perWeek, weeks: use.weeks },
    paid: sessions === null ? null : { sessions, days: perDay === 0 ? null : Math.ceil(sessions / perDay) },
    ms,
  };
}
