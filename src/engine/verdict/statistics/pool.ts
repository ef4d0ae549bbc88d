import { measuresModel } from "../../bench/run-facts.ts";
import type { Question, RunSample } from "../verdict.ts";

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
  /** The kind of the answered question; absent in older evidence. */
  readonly kind?: Question["kind"] | undefined;
  /** Position among the measurements of its rule, from 1: clocks may jump. Absent in older evidence. */
  readonly sequence?: number | undefined;
  /** Ids of other rules that all runs had. Absent where unknown, as in older evidence. */
  readonly beside?: readonly string[] | undefined;
  /** Version and model of the program that ran; absent if unknown or not the same in all runs. */
  readonly program?: string | undefined;
}

/** The current measurement. */
export type EvidenceKey = Pick<Evidence, "ruleId" | "suiteHash" | "model" | "driver" | "beside">;

/** The circumstances of a measurement that is about to begin. */
export interface Present {
  /** Milliseconds since the epoch; absent if evidence does not fade. */
  readonly now?: number | undefined;
  /** Ids of other rules that its runs share between them, so that their effects are estimated. */
  readonly dealt?: readonly string[] | undefined;
}

const day = 24 * 60 * 60_000;
/** Age at which a round counts half as much as a new one. Milliseconds. */
const halfLife = 90 * day;
/** Maximum age of evidence that counts. Milliseconds. */
export const maxEvidenceAge = 180 * day;

/** Why a measurement of the same rule does not count. */
export const leftOutReasons = ["suite", "model", "program", "beside", "age", "changed"] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/**
 * Pools the evidence on a rule that matches the current measurement, as one experiment's samples: rounds are numbered
 * through from 1, oldest first. Every such experiment counts, whatever its result: leaving out unlucky or lucky ones
 * would break the error rate. Each round compares within itself, so that days on which everything costs more are
 * harmless. The order of the evidence does not change the result.
 */
export function poolEvidence(all: readonly Evidence[], key: EvidenceKey, present: Present = {}): RunSample[] {
  let before = 0;
  return evidenceFor(all, key, present).flatMap((one) => {
    const { id, samples, kind, program } = one;
    const isAudit = kind === undefined ? null : kind === "re-audit";
    const measured = { id, isAudit, counts: 2 ** (-ageOf(one, all, present) / halfLife) };
    const renumbered = numberRounds(samples, before);
    before += countRounds(samples);
    return renumbered.map((sample) => ({ ...sample, program, measured }));
  });
}

/**
 * Returns the evidence of the same rule, measured the same way, oldest first. Excludes replays: they repeat one result
 * and are never pooled. The program's version is compared when it is known, in the first round (`sameProgram`).
 */
export function evidenceFor(all: readonly Evidence[], key: EvidenceKey, present: Present = {}): Evidence[] {
  const own = all.filter(({ driver, ruleId }) => ruleId === key.ruleId && driver === key.driver);
  const latest = new Map(own.toSorted(byTime).map((one) => [one.id, one]));
  return [...latest.values()]
    .filter((one) => measuresModel(one.driver) && whyLeftOut(one, { all, key, present }) === null)
    .toSorted(byTime);
}

/** Returns why a measurement of the same rule does not count; null if it does. */
export function whyLeftOut(
  one: Evidence,
  {
    all,
    key,
    present,
  }: { readonly all: readonly Evidence[]; readonly key: EvidenceKey; readonly present: Present },
): LeftOutReason | null {
  if (one.suiteHash !== key.suiteHash) return "suite";
  if (one.model !== key.model) return "model";
  if (!isBesideSame(one, key, present)) return "beside";
  return ageOf(one, all, present) > maxEvidenceAge ? "age" : null;
}

/**
 * Whether the other rules are the same, or differ only in rules with effects that the runs of either measurement
 * estimate. Unknown ones equal only unknown ones.
 */
function isBesideSame(one: Evidence, { beside }: EvidenceKey, { dealt = [] }: Present): boolean {
  if (one.beside === undefined || beside === undefined) return one.beside === beside;
  const modelled = new Set([...dealt, ...one.samples.flatMap(({ together = [] }) => together)]);
  const [then, now] = [new Set(one.beside), new Set(beside)];
  return [...then, ...now].every((rule) => modelled.has(rule) || then.has(rule) === now.has(rule));
}

/** Age in milliseconds. A measurement is no newer than any later one, whatever the clock showed. */
function ageOf(one: Evidence, all: readonly Evidence[], { now }: Present): number {
  if (now === undefined) return 0;
  const later = all.filter(
    ({ ruleId, sequence = 0 }) => ruleId === one.ruleId && sequence > (one.sequence ?? 0),
  );
  return Math.max(0, now - Math.min(one.at, ...later.map(({ at }) => at)));
}

export function nextSequence(all: readonly Evidence[], ruleId: string): number {
  const own = all.filter((one) => one.ruleId === ruleId);
  return own.reduce((most, { sequence = 0 }) => Math.max(most, sequence), own.length) + 1;
}

/**
 * Returns the earlier samples that ran with the same version of the program, and the same model behind its name, as the
 * newest of a measurement's own: a known version is never pooled with an unknown one.
 */
export function sameProgram(pooled: readonly RunSample[], own: readonly RunSample[]): readonly RunSample[] {
  const newest = own.at(-1);
  return newest === undefined ? pooled : pooled.filter(({ program }) => program === newest.program);
}

/** Returns the program of all samples; undefined if it is unknown or not the same. */
export function programOf(samples: readonly RunSample[]): string | undefined {
  const [program, another] = new Set(samples.map((sample) => sample.program));
  return another === undefined ? program : undefined;
}

/**
 * Returns the rounds over which a question's error is spent. A repeated question keeps its plan, so that no result
 * changes how often later ones are believed. Re-audits are another question than the one that admitted their rule.
 * @param planned rounds of the question, without earlier evidence
 */
export function plannedRoundsOf(
  evidence: readonly Evidence[],
  { kind, planned }: { readonly kind: Question["kind"]; readonly planned: number },
): number {
  // Its charts begin with its audits (`judge.ts`).
  if (kind === "re-audit") return planned;
  const [oldest] = evidence.toSorted(byTime);
  return oldest === undefined ? planned : (oldest.plannedRounds ?? roundsOfOlderPlans);
}

/** Planned rounds of a candidate before plans were stored. */
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

/** Returns the experiments behind the last `rounds` of the pooled rounds, oldest first. */
export function countedOf(
  pooled: readonly RunSample[],
  rounds: number,
): { readonly pooledRounds: number; readonly from: readonly string[] } {
  const after = countRounds(pooled) - Math.max(0, rounds);
  const ids = pooled.flatMap(({ round, measured }) => (round > after ? (measured?.id ?? []) : []));
  return { pooledRounds: Math.max(0, rounds), from: [...new Set(ids)] };
}

function byTime(one: Evidence, other: Evidence): number {
  const order = (one.sequence ?? 0) - (other.sequence ?? 0) || one.at - other.at;
  return order || (one.id < other.id ? -1 : 1);
}
