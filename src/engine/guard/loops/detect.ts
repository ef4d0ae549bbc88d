import { alternation } from "./patterns/alternation.ts";
import { nearEqual } from "./patterns/near-equal.ts";
import type { Pattern } from "./patterns/pattern.ts";
import { polling } from "./patterns/polling.ts";
import { repeatedLooks } from "./patterns/repeated-looks.ts";
import { sameFailure } from "./patterns/same-failure.ts";
import { loopRules } from "./loops-rules.ts";
import { markOf, type Step } from "./step.ts";

/** When repetitions are a loop. */
export interface LoopThresholds {
  /** Times that one action fails in the same way. */
  readonly repeats: number;
  /** Looks in a row without a change. */
  readonly looks: number;
}

export const usualThresholds: LoopThresholds = { repeats: 3, looks: 10 };

export interface Loop extends Pattern {
  readonly rule: keyof typeof loopRules;
  /** Two loops with equal parts are one loop that continues. */
  readonly keys: readonly string[];
}

/** More parts of a loop are not needed to know it again. */
const mostKeys = 8;

/** Returns the loop of the last action; null for none. The most specific pattern comes first. */
export function findLoop(steps: readonly Step[], { repeats, looks }: LoopThresholds): Loop | null {
  const patterns: readonly (readonly [Loop["rule"], () => Pattern | null])[] = [
    ["sameFailure", () => sameFailure(steps, repeats)],
    ["polling", () => polling(steps)],
    ["alternation", () => alternation(steps)],
    ["nearEqual", () => nearEqual(steps)],
    ["repeatedLooks", () => repeatedLooks(steps, looks)],
  ];
  for (const [rule, find] of patterns) {
    const pattern = find();
    if (pattern !== null) return { ...pattern, rule, keys: keysOf(pattern) };
  }
  return null;
}

function keysOf({ steps }: Pattern): string[] {
  const keys = steps.flatMap((step) => {
    const own = step.isEdit && step.failure !== null ? `${step.spot}:${step.failure}` : markOf(step);
    return step.polls === null ? [own] : [own, `polls:${step.polls}`];
  });
  return [...new Set(keys)].slice(-mostKeys).toSorted();
}
