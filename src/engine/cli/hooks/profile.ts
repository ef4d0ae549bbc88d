import { type Sentence, t, compose } from "../../base/language.ts";
import { parseJson } from "../../base/parse.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { dash, characterScale, tokensOfCharacters } from "../../base/format.ts";
import { decimalNumber, estimatedNumber, wholeNumber } from "../../base/local-format.ts";
import {
  claudeRoots,
  findTranscripts,
  hookMark,
  hookRunsIn,
  type HookRun,
} from "../../transcripts/claude.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { startIn } from "../day-argument.ts";
import type { HookProfileJson } from "./hooks-schema.ts";
import { startTimes } from "./start-times.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";
import { asLine } from "../terminal-text.ts";
import { quantile } from "../../sessions/advice.ts";
import { FileTail } from "../../transcripts/file-tail.ts";

const usualDays = "7d";
const maxShownCommand = 60;

export async function profileHooks(options: ParsedOptions, host: CliHost): Promise<number> {
  const since = startIn(options, usualDays, host.now());
  const own = await ownHooks(since, host);
  const starts = own.rows.length === 0 ? new Map<string, number>() : await startTimes(host);
  const { hooks, problems } = profileTranscripts(claudeRoots(host), { since, signal: host.signal });
  const profile: HookProfileJson = {
    schema: 1,
    since: new Date(since).toISOString(),
    own: own.rows.map((row) => ({ ...row, start: starts.get(row.event) ?? null })),
    others: hooks,
    problems: [...own.problems, ...problems],
  };
  host.stdout.write(options.has("json") ? `${printedJson(profile, 2)}\n` : profileText(profile, host));
  if (!options.has("json")) for (const problem of profile.problems) host.stderr.write(`${asLine(problem)}\n`);
  return 0;
}

async function ownHooks(
  since: number,
  host: CliHost,
): Promise<{ rows: Omit<HookProfileJson["own"][number], "start">[]; problems: readonly Sentence[] }> {
  const read = await readLedger(host, (ledger) => ledger.ask("hookProfile", since));
  if (!read.ok) return { rows: [], problems: [read.detail] };
  const rows = read.value ?? [];
  return {
    rows: rows.map(({ injectedChars, ...row }) => ({ ...row, injectedTokens: tokensOf(injectedChars) })),
    problems: [],
  };
}

const figureColumns: readonly Column[] = [
  ...figures(t("Hooks"), t("p50 ms"), t("p95 ms"), t("Tokens, about")),
];

function profileText({ own, others }: HookProfileJson, host: CliHost): string {
  const style = styleFor(host);
  const parts = [
    own.length === 0
      ? `${t("The ledger has no calls of purser's hooks.")}\n`
      : alignColumns(
          [
            { title: t("Purser's") },
            ...figures(t("Hooks"), t("Start ms"), t("p50 ms"), t("p95 ms"), t("Tokens, about")),
          ],
          own.map((row) => [cleanText(row.event), ...withStart(row)]),
          style,
        ),
    others.length === 0
      ? `${t("No transcript of this time mentions hooks.")}\n`
      : alignColumns(
          [
            { title: t("In transcripts") },
            { title: t("Command"), maxWidth: maxShownCommand, fit: "middle" },
            ...figureColumns,
          ],
          others.map((row) => [
            cleanText(row.event),
            row.isOwn ? "purser" : cleanText(row.command ?? t("unknown")),
            ...cellsOf(row),
          ]),
          style,
        ),
  ];
  const startNote = t(
    "Start: from the hook's start to the answer, measured now with test calls. p50 and p95 include it. It is ? without a service.",
  );
  const note = t(
    "Transcripts mention only hooks that said something, and all hooks at the end of a turn; for posted hooks they have no times.",
  );
  if (own.length > 0) parts[0] = `${parts[0] ?? ""}${startNote}\n`;
  return `${parts.join("\n")}${others.length === 0 ? "" : `${note}\n`}`;
}

/** The ledger has the service's part of each time. */
function withStart({ start, p50, p95, ...row }: HookProfileJson["own"][number]): string[] {
  const whole = (part: number | null) => (part === null ? null : part + (start ?? 0));
  const [count = "", ...rest] = cellsOf({ ...row, p50: whole(p50), p95: whole(p95) });
  return [count, time(start), ...rest];
}

function cellsOf({
  count,
  p50,
  p95,
  injectedTokens,
}: Omit<HookProfileJson["own"][number], "start">): string[] {
  return [
    wholeNumber(count),
    time(p50),
    time(p95),
    injectedTokens === 0 ? dash : `~${estimatedNumber(injectedTokens)}`,
  ];
}

function time(milliseconds: number | null): string {
  if (milliseconds === null) return "?";
  return milliseconds < 10 ? decimalNumber(milliseconds, 1) : wholeNumber(Math.round(milliseconds));
}

type OtherHooks = HookProfileJson["others"][number];

/** Bytes per read. */
const budget = 8 * 1024 * 1024;
const maxKeptCommand = 300;
/** More than anybody installs. */
const maxHooks = 500;

/** Without the ledger, which this command does not need. */
function tokensOf(chars: number): number {
  return tokensOfCharacters(chars, characterScale([]));
}

interface Sum {
  readonly run: HookRun;
  count: number;
  chars: number;
  readonly durations: number[];
}

/** `since`: milliseconds since the epoch. */
function profileTranscripts(
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
  const row = parseJson(line.toString("utf8"));
  if (row === undefined) return null;
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
  const key = JSON.stringify([run.event, run.command?.slice(0, maxKeptCommand) ?? null]);
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
    command: command?.slice(0, maxKeptCommand) ?? null,
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
