import { succeed, type Result } from "../../base/result.ts";
import { digestEntry } from "./kept-digest.ts";
import { mostRuns } from "../book/most-runs.ts";
import { missingOf } from "../needs.ts";
import type { Proposal } from "../propose.ts";
import { analyzeRun, previewOf, pickRun } from "./distil.ts";
import { findingEntry, isFound } from "./kept-findings.ts";
import type { AskNeeds } from "../book/needs-here.ts";
import { readRules, type RulesLedger } from "../book/stored.ts";
import type { Distilled, Proposed } from "../answers.ts";

export interface DistillingPorts {
  readonly ledger: RulesLedger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly needs: AskNeeds;
  readonly propose: (proposals: readonly Proposal[]) => Promise<Result<{ proposed: Proposed[] }>>;
}

/**
 * Analyzes a run and proposes rules, or stores its findings where something is missing for that; a preview does neither.
 * @param sessionId a session's ID or the start of it; null for the last costly run
 */
export async function distilRun(
  { sessionId, isPreview }: { readonly sessionId: string | null; readonly isPreview: boolean },
  { ledger, now, needs, propose }: DistillingPorts,
): Promise<Result<Distilled>> {
  const [runs, positions, known] = [
    await ledger.ask("realRuns", { most: mostRuns, project: null }),
    await ledger.ask("positions", null),
    await readRules(ledger),
  ];
  if (!runs.ok) return runs;
  if (!positions.ok) return positions;
  if (!known.ok) return known;
  const picked = pickRun(runs.value, sessionId);
  if (!picked.ok) return picked;
  const chosen = picked.value;
  if (chosen === null) return succeed({ run: null, findings: [], missing: [], proposed: [], preview: null });
  const analysis = await analyzeRun(chosen, positions.value);
  if (!analysis.ok) return analysis;
  const { run, usual, transcript, findings, proposals, trajectory } = analysis.value;
  const missing = await needs(run);
  const isProposed = !isPreview && missing.length === 0;
  // Stored before anything is proposed: later proposals, such as a model's, may refer to it too.
  const digest = isProposed ? await ledger.append([digestEntry(run.id, trajectory, now())]) : succeed(null);
  if (!digest.ok) return digest;
  const made = isProposed ? await propose(proposals) : succeed({ proposed: [] });
  if (!made.ok) return made;
  const isKept = missing.length > 0 && findings.length > 0 && !isFound(known.value, run.id);
  const appended =
    isKept && !isPreview ? await ledger.append([findingEntry(analysis.value, now())]) : succeed(null);
  if (!appended.ok) return appended;
  return succeed({
    run: {
      id: run.id,
      sessionId: run.sessionId,
      transcript,
      agent: run.agent,
      tokens: run.processingTokens,
      usual,
    },
    findings: findings.map(({ kind, what, turns, advice }) => ({ kind, what, turns: [...turns], advice })),
    missing: missingOf(missing),
    proposed: made.value.proposed,
    preview: isPreview ? previewOf(analysis.value, known.value) : null,
  });
}
