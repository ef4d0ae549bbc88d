import { succeed, type Result } from "../base/result.ts";
import type { Proposal } from "../rules/propose.ts";
import { lookAt, previewOf, runToLookAt } from "./rules-distil.ts";
import { readRules, type RulesLedger } from "./rules-ledger.ts";
import type { Distilled, Proposed } from "./rules-view.ts";

/** Runs of an agent that are looked at. */
export const mostRuns = 200;

export interface DistillingPorts {
  readonly ledger: RulesLedger;
  readonly propose: (proposals: readonly Proposal[]) => Promise<Result<{ proposed: Proposed[] }>>;
}

/** Looks at a run, and proposes what it shows; a preview proposes nothing. @param sessionId null for the last costly run */
export async function distilRun(
  { sessionId, isPreview }: { readonly sessionId: string | null; readonly isPreview: boolean },
  { ledger, propose }: DistillingPorts,
): Promise<Result<Distilled>> {
  const [runs, positions, known] = [
    await ledger.realRuns(mostRuns),
    await ledger.positions(),
    await readRules(ledger),
  ];
  if (!runs.ok) return runs;
  if (!positions.ok) return positions;
  if (!known.ok) return known;
  const chosen = runToLookAt(runs.value, sessionId);
  if (chosen === null) return succeed({ run: null, findings: [], proposed: [], preview: null });
  const looked = await lookAt(chosen, positions.value);
  if (!looked.ok) return looked;
  const { run, usual, transcript, findings, proposals } = looked.value;
  const made = isPreview ? succeed({ proposed: [] }) : await propose(proposals);
  if (!made.ok) return made;
  return succeed({
    run: { sessionId: run.sessionId, transcript, agent: run.agent, tokens: run.processingTokens, usual },
    findings: findings.map(({ kind, what, turns, advice }) => ({ kind, what, turns: [...turns], advice })),
    proposed: made.value.proposed,
    preview: isPreview ? previewOf(looked.value, known.value) : null,
  });
}
