import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import { digestLength, digestOf } from "./digest.ts";
import type { RuleSource } from "../rule.ts";
import type { Trajectory } from "./trajectory.ts";

/** Id prefix of receipts with a run's digest, before the run's id: agents delete their transcripts after some weeks. */
const prefix = "digest:";
const kept = z.object({ digest: z.string().max(2 * digestLength) });

/**
 * Ledger entry with the digest of a run behind a rule, without secrets. Appending it twice changes nothing.
 * @param at milliseconds since the epoch
 */
export function digestEntry(runId: string, trajectory: Trajectory, at: number): LedgerEntry {
  const content: z.infer<typeof kept> = { digest: digestOf(trajectory) };
  return {
    kind: "receipt",
    id: `${prefix}${runId}`,
    subject: "digest",
    subjectId: runId,
    at,
    verdict: "kept",
    json: JSON.stringify(content),
  };
}

/** Id of the receipt with the digest of a rule's run; null where a rule has no run, or is older than digests. */
export function digestIdOf(source: RuleSource | null): string | null {
  return source?.kind === "run" && source.runId !== undefined ? `${prefix}${source.runId}` : null;
}

/**
 * Returns null where there is none.
 * @param json the receipt's JSON
 */
export function readDigest(json: string | null): string | null {
  return json === null ? null : (kept.safeParse(parseJson(json)).data?.digest ?? null);
}
