import { pairOf } from "../pair.ts";
import type { Rule } from "../rule.ts";
import type { RuleBench, SelectRequest } from "../rules-selection.ts";
import { batchesOf, firstLookOf } from "./batches.ts";
import { beginGroup } from "./group.ts";
import { benchOfRound, keyOf } from "./measure-together.ts";

/** The rounds of a selection before its first look. */
export interface FirstRounds extends RuleBench {
  readonly rounds: number;
  /** The rules that they are about. */
  readonly rules: readonly Rule[];
}

/**
 * Returns the rounds that a selection with a seed makes before its first look. They are the same on every
 * machine with the same rules, so each machine can make a part. Null without a rule to measure.
 */
export function firstRounds(request: SelectRequest, wanted: readonly Rule[]): FirstRounds | null {
  const [batch = []] = batchesOf(wanted, request);
  const [rule, another] = batch;
  if (rule === undefined) return null;
  const rounds = firstLookOf(batch, request) ?? 1;
  if (another === undefined)
    return { ...pairOf({ request, rule, rules: request.rules }), rounds, rules: batch };
  const group = beginGroup({
    ...request,
    name: request.id,
    key: keyOf(request),
    wanted: batch,
    // Neither decides about a run.
    at: 0,
    bar: () => 0,
    affordable: null,
    firstLook: rounds,
  });
  const plan = { round: 1, open: batch.map(({ id }) => id), kept: [] };
  const { bench } = benchOfRound({ request, group, rules: request.rules }, plan, `${group.id}.1`);
  return { ...bench, rounds, rules: batch };
}
