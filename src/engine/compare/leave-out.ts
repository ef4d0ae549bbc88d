import path from "node:path";
import { sentence } from "../base/language.ts";
import { fail, succeed, type Result, errorCode } from "../base/result.ts";
import { type OverlayFile, readServers, serversIn } from "../bench/configuration.ts";
import type { Change } from "./compare-change.ts";
import {
  type InstructionFile,
  instructionFields,
  sectionsOf,
  textOfLines,
  withoutLines,
  withoutSection,
} from "../instructions/instruction-file.ts";
import { getLocation } from "jsonc-parser";
import { mean } from "../base/numbers.ts";
import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import type { EvolveFacts, MeasuredWaste } from "./evolve.ts";
import { readdir, readFile } from "node:fs/promises";

export interface Ablation {
  readonly change: Change;
  /** Files that both sides have. */
  readonly shared: readonly OverlayFile[];
  /** Null for any agent. */
  readonly agent: string | null;
}

/** Lines, counted from 0; `end` is the line after the last. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * - `elsewhere`: the file is in no project, and not in the agent's own folder;
 * - `whole_agent`: an agent without its definition cannot be measured;
 * - `no_heading`: of an agent's definition, only a section with a heading of its own can be left out;
 * - `nothing`: the span is empty.
 */
export type LeaveOutFault = "elsewhere" | "whole_agent" | "no_heading" | "nothing";

/** A null span is the whole file. */
export function leaveOut(
  text: string,
  { kind, name, path: filePath }: InstructionFile,
  span: LineSpan | null,
): Result<Ablation, LeaveOutFault> {
  if (filePath === null) return fail("elsewhere", sentence("{0} is in no project", name));
  const isAgent = kind === "agent";
  if (span === null && isAgent)
    return fail("whole_agent", sentence("an agent can't be measured without its definition"));
  if (span !== null && textOfLines(text, span.start, span.end).trim() === "")
    return fail("nothing", sentence("there is nothing"));
  const agent = isAgent ? (instructionFields(text).name ?? name) : null;
  const heading = span === null ? null : headingOf(text, span);
  if (span === null || heading !== null) {
    const file = isAgent ? ({ is: "definition" } as const) : ({ is: "file", path: filePath } as const);
    return succeed({ change: { kind: "without", file, text, heading }, shared: [], agent });
  }
  if (isAgent)
    return fail(
      "no_heading",
      sentence("of an agent only what is under a heading of its own name can be left out"),
    );
  const rest = [{ path: filePath, text: withoutLines(text, span.start, span.end) }];
  const file = path.posix.basename(filePath);
  const less =
    span.end - span.start === 1
      ? sentence("{0} less line {1}", file, span.end)
      : sentence("{0} less lines {1}-{2}", file, span.start + 1, span.end);
  const change = { kind: "setting", name: less, files: rest } as const;
  return succeed({ change, shared: [{ path: filePath, text }], agent });
}

/** Longer headings are not used as names. Characters. */
const maxHeadingLength = 200;

/** Null unless a section has exactly these lines. */
function headingOf(text: string, { start, end }: LineSpan): string | null {
  const section = sectionsOf(text).find((each) => each.start === start && each.end === end);
  if (section === undefined || section.title === "" || section.title.length > maxHeadingLength) return null;
  return withoutSection(text, section.title).ok ? section.title : null;
}

const fence = /^ {0,3}(?:`{3,}|~{3,})/u;
const blank = /^\s*$/u;

/**
 * The paragraph as a person sees it: on a heading, its whole section; else the lines between blank ones; in code or on a blank line, the surrounding
 * section. Null if there is none, as in frontmatter.
 */
export function paragraphAt(text: string, line: number): LineSpan | null {
  const lines = text.split(/\r\n|\r|\n/u);
  const sections = sectionsOf(text);
  const around = sections.findLast(({ start, end }) => start <= line && line < end);
  const section = around === undefined ? null : { start: around.start, end: around.end };
  if (section?.start === line) return section;
  const first = frontmatterEnd(lines);
  if (line < first || line >= lines.length) return null;
  if (blank.test(lines[line] ?? "")) return section;
  const isEdge = (index: number) =>
    index < first || blank.test(lines[index] ?? "") || sections.some(({ start }) => start === index);
  let start = line;
  while (!isEdge(start - 1)) start -= 1;
  let end = line + 1;
  while (end < lines.length && !isEdge(end)) end += 1;
  const fences = (from: number, to: number) =>
    lines.slice(from, to).filter((each) => fence.test(each)).length;
  // Half of a code block would change the meaning of everything after it.
  if (fences(first, start) % 2 === 1 || fences(start, end) % 2 === 1) return section;
  return { start, end };
}

/** 0 without one. */
function frontmatterEnd(lines: readonly string[]): number {
  if (!/^\uFEFF?---[ \t]*$/u.test(lines[0] ?? "")) return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/u.test(line));
  return end === -1 ? lines.length : end + 1;
}

/** Finds tokens that a rewritten prompt could avoid, in the runs of one agent. */
export function measuredWaste(
  runs: readonly BenchRun[],
): Pick<EvolveFacts, "tokensPerRun"> & { readonly waste: MeasuredWaste[] } {
  const seen = runs.filter(isEvidence);
  const passed = seen.filter(({ outcome }) => outcome === "passed");
  const sum = (value: (run: BenchRun) => number) => seen.reduce((all, run) => all + value(run), 0);
  const of = `in ${seen.length} runs`;
  const found: MeasuredWaste[] = [
    {
      what: `Files that were read again after they had been read, ${of}`,
      times: sum((run) => run.filesReread),
    },
    { what: `Runs that ended without the work being done, ${of}`, times: count(seen, "failed") },
    { what: `Runs that were ended at a limit of time, turns or tokens, ${of}`, times: count(seen, "limit") },
  ];
  return {
    tokensPerRun: passed.length === 0 ? null : mean(passed.map((run) => run.processingTokens)),
    waste: found.filter(({ times }) => times > 0),
  };
}

function count(runs: readonly BenchRun[], outcome: BenchRun["outcome"]): number {
  return runs.filter((run) => run.outcome === outcome).length;
}

export function serverAt(text: string, offset: number): string | null {
  const [root, name] = getLocation(text, offset).path;
  return root === "mcpServers" && typeof name === "string" && serversIn(text).includes(name) ? name : null;
}

export function withoutServer(text: string, name: string): Result<Ablation, "no_server"> {
  const read = readServers(text);
  if (read === null || !Object.hasOwn(read.mcpServers, name))
    return fail("no_server", sentence("it has no MCP server {0}", JSON.stringify(name)));
  const rest = Object.fromEntries(Object.entries(read.mcpServers).filter(([each]) => each !== name));
  const files = [{ path: ".mcp.json", text: JSON.stringify({ ...read, mcpServers: rest }, null, 2) }];
  return succeed({
    agent: null,
    change: { kind: "setting", name: sentence("all MCP servers but {0}", name), files },
    shared: [{ path: ".mcp.json", text }],
  });
}

const maxFiles = 200;

/** At `.claude/skills/<the folder's name>` of a project. Does not follow links. */
export async function filesOfSkill(folder: string): Promise<Result<OverlayFile[], "bad_argument">> {
  const name = path.basename(folder);
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const below = (file: string) => path.relative(folder, file).split(path.sep).join("/");
    if (!files.some((file) => below(file) === "SKILL.md"))
      return fail("bad_argument", sentence("{0} is no skill: it has no SKILL.md", folder));
    if (files.length > maxFiles)
      return fail(
        "bad_argument",
        sentence("{0} has {1} files; a skill has at most {2}", folder, files.length, maxFiles),
      );
    const read = files.sort().map(async (file) => ({
      path: `.claude/skills/${name}/${below(file)}`,
      text: await readFile(file, "utf8"),
    }));
    return succeed(await Promise.all(read));
  } catch (error) {
    return fail("bad_argument", sentence("{0} cannot be read ({1})", folder, errorCode(error)));
  }
}

/** Without its SKILL.md. `target` is that file's path in a project, with `/`. */
export async function filesBesideSkill(
  folder: string,
  target: string,
): Promise<Result<OverlayFile[], "bad_argument">> {
  const files = await filesOfSkill(folder);
  if (!files.ok) return files;
  const usual = `.claude/skills/${path.basename(folder)}`;
  return succeed(
    files.value
      .filter((each) => each.path !== `${usual}/SKILL.md`)
      .map((each) => ({ ...each, path: `${path.posix.dirname(target)}${each.path.slice(usual.length)}` })),
  );
}
