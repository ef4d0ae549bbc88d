import { runExperiment } from "../../../src/engine/verdict/measure-pair.ts";
import {
  poolEvidence,
  type Evidence,
  type EvidenceKey,
} from "../../../src/engine/verdict/statistics/pool.ts";
import { admit, retain } from "../../../src/engine/verdict/retention.ts";
import {
  type Verdict,
  type RunSample,
  type Question,
  usualQuestion,
} from "../../../src/engine/verdict/verdict.ts";
import { peerAdmits, peerAudits, type PeerRules } from "./peer.ts";
import type { World } from "./world.ts";

/** One procedure's results for one rule: measured once as a candidate, then, whatever the outcome, audited as an active one. */
export interface Life {
  readonly admitted: boolean;
  /** Whether it was evicted at or before the last re-audit. */
  readonly evicted: boolean;
  /** Processing tokens. */
  readonly candidateTokens: number;
  readonly auditTokens: number;
  /** Number of re-audits; fewer than planned if it was evicted. */
  readonly audits: number;
  /** Number of runs in the candidate's measurement. */
  readonly candidateRuns: number;
}

/** Number of re-audits of an active rule, one a day after its admission. */
export const audits = 12;
/** The key of purser's evidence. */
export const purserKey = { ruleId: "rule", suiteHash: "suite", model: "model", driver: "claude" };

/** A rule's life under purser: the engine's own experiment, pooling and consequences. @param bar tokens a run must save */
export async function purserLife(context: World, bar: number): Promise<Life> {
  const kept: Evidence[] = [];
  const candidate = await measure(context, usualQuestion("candidate", bar, null), {
    kept,
    key: purserKey,
    day: 0,
  });
  let strikes = 0;
  let auditTokens = 0;
  for (let audit = 1; audit <= audits; audit += 1) {
    const { verdict, tokens } = await measure(context, usualQuestion("re-audit", bar, null), {
      kept,
      key: purserKey,
      day: audit,
    });
    auditTokens += tokens;
    const consequence = retain(verdict, strikes);
    strikes = consequence.strikes;
    if (consequence.action === "evict")
      return { ...ofCandidate(candidate), evicted: true, auditTokens, audits: audit };
  }
  return { ...ofCandidate(candidate), evicted: false, auditTokens, audits };
}

function ofCandidate({ verdict, tokens, runs }: Measured) {
  return { admitted: admit(verdict).action === "activate", candidateTokens: tokens, candidateRuns: runs };
}

export interface Measured {
  readonly verdict: Verdict;
  readonly tokens: number;
  readonly runs: number;
}

/** One experiment on one day, with all earlier measurements. */
export async function measure(
  context: World,
  question: Question,
  { kept, key, day }: { readonly kept: Evidence[]; readonly key: EvidenceKey; readonly day: number },
): Promise<Measured> {
  let runs = 0;
  const round = (number: number) => {
    const samples = oneRound(context, { day, round: number, before: runs });
    runs += samples.length;
    return Promise.resolve({ kind: "made" as const, samples });
  };
  const outcome = await runExperiment(
    { question, pooled: poolEvidence(kept, key), stored: [], expectedTokens: null },
    { round },
    new AbortController().signal,
  );
  kept.push({ ...key, id: `day-${day}`, at: day, samples: outcome.samples, kind: question.kind });
  return { verdict: outcome.verdict, tokens: outcome.tokensSpent, runs };
}

/** Runs each task once per side, side by side, alternating which goes first. */
export function oneRound(
  context: World,
  { day, round, before }: { day: number; round: number; before: number },
): RunSample[] {
  return context.tasks.flatMap(({ id }, task) =>
    ([0, 1] as const).map((place) => {
      const side = (round + task) % 2 === 0 ? place : place === 0 ? (1 as const) : (0 as const);
      const asked = { day, task, withRule: side === 1, number: round - 1, before: before + 2 * task + place };
      return { taskId: id, weight: 1, side, round, ...context.run(asked) };
    }),
  );
}

/** A rule's life under the peer. @param trueSaving banked saving of a rule that was not admitted, in tokens per run */
export function peerLife(context: World, rules: PeerRules, trueSaving: number): Life {
  const candidate = peerAdmits(context, 0, rules);
  const ofIt = {
    admitted: candidate.admitted,
    candidateTokens: candidate.tokens,
    candidateRuns: candidate.runs,
  };
  let banked = candidate.admitted ? candidate.delta : trueSaving;
  let [strikes, auditTokens] = [0, 0];
  for (let audit = 1; audit <= audits; audit += 1) {
    const found = peerAudits(context, audit, rules, banked);
    auditTokens += found.tokens;
    banked = found.delta;
    strikes = found.below ? strikes + 1 : 0;
    if (found.regression || strikes >= 2) return { ...ofIt, evicted: true, auditTokens, audits: audit };
  }
  return { ...ofIt, evicted: false, auditTokens, audits };
}
