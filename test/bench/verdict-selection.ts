import { runExperiment } from "../../src/engine/verdict/experiment.ts";
import { poolEvidence, type Evidence } from "../../src/engine/verdict/statistics/pool.ts";
import { admit, retain } from "../../src/engine/verdict/retention.ts";
import { usualQuestion } from "../../src/engine/verdict/usual-question.ts";
import type { Question, RunSample, Verdict } from "../../src/engine/verdict/verdict.ts";
import { peerAdmits, peerAudits, type PeerRules } from "./verdict-peer.ts";
import type { World } from "./verdict-world.ts";

/** What one procedure did with one rule: measured once as a candidate, and then, whatever came of that, audited as an active one. */
export interface Life {
  readonly admitted: boolean;
  /** It left before, or at, the last re-audit. */
  readonly evicted: boolean;
  /** Processing tokens. */
  readonly candidateTokens: number;
  readonly auditTokens: number;
  /** Re-audits made: fewer than planned where it left. */
  readonly audits: number;
  /** Runs of the candidate's measurement. */
  readonly candidateRuns: number;
}

/** Re-audits of an active rule, one a day after its first. */
export const audits = 12;
const key = { ruleId: "rule", suiteHash: "suite", model: "model", driver: "claude" };

/** As purser does it: the engine's own experiment, pooling and consequences. @param bar tokens a run must save */
export async function purserLife(world: World, bar: number): Promise<Life> {
  const kept: Evidence[] = [];
  const candidate = await measure(world, usualQuestion("candidate", bar, null), kept, 0);
  let strikes = 0;
  let auditTokens = 0;
  for (let audit = 1; audit <= audits; audit += 1) {
    const { verdict, tokens } = await measure(world, usualQuestion("re-audit", bar, null), kept, audit);
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

interface Measured {
  readonly verdict: Verdict;
  readonly tokens: number;
  readonly runs: number;
}

/** One experiment on one day, with all that was measured before. */
async function measure(world: World, question: Question, kept: Evidence[], day: number): Promise<Measured> {
  let runs = 0;
  const round = (number: number) => {
    const samples = oneRound(world, { day, round: number, before: runs });
    runs += samples.length;
    return Promise.resolve({ kind: "made" as const, samples });
  };
  const outcome = await runExperiment(
    { question, pooled: poolEvidence(kept, key), stored: [], expectedTokens: null },
    { round, onProgress: () => undefined },
    new AbortController().signal,
  );
  kept.push({ ...key, id: `day-${day}`, at: day, samples: outcome.samples });
  return { verdict: outcome.verdict, tokens: outcome.tokensSpent, runs };
}

/** Each task once a side, one beside the other, the first of them in turns. */
export function oneRound(
  world: World,
  { day, round, before }: { day: number; round: number; before: number },
): RunSample[] {
  return world.tasks.flatMap(({ id }, task) =>
    ([0, 1] as const).map((place) => {
      const side = (round + task) % 2 === 0 ? place : place === 0 ? (1 as const) : (0 as const);
      const asked = { day, task, withRule: side === 1, number: round - 1, before: before + 2 * task + place };
      return { taskId: id, weight: 1, side, round, ...world.run(asked) };
    }),
  );
}

/** As its peer does it. @param trueSaving what the rule is banked with where it was not admitted: tokens a run */
export function peerLife(world: World, rules: PeerRules, trueSaving: number): Life {
  const candidate = peerAdmits(world, 0, rules);
  const ofIt = {
    admitted: candidate.admitted,
    candidateTokens: candidate.tokens,
    candidateRuns: candidate.runs,
  };
  let banked = candidate.admitted ? candidate.delta : trueSaving;
  let [strikes, auditTokens] = [0, 0];
  for (let audit = 1; audit <= audits; audit += 1) {
    const found = peerAudits(world, audit, rules, banked);
    auditTokens += found.tokens;
    banked = found.delta;
    strikes = found.below ? strikes + 1 : 0;
    if (found.regression || strikes >= 2) return { ...ofIt, evicted: true, auditTokens, audits: audit };
  }
  return { ...ofIt, evicted: false, auditTokens, audits };
}
