import { measuresModel } from "../../bench/run-facts.ts";
import type { RunSample } from "../verdict.ts";

/** Result of one experiment on a rule. */
export interface Evidence {
  /** The experiment's id; of two entries with the same id, the later replaces the earlier. */
  readonly id: string;
  readonly ruleId: string;
  readonly suiteHash: string;
  readonly model: string;
  readonly driver: string;
  /** End of the experiment. Milliseconds since the epoch. */
  readonly at: number;
  readonly samples: readonly RunSample[];
  /** Rounds over which the error rate was planned to be spent; absent in older evidence. */
  readonly plannedRounds?: number | undefined;
}

/** Evidence is pooled only for the same rule, measured the same way. */
export type EvidenceKey = Pick<Evidence, "ruleId" | "suiteHash" | "model" | "driver">;

/**
 * Pools all evidence on a rule, over days, as one experiment's samples: rounds are numbered through from 1,
 * the oldest first. Every experiment counts, whatever its result: leaving out the unlucky ones, or the lucky
 * ones, would break the error rate. Each round compares within itself, so that days on which everything costs
 * more do no harm.
 */
export function poolEvidence(all: readonly Evidence[], key: EvidenceKey): RunSample[] {
  const wanted = evidenceFor(all, key);
  const latest = new Map(wanted.toSorted(byTime).map((one) => [one.id, one]));
  let before = 0;
  return [...latest.values()].toSorted(byTime).flatMap(({ samples }) => {
    const renumbered = numberRounds(samples, before);
    before += countRounds(samples);
    return renumbered;
  });
}

/** Returns the evidence of the same rule, measured the same way. Excludes replays: they repeat one result and are never pooled. */
export function evidenceFor(all: readonly Evidence[], key: EvidenceKey): Evidence[] {
  return all.filter(
    (one) =>
      measuresModel(one.driver) &&
      one.ruleId === key.ruleId &&
      one.suiteHash === key.suiteHash &&
      one.model === key.model &&
      one.driver === key.driver,
  );
}

/**
 * Returns the plan by which evidence is judged: that of the oldest, so that no result changes how often later ones are
 * believed; null where there is none yet.
 */
export function plannedRoundsOf(evidence: readonly Evidence[]): number | null {
  const [oldest] = evidence.toSorted(byTime);
  return oldest === undefined ? null : (oldest.plannedRounds ?? roundsOfOlderPlans);
}

/** Rounds of a candidate before plans were stored. */
const roundsOfOlderPlans = 10;

/** Returns the samples with rounds renumbered from `after` + 1, without gaps. */
export function numberRounds(samples: readonly RunSample[], after: number): RunSample[] {
  const rounds = [...new Set(samples.map(({ round }) => round))].sort((one, other) => one - other);
  const positions = new Map(rounds.map((round, index) => [round, after + index + 1]));
  return samples.map((sample) => ({ ...sample, round: positions.get(sample.round) ?? sample.round }));
}

export function countRounds(samples: readonly RunSample[]): number {
  return new Set(samples.map(({ round }) => round)).size;
}

function byTime(one: Evidence, other: Evidence): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1);
}
