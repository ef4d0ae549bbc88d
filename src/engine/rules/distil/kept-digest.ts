import * as z from "zod/mini";
import { parseJson } from "../../base/parse-json.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import type { RuleSource } from "../rule.ts";
import type { Trajectory, Action } from "./trajectory.ts";
import { cleanText } from "../../base/text/text.ts";
import { wholeNumber } from "../../base/text/format.ts";
import { scrub } from "../../base/text/scrub.ts";

/** Maximum length of a digest. Characters. */
export const digestLength = 8000;
/** Share of a long run's digest for its beginning; the rest is for its end, which shows the outcome. */
const headShare = 0.4;

/** Summarizes a run, one action per line, without secrets and without the content of files and tool output. */
export function digestOf({ actions }: Trajectory): string {
  const lines = actions.map(lineOf);
  const whole = lines.join("\n");
  if (whole.length <= digestLength) return whole;
  const note = (left: number) => `… ${wholeNumber(left)} actions left out …`;
  const room = digestLength - note(lines.length).length - 2;
  const head = taken(lines, room * headShare);
  const tail = taken(lines.slice(head.length).reverse(), room - head.join("\n").length).reverse();
  return [...head, note(lines.length - head.length - tail.length), ...tail].join("\n");
}

function lineOf({ line, tool, target, result }: Action): string {
  const came =
    result === null
      ? "no result"
      : `${wholeNumber(result.chars)} characters${result.isError ? ", an error" : ""}`;
  return `${line} ${tool} ${cleanText(scrub(target))} -> ${came}`;
}

function taken(lines: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    if ((used += line.length + 1) > room) break;
    kept.push(line);
  }
  return kept;
}

/** Id prefix of receipts with a run's digest, before the run's id: agents delete their transcripts after some weeks. */
const prefix = "digest:";
const kept = z.object({ digest: z.string().check(z.maxLength(2 * digestLength)) });

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
 * Returns null if there is none.
 * @param json the receipt's JSON
 */
export function readDigest(json: string | null): string | null {
  return json === null ? null : (kept.safeParse(parseJson(json)).data?.digest ?? null);
}
