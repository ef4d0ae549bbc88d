import type { Sentence } from "../base/language.ts";
import path from "node:path";
import type { FolderCount, UseCounts } from "../ledger/questions.ts";
import { estimatedTokens } from "../rules/rent.ts";
import type { LintFinding } from "./lint/found-text.ts";
import { linesOf, sectionsOf } from "./markdown-section.ts";
import { isWithin, instructionFields, type InstructionFile } from "./instruction-file.ts";
import type { WakeRow } from "../ledger/woken.ts";

/** A week of the ledger's usage counts. */
export interface WeekOfUse extends UseCounts {
  /** Characters per token in each of the newest requests. */
  readonly charactersPerToken: readonly number[];
  /** Average cost of a token that entered a context, with its later reads from the cache. USD; null where unknown. */
  readonly usdPerToken: number | null;
  /** Wakes of recurring agents. Undefined if they were not requested. */
  readonly wakes?: readonly SendingWake[];
}

/** The cost of a text each time it enters a context, and how often that happened. All figures are estimated or counted. */
export interface TextRent {
  /** The part of the file; `description`: the text about a skill that every conversation receives. */
  readonly part: "file" | "section" | "description";
  /** First line, from 0. */
  readonly line: number;
  /** A section's heading. */
  readonly title: string | null;
  /** Estimated. */
  readonly tokens: number;
  /** Times in the last week; null where unknown. */
  readonly times: number | null;
  readonly per: "sessions" | "runs" | "uses" | "wakes";
  /** True when it does not enter all of them, so the figures are an upper bound. */
  readonly isAtMost: boolean;
  /** The cost of the last week: estimated. USD; null where unknown. */
  readonly usd: number | null;
  /** Describes how the tokens were estimated. */
  readonly how: Sentence;
}

/** A file with more sections is not written for people. */
const maxSections = 300;

/**
 * Returns the rent of a whole file, and of each section under a heading, its subsections included.
 * @param week null while the ledger cannot answer
 */
export function rentsOf(text: string, file: InstructionFile, week: WeekOfUse | null): TextRent[] {
  const about = instructionFields(text);
  const charactersPerToken = week?.charactersPerToken ?? [];
  const use = useOf(file, about.name ?? file.name, week);
  const rent = (of: Pick<TextRent, "part" | "line" | "title">, words: string): TextRent => {
    const { tokens, how } = estimatedTokens(words, charactersPerToken);
    const usd = costOf(tokens, use.times, week);
    return { ...of, tokens, how, ...use, usd, isAtMost: about.isConditional && file.kind === "rule" };
  };
  const whole = rent({ part: "file", line: 0, title: null }, text);
  const lines = linesOf(text);
  const sections = sectionsOf(text)
    .slice(0, maxSections)
    .map(({ start, end, title }) =>
      rent({ part: "section", line: start, title }, lines.slice(start, end).join("")),
    );
  if (file.kind !== "skill" || about.description === null) return [whole, ...sections];
  const words = `- ${about.name ?? file.name}: ${about.description}`;
  const description = rent({ part: "description", line: 0, title: null }, words);
  const sessions = useOf({ ...file, kind: "instructions" }, "", week);
  const usd = costOf(description.tokens, sessions.times, week);
  return [{ ...description, ...sessions, usd }, whole, ...sections];
}

/** USD; null where unknown. */
function costOf(tokens: number, times: number | null, week: WeekOfUse | null): number | null {
  const each = week?.usdPerToken ?? null;
  return times === null || each === null ? null : tokens * times * each;
}

/** How often a file entered contexts. */
export type FileUse = Pick<TextRent, "times" | "per">;

/** Counts how often a file entered a context in the last week. @param week null while the ledger cannot answer */
export function useOfFile(text: string, file: InstructionFile, week: WeekOfUse | null): FileUse {
  return useOf(file, instructionFields(text).name ?? file.name, week);
}

/**
 * Counts how often a part of a file entered a context. Each wake sends the prompt of wakes; a new session
 * also sends all of a recurring agent's file.
 */
export function useOfFinding(
  finding: Pick<LintFinding, "prompt">,
  text: string,
  file: InstructionFile,
  week: WeekOfUse | null,
): FileUse {
  const use = useOfFile(text, file, week);
  const wakes = file.kind === "recurring" ? week?.wakes : undefined;
  return wakes === undefined ? use : { ...use, times: wakesThatSend(finding, file, wakes) };
}

/** Counts how often it entered a context: instructions per session, an agent's file per run, a skill's per use. */
function useOf(file: InstructionFile, name: string, week: WeekOfUse | null): FileUse {
  const { kind, folder, programs } = file;
  const count = (counts: readonly FolderCount[] | undefined, names: readonly string[]) =>
    counts
      ?.filter((each) => names.includes(each.name) && isHere(each.cwd, folder))
      .reduce((sum, each) => sum + each.count, 0) ?? null;
  switch (kind) {
    case "instructions":
    case "rule":
      return { per: "sessions", times: count(week?.sessions, programs) };
    case "agent":
      return { per: "runs", times: count(week?.subagents, [name]) };
    case "recurring":
      return {
        per: "wakes",
        times: week?.wakes === undefined ? null : wakesThatSend({}, file, week.wakes),
      };
    case "skill":
      return { per: "uses", times: count(week?.skills, [name]) };
  }
}

function isHere(cwd: string | null, folder: string | null): boolean {
  if (folder === null) return true;
  return cwd !== null && path.isAbsolute(cwd) && isWithin(cwd, folder);
}

/** A wake, with the fields that show what it sent. */
type SendingWake = Pick<WakeRow, "agent" | "project" | "reason" | "outcome">;

/**
 * Counts the wakes that sent a part of a recurring agent's file. Each sends the prompt of a wake; those with
 * a new session also send the rest.
 * @param wakes of any agents, within the counted time
 */
export function wakesThatSend(
  { prompt }: Pick<LintFinding, "prompt">,
  { name, folder }: Pick<InstructionFile, "name" | "folder">,
  wakes: readonly SendingWake[],
): number {
  return wakes.filter(
    ({ agent, project, reason, outcome }) =>
      agent === name &&
      project === folder &&
      outcome !== "environment" &&
      (prompt === "wake" || reason !== "reused"),
  ).length;
}
