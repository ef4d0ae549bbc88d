import { confidenceLevel, errorOfSide } from "../../base/confidence.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import { chanceOfBreak } from "../../verdict/retention.ts";
import { normalUpperQuantile, newcombe, passRate } from "../../verdict/statistics.ts";
import {
  guardrailNames,
  type GuardrailChange,
  type GuardrailName,
  type GuardrailRate,
  type GuardrailResult,
} from "../recurring-answers.ts";

/** Probability that at least one guardrail of a change is reported as worse although none is. */
const alphaOfEach = errorOfSide / guardrailNames.length;

/** Margin for "no worse", as a share of wakes. */
const maxLoss = 0.1;

const bounds = { boundary: normalUpperQuantile(errorOfSide), level: confidenceLevel };

/** Which wakes a guardrail counts, and which of them are good. */
const rules: Readonly<
  Record<
    GuardrailName,
    { readonly counts: (wake: WakeRow) => boolean; readonly isGood: (wake: WakeRow) => boolean }
  >
> = {
  completion: {
    // Missing quota or network, and a person who ends a wake, say nothing about the agent's file.
    counts: ({ outcome }) => outcome === "completed" || outcome === "failed" || outcome === "limit",
    isGood: ({ outcome }) => outcome === "completed",
  },
  blocked: {
    // A task that was blocked before would otherwise count at each wake, though it was blocked once.
    // The state after an interrupted wake is not known: its row has the one before.
    counts: ({ outcome, stateBefore, stateAfter }) =>
      outcome !== "environment" &&
      outcome !== "interrupted" &&
      stateBefore !== "blocked" &&
      stateAfter !== null,
    isGood: ({ stateAfter }) => stateAfter !== "blocked",
  },
  failed_resumes: {
    // A wake that ended before any response does not show whether its session would have continued.
    counts: ({ reason, resumeFailed, outcome, turns }) =>
      resumeFailed ||
      (reason === "reused" && outcome !== "environment" && (turns > 0 || outcome === "completed")),
    isGood: ({ resumeFailed }) => !resumeFailed,
  },
};

export function guardrailRatesOf(wakes: readonly WakeRow[]): GuardrailRate[] {
  return guardrailNames.map((name) => rateOf(name, goodOf(name, wakes)));
}

/** Worse if an exact test shows it. No worse if the interval of the difference excludes a relevant loss. Both assume independent wakes. */
export function guardrailChangesOf(before: readonly WakeRow[], after: readonly WakeRow[]): GuardrailChange[] {
  return guardrailNames.map((name) => {
    const [was, is] = [goodOf(name, before), goodOf(name, after)];
    const chance = chanceOfBreak(was, is);
    const gained = newcombe(was, is, bounds);
    return {
      name,
      before: rateOf(name, was),
      after: rateOf(name, is),
      difference: gained === null || countsGood(name) ? gained : negated(gained),
      chance,
      result: resultOf(chance, gained),
    };
  });
}

interface Good {
  readonly passed: number;
  readonly runs: number;
}

function goodOf(name: GuardrailName, wakes: readonly WakeRow[]): Good {
  const { counts, isGood } = rules[name];
  const own = wakes.filter(counts);
  return { passed: own.filter(isGood).length, runs: own.length };
}

/** The other rates count bad wakes, as their names say. */
function countsGood(name: GuardrailName): boolean {
  return name === "completion";
}

function rateOf(name: GuardrailName, { passed, runs }: Good): GuardrailRate {
  const wakes = countsGood(name) ? passed : runs - passed;
  const { rate } = passRate({ passed: wakes, runs }, bounds);
  return { name, wakes, of: runs, rate };
}

type Interval = NonNullable<GuardrailChange["difference"]>;

function negated({ value, low, high, level }: Interval): Interval {
  // Without the sum, no difference would be a negative zero.
  return { value: 0 - value, low: 0 - high, high: 0 - low, level };
}

function resultOf(chance: number, gained: Interval | null): GuardrailResult {
  if (chance <= alphaOfEach) return "worse";
  return gained !== null && gained.low >= -maxLoss ? "no_worse" : "too_few";
}
