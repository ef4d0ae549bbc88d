import { isDeepStrictEqual } from "node:util";
import type { Tokens } from "../../agents/scenarios/tokens.ts";
import { sumSent, type CompareCase, type Figures } from "./case.ts";

/** A case with each program's figures. */
export interface CompareRow extends CompareCase {
  readonly purser: Figures;
  /** ccusage's totals by day and by session. */
  readonly daily: Figures;
  readonly session: Figures;
  readonly codeburn: Figures;
}

const same = isDeepStrictEqual;

/** Whether a program shows the truth, in what the case is about. */
function isExact({ sent, usd, projects }: CompareCase, shown: Figures): boolean {
  return (
    same(sent, shown.tokens) &&
    (usd === null || (shown.usd !== null && Math.abs(usd - shown.usd) < 0.005)) &&
    (projects === null || projects === shown.projects)
  );
}

/** Whether ccusage shows the truth, in both of its reports. */
function isPeerRight(row: CompareRow): boolean {
  return isExact(row, row.daily) && isExact(row, row.session);
}

/** Describes what makes the comparison fail: purser counted wrong, or a difference is unexplained, or no longer there. */
export function faultsIn(rows: readonly CompareRow[], limits: readonly CompareRow[]): string[] {
  const ofPeer = (name: "ccusage" | "codeburn", isRight: (row: CompareRow) => boolean) => [
    ...rows
      .filter((row) => !isRight(row) && row.why[name] === null)
      .map((row) => `nobody has said why ${name} differs: ${titleOf(row)}`),
    ...rows
      .filter((row) => isRight(row) && row.why[name] !== null)
      .map((row) => `${name} does not differ any more: ${titleOf(row)}`),
  ];
  const isOwnRight = (row: CompareRow) => isExact(row, row.purser);
  return [
    ...rows
      .filter((row) => !isOwnRight(row))
      .map((row) => `purser does not show what is true: ${titleOf(row)}`),
    ...ofPeer("ccusage", isPeerRight),
    ...ofPeer("codeburn", (row) => isExact(row, row.codeburn)),
    ...limits
      .filter(isOwnRight)
      .map((row) => `purser shows what is true, so it is no limit any more: ${titleOf(row)}`),
  ];
}

/** The versions that were compared. */
export interface Versions {
  readonly ccusage: string;
  readonly codeburn: string;
}

/** A Markdown table. Cases that all programs counted alike share one line per source. */
export function tableOf(rows: readonly CompareRow[], versions: Versions): string {
  const peers = [`ccusage ${versions.ccusage}`, `codeburn ${versions.codeburn}`];
  return markdown([
    ["Truth", "purser", ...peers, "Files", "Case", "Why they differ"],
    ...united(rows).map(cellsOf),
  ]);
}

/** How many cases each program shows exactly, by the origin of their files. */
export function exactnessOf(rows: readonly CompareRow[], versions: Versions): string {
  const programs: [string, (row: CompareRow) => boolean][] = [
    ["purser", (row) => isExact(row, row.purser)],
    [`ccusage ${versions.ccusage}, by day`, (row) => isExact(row, row.daily)],
    [`ccusage ${versions.ccusage}, by session`, (row) => isExact(row, row.session)],
    [`codeburn ${versions.codeburn}`, (row) => isExact(row, row.codeburn)],
  ];
  const line = (title: string, group: readonly CompareRow[]) => [
    title,
    String(group.length),
    ...programs.map(([, isRight]) => `${group.filter(isRight).length} / ${group.length}`),
  ];
  return markdown([
    ["Exact", "Cases", ...programs.map(([name]) => name)],
    ...[...grouped(rows, ({ source }) => source)].map(([source, group]) => line(source, group)),
    line("All", rows),
  ]);
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
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
  const { source, name, sent, usd, projects, purser, daily, session, codeburn, why } = row;
  const shown = (figures: Figures) => (isExact(row, figures) ? "same" : textOf(row, figures));
  const [byDay, bySession] = [shown(daily), shown(session)];
  return [
    textOf(row, { tokens: sent, usd, projects }),
    shown(purser),
    byDay === bySession ? byDay : `by day ${byDay}, by session ${bySession}`,
    shown(codeburn),
    source,
    name,
    Object.entries(why)
      .flatMap(([program, text]) => (text === null ? [] : [`${program}: ${text}`]))
      .join("; "),
  ];
}

function textOf(about: Pick<CompareCase, "usd" | "projects">, { tokens, usd, projects }: Figures): string {
  const price = usd === null ? "no price" : `$${usd.toFixed(2)}`;
  return [
    tokensText(tokens),
    ...(about.usd === null ? [] : [price]),
    ...(about.projects === null ? [] : [`projects: ${projects ?? "not shown"}`]),
  ].join(", ");
}

function tokensText({ input, output, cacheCreation, cacheRead }: Tokens): string {
  return [input, output, cacheCreation, cacheRead].map((count) => count.toLocaleString("en-US")).join(" / ");
}

function titleOf({ source, name }: CompareCase): string {
  return `${source}: ${name}`;
}

function isAlike(row: CompareRow): boolean {
  return isPeerRight(row) && isExact(row, row.purser) && isExact(row, row.codeburn);
}

function united(rows: readonly CompareRow[]): CompareRow[] {
  const groups = grouped(rows, (row) => (isAlike(row) ? row.source : titleOf(row)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || !isAlike(first)) return group;
    const sent = sumSent(group.map((row) => row.sent));
    const name = `${group.length} counted alike`;
    const all = { tokens: sent, usd: null, projects: null };
    return [{ ...first, name, sent, ...all, purser: all, daily: all, session: all, codeburn: all }];
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
