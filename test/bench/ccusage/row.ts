import { isDeepStrictEqual } from "node:util";
import type { Tokens } from "../../agents/scenarios/tokens.ts";
import { sumSent, type CompareCase } from "./case.ts";

/** A case with each program's count. */
export interface CompareRow extends CompareCase {
  readonly purser: Tokens;
  /** ccusage's totals by day and by session. */
  readonly daily: Tokens;
  readonly session: Tokens;
}

const same = isDeepStrictEqual;

/** Whether ccusage counted what was sent, in both of its reports. */
export function isPeerRight({ sent, daily, session }: CompareRow): boolean {
  return same(sent, daily) && same(sent, session);
}

/** Describes what makes the comparison fail: purser counted wrong, or a difference is unexplained, or no longer there. */
export function faultsIn(rows: readonly CompareRow[], limits: readonly CompareRow[]): string[] {
  const wrong = rows.filter(({ sent, purser }) => !same(sent, purser));
  const unexplained = rows.filter((row) => !isPeerRight(row) && row.why === null);
  const outdated = rows.filter((row) => isPeerRight(row) && row.why !== null);
  const overcome = limits.filter(({ sent, purser }) => same(sent, purser));
  return [
    ...wrong.map((row) => `purser does not count what was sent: ${titleOf(row)}`),
    ...unexplained.map((row) => `nobody has said why ccusage differs: ${titleOf(row)}`),
    ...outdated.map((row) => `ccusage does not differ any more: ${titleOf(row)}`),
    ...overcome.map((row) => `purser counts what was sent, so it is no limit any more: ${titleOf(row)}`),
  ];
}

/** A Markdown table. Cases that all programs counted alike share one line per source. */
export function tableOf(rows: readonly CompareRow[], version: string): string {
  const head = ["Files", "Case", "Sent", "purser", `ccusage ${version}`, "Why"];
  const lines = [head, head.map(() => "---"), ...united(rows).map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** Lists, by name, the cases that share a line in the table. */
export function listOfAlike(rows: readonly CompareRow[]): string {
  const groups = grouped(rows.filter(isAlike), ({ source }) => source);
  return [...groups]
    .map(([source, group]) => `- ${source}: ${group.map(({ name }) => name).join("; ")}.\n`)
    .join("");
}

function cellsOf(row: CompareRow): string[] {
  const { source, name, sent, purser, why } = row;
  return [source, name, textOf(sent), same(sent, purser) ? "same" : textOf(purser), peerText(row), why ?? ""];
}

function peerText(row: CompareRow): string {
  const { sent, daily, session } = row;
  if (isPeerRight(row)) return "same";
  const reported = (tokens: Tokens) => (same(sent, tokens) ? "same" : textOf(tokens));
  return same(daily, session) ? textOf(daily) : `by day ${reported(daily)}, by session ${reported(session)}`;
}

function textOf({ input, output, cacheCreation, cacheRead }: Tokens): string {
  return [input, output, cacheCreation, cacheRead].map((count) => count.toLocaleString("en-US")).join(" / ");
}

function titleOf({ source, name }: CompareCase): string {
  return `${source}: ${name}`;
}

function isAlike(row: CompareRow): boolean {
  return isPeerRight(row) && same(row.sent, row.purser);
}

function united(rows: readonly CompareRow[]): CompareRow[] {
  const groups = grouped(rows, (row) => (isAlike(row) ? row.source : titleOf(row)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || !isAlike(first)) return group;
    const sent = sumSent(group.map((row) => row.sent));
    const name = `${group.length} counted alike`;
    return [{ ...first, name, sent, purser: sent, daily: sent, session: sent }];
  });
}

function grouped(
  rows: readonly CompareRow[],
  keyOf: (row: CompareRow) => string,
): ReadonlyMap<string, CompareRow[]> {
  const groups = new Map<string, CompareRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
