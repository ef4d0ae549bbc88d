import { compose, type Sentence } from "../../base/language.ts";
import { quantile } from "../../sessions/advice.ts";
import { characterScale, tokensOfCharacters } from "../../base/format.ts";
import { findTranscripts, hookMark, hookRunsIn, type HookRun } from "../../transcripts/claude.ts";
import { FileTail } from "../../transcripts/file-tail.ts";
import type { HookProfileJson } from "./profile-schema.ts";

type OtherHooks = HookProfileJson["others"][number];

/** Bytes per read. */
const budget = 8 * 1024 * 1024;
const maxCommandLength = 300;
/** More than anybody installs. */
const maxHooks = 500;

/** Without the ledger, which this command does not need. */
export function tokensOf(chars: number): number {
  return tokensOfCharacters(chars, characterScale([]));
}

interface Sum {
  readonly run: HookRun;
  count: number;
  chars: number;
  readonly durations: number[];
}

/** `since`: milliseconds since the epoch. */
export function profileTranscripts(
  roots: readonly string[],
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): { readonly hooks: OtherHooks[]; readonly problems: readonly Sentence[] } {
  const sums = new Map<string, Sum>();
  const seen = new Set<string>();
  const isOver = () => signal.aborted;
  const { files, problems } = findTranscripts(roots);
  for (const { path, mtimeMs } of files) {
    if (mtimeMs < since || isOver()) continue;
    const tail = new FileTail(path, {
      onRestart: () => undefined,
      onOversized: () => undefined,
      onLine: (line) => {
        const runs = line.includes(hookMark) ? runsIn(line, since, seen) : [];
        for (const run of runs ?? []) add(sums, run);
        return runs !== null;
      },
    });
    while (!isOver() && tail.poll(budget).more);
  }
  const hooks = [...sums.values()].map(figuresOf).toSorted((a, b) => b.count - a.count);
  return { hooks, problems: problems.map(({ path, reason }) => compose`${path}: ${reason}`) };
}

/** Null for a line that is not one row. */
function runsIn(line: Buffer, since: number, seen: Set<string>): HookRun[] | null {
  let row: unknown;
  try {
    row = JSON.parse(line.toString("utf8"));
  } catch {
    return null;
  }
  if (typeof row !== "object" || row === null) return [];
  const id: unknown = Reflect.get(row, "uuid");
  const time: unknown = Reflect.get(row, "timestamp");
  if (typeof time === "string" && Date.parse(time) < since) return [];
  // Forks copy the rows of the session they begin from.
  if (typeof id === "string" && seen.has(id)) return [];
  if (typeof id === "string") seen.add(id);
  return hookRunsIn(row);
}

function add(sums: Map<string, Sum>, run: HookRun): void {
  const key = JSON.stringify([run.event, run.command?.slice(0, maxCommandLength) ?? null]);
  const sum = sums.get(key) ?? { run, count: 0, chars: 0, durations: [] };
  if (!sums.has(key) && sums.size >= maxHooks) return;
  sums.set(key, sum);
  sum.count += run.isCounted ? 1 : 0;
  sum.chars += run.injectedChars;
  if (run.durationMs !== null && run.isCounted) sum.durations.push(run.durationMs);
}

function figuresOf({ run: { event, command }, count, chars, durations }: Sum): OtherHooks {
  const sorted = durations.toSorted((a, b) => a - b);
  const quantileAt = (share: number) => (sorted.length === 0 ? null : quantile(sorted, share));
  return {
    command: command?.slice(0, maxCommandLength) ?? null,
    isOwn: command !== null && isOwn(command),
    event,
    count,
    p50: quantileAt(0.5),
    p95: quantileAt(0.95),
    injectedTokens: tokensOf(chars),
  };
}

function isOwn(command: string): boolean {
  return command.includes("--purser-hook=") || /^http:\/\/127\.0\.0\.1:\d+\/hook\/[\w-]+$/u.test(command);
}
