import { sentenceSchema } from "../../base/sentence-schema.ts";
import { mapSentence } from "../../base/language.ts";
import * as z from "zod/mini";
import { succeed, type Result } from "../../base/result.ts";
import { digestEntry } from "./import-lines.ts";
import { maxRuns } from "../book/known.ts";
import { missingOf } from "../needs.ts";
import type { Proposal } from "./propose.ts";
import { analyzeRun, previewOf, pickRun, type RunAnalysis } from "./distil.ts";
import type { AskNeeds } from "../needs-here.ts";
import { readRules, type RulesLedger, type Rules } from "../book/rules-book-rows.ts";
import type { Distilled, Proposed, FindingView } from "../rules-answers.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { withoutSecrets } from "./scrubbed-source.ts";
import { readJson } from "../../base/parse.ts";

/** Id prefix of receipts with a run's findings that cannot lead to rules, before the run's id. */
const prefix = "finding:";
const subject = "finding";

/** Maximum findings in the report, the newest first. */
const maxReported = 10;
const maxKeptRules = 4;

const kept = z.object({
  runId: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  at: z.number(),
  program: z.string(),
  project: z.nullable(z.string()),
  tokens: z.number(),
  usual: z.nullable(z.number()),
  what: z.array(sentenceSchema),
});

export function isFound({ book }: Pick<Rules, "book">, runId: string): boolean {
  return book.receipts.some(({ id }) => id === `${prefix}${runId}`);
}

/**
 * Ledger entry with a run's findings, without secrets.
 * @param at milliseconds since the epoch
 */
export function findingEntry({ run, usual, findings }: RunAnalysis, at: number): LedgerEntry {
  const finding: z.infer<typeof kept> = {
    runId: run.id,
    sessionId: run.sessionId,
    agent: run.agent,
    at: run.endedAt,
    program: run.program,
    project: run.project,
    tokens: run.processingTokens,
    usual,
    what: findings
      .slice(0, maxKeptRules)
      .map(({ what }) => mapSentence(what, (text) => withoutSecrets(text, 400))),
  };
  return {
    kind: "receipt",
    id: `${prefix}${run.id}`,
    subject,
    subjectId: run.agent,
    at,
    verdict: "found",
    json: JSON.stringify(finding),
  };
}

/** Reads the findings of agents for which no rules can be proposed, each with what is missing now. */
export async function findingsOf(
  { book }: Pick<Rules, "book">,
  ledger: Pick<RulesLedger, "ask">,
  needs: AskNeeds,
): Promise<Result<FindingView[]>> {
  const newest = book.receipts
    .filter((receipt) => receipt.subject === subject)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, maxReported);
  const found: FindingView[] = [];
  for (const { id } of newest) {
    const json = await ledger.ask("receipt", id);
    if (!json.ok) return json;
    const read = readJson(kept, json.value);
    if (read !== null) found.push({ ...read, missing: missingOf(await needs(read)) });
  }
  return succeed(found);
}

export interface DistillingPorts {
  readonly ledger: RulesLedger;
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
    await ledger.ask("realRuns", { most: maxRuns, project: null }),
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
