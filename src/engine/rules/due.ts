import { measuresModel } from "../bench/run-facts.ts";
import { sentence, type Sentence } from "../base/language.ts";
import { shortNumber } from "../base/format.ts";
import { type Evidence, maxEvidenceAge } from "../verdict/evidence.ts";
import type { GradeView } from "../verdict/verdict-answers.ts";
import type { Rule } from "./rule.ts";

/** A rule that is due to be measured again, and why. */
export interface DueRule {
  readonly id: string;
  readonly why: Sentence;
}

interface Asked {
  readonly rules: readonly (Pick<Rule, "id" | "agent" | "status"> & {
    readonly expected?: GradeView | undefined;
  })[];
  readonly evidence: readonly Pick<Evidence, "ruleId" | "model" | "driver" | "at">[];
  readonly agent: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The rules of an agent that are worth measuring again. An active rule is, if nothing that was measured of it counts any
 * more. A shelved one is, if it is expected to earn more until the next model than its last measurement took.
 */
export function dueRules({ rules, evidence, agent, model, now }: Asked): DueRule[] {
  return rules.flatMap((rule) => {
    if (rule.agent !== agent) return [];
    const own = evidence.filter(({ ruleId, driver }) => ruleId === rule.id && measuresModel(driver));
    const why =
      rule.status === "active"
        ? whyAgain(own, { model, now })
        : rule.status === "shelved"
          ? whyAfterAll(rule.expected)
          : null;
    return why === null ? [] : [{ id: rule.id, why }];
  });
}

function whyAgain(
  own: readonly Pick<Evidence, "model" | "at">[],
  { model, now }: Pick<Asked, "model" | "now">,
): Sentence | null {
  const [newest] = own.toSorted((one, other) => other.at - one.at);
  if (newest === undefined) return sentence("it was never measured with a model");
  const known = own.filter((one) => one.model === model);
  if (known.length === 0)
    return sentence("the model changed from {before} to {model}", { before: newest.model, model });
  return known.every(({ at }) => now - at > maxEvidenceAge)
    ? sentence("what was measured is older than half a year")
    : null;
}

function whyAfterAll(expected: GradeView | undefined): Sentence | null {
  const use = expected?.use ?? null;
  if (expected === undefined || use === null) return null;
  const { perSession, spent } = expected;
  const gain = perSession * use.perWeek * use.weeks;
  return gain > spent.processingTokens
    ? sentence("it may earn {gain} tokens until the next model, and measuring it took {spent}", {
        gain: shortNumber(gain),
        spent: shortNumber(spent.processingTokens),
      })
    : null;
}

/** The most that may be spent: processing tokens, and USD at list prices. Null where only the other one counts. */
export interface Allowance {
  readonly tokens: number | null;
  readonly usd: number | null;
}

/**
 * The cap in tokens that keeps to an allowance in tokens and money. Null if nothing is allowed, and if money is all that
 * is allowed and no price is known.
 * @param plan tokens and list price of some runs
 */
export function capOf(
  { tokens, usd }: Allowance,
  plan: { readonly tokens: number; readonly usd: number | null },
): number | null {
  const ofMoney =
    usd === null || plan.usd === null || plan.usd <= 0 ? null : Math.floor((usd * plan.tokens) / plan.usd);
  // A budget in money cannot be kept where no price is known.
  if (usd !== null && ofMoney === null) return null;
  const caps = [tokens, ofMoney].filter((cap) => cap !== null);
  return caps.length === 0 ? null : Math.min(...caps);
}
