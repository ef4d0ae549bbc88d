import * as z from "zod";
import type { Result } from "../../base/result.ts";
import { succeed } from "../../base/result.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import { missingOf } from "../needs.ts";
import { withoutSecrets } from "./scrubbed-source.ts";
import type { RunAnalysis } from "./distil.ts";
import type { Rules, RulesLedger } from "../book/stored.ts";
import type { AskNeeds } from "../book/needs-here.ts";
import type { FindingView } from "../answers.ts";

/** Id prefix of receipts with a run's findings that cannot lead to rules, before the run's id. */
const prefix = "finding:";
const subject = "finding";

/** Most findings in the report, newest first. */
const mostReported = 10;
const mostKept = 4;

const kept = z.object({
  runId: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  at: z.number(),
  program: z.string(),
  project: z.string().nullable(),
  tokens: z.number(),
  usual: z.number().nullable(),
  what: z.array(z.string()),
});

/** Whether this run's findings are already stored. */
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
    what: findings.slice(0, mostKept).map(({ what }) => withoutSecrets(what, 400)),
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
    .slice(0, mostReported);
  const found: FindingView[] = [];
  for (const { id } of newest) {
    const json = await ledger.ask("receipt", id);
    if (!json.ok) return json;
    const read = kept.safeParse(JSON.parse(json.value ?? "null"));
    if (read.success) found.push({ ...read.data, missing: missingOf(await needs(read.data)) });
  }
  return succeed(found);
}
