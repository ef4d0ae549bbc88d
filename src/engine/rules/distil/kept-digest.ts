import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import { digestLength, digestOf } from "./digest.ts";
import type { RuleSource } from "../rule.ts";
import type { Trajectory } from "./trajectory.ts";

/** What a run did is kept beside receipts, under its run's id and this: coding agents delete their transcripts after some weeks. */
const prefix = "digest:";
const kept = z.object({ digest: z.string().max(2 * digestLength) });

/** What a run did that a rule came of, without secrets. Told twice it changes nothing. @param at milliseconds since the epoch */
export function digestEntry(runId: string, trajectory: Trajectory, at: number): LedgerEntry {
  const told: z.infer<typeof kept> = { digest: digestOf(trajectory) };
  return {
    kind: "receipt",
    id: `${prefix}${runId}`,
    subject: "digest",
    subjectId: runId,
    at,
    verdict: "kept",
    json: JSON.stringify(told),
  };
}

/** The receipt that holds what a rule's run did; null where a rule came of none, or of one of before that was kept. */
export function digestIdOf(source: RuleSource | null): string | null {
  return source?.kind === "run" && source.runId !== undefined ? `${prefix}${source.runId}` : null;
}

/** Null where there is none. @param json of its receipt */
export function readDigest(json: string | null): string | null {
  return json === null ? null : (kept.safeParse(parseJson(json)).data?.digest ?? null);
}
