import { measuresModel } from "../../bench/run-facts.ts";
import type { Question, RunSample } from "../verdict.ts";

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
  /** The kind of question that it answers; absent in older evidence. */
  readonly kind?: Question["kind"] | undefined;
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
 * Returns the rounds by which a question's error is spent. A question that was asked before keeps its plan, so that no result
 * changes how often later ones are believed. Re-audits are another question than the one that admitted their rule: their
 * error is spent over the rounds after those that were made before the first of them.
 * @param planned rounds of the question, without earlier evidence
 */
export function plannedRoundsOf(
  evidence: readonly Evidence[],
  { kind, planned }: { readonly kind: Question["kind"]; readonly planned: number },
): number {
  const known = evidence.toSorted(byTime);
  if (kind === "re-audit") {
    const first = known.findIndex((one) => one.kind === "re-audit");
    const before = first < 0 ? known : known.slice(0, first);
    return before.reduce((rounds, { samples }) => rounds + countRounds(samples), planned);
  }
  const [oldest] = known;
  return oldest === undefined ? planned : (oldest.plannedRounds ?? roundsOfOlderPlans);
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
