import path from "node:path";
import type { FolderCount, UseCounts } from "../ledger/questions/use-counts.ts";
import { estimatedTokens } from "../rules/rent.ts";
import { linesOf, sectionsOf } from "./markdown-section.ts";
import { isWithin, standingFields, type StandingFile } from "./standing-file.ts";

/** What the ledger knows of a week. */
export interface WeekOfUse extends UseCounts {
  /** Characters of one token, in each of the newest requests. */
  readonly charactersPerToken: readonly number[];
}

/** What a text costs each time it is put into a context, and how often that was. Everything here is estimated or counted. */
export interface TextRent {
  /** Of what it is; `description`: what every conversation is told of a skill. */
  readonly part: "file" | "section" | "description";
  /** The line it begins at, from 0. */
  readonly line: number;
  /** A section's heading. */
  readonly title: string | null;
  /** Estimated. */
  readonly tokens: number;
  /** In the last week; null where nobody knows. */
  readonly times: number | null;
  readonly per: "sessions" | "runs" | "uses";
  /** It is not put into all of them. */
  readonly isAtMost: boolean;
  /** How the tokens were estimated, in words. */
  readonly how: string;
}

/** A file with more is not for people to read. */
const mostSections = 300;

/**
 * The rent of a whole file, and of each section under a heading, with the sections in it.
 * @param week null while nobody can be asked
 */
export function rentsOf(text: string, file: StandingFile, week: WeekOfUse | null): TextRent[] {
  const about = standingFields(text);
  const charactersPerToken = week?.charactersPerToken ?? [];
  const use = useOf(file, about.name ?? file.name, week);
  const rent = (of: Pick<TextRent, "part" | "line" | "title">, words: string): TextRent => ({
    ...of,
    ...estimatedTokens(words, charactersPerToken),
    ...use,
    isAtMost: about.isConditional && file.kind === "rule",
  });
  const whole = rent({ part: "file", line: 0, title: null }, text);
  const lines = linesOf(text);
  const sections = sectionsOf(text)
    .slice(0, mostSections)
    .map(({ start, end, title }) =>
      rent({ part: "section", line: start, title }, lines.slice(start, end).join("")),
    );
  if (file.kind !== "skill" || about.description === null) return [whole, ...sections];
  const words = `- ${about.name ?? file.name}: ${about.description}`;
  const told = rent({ part: "description", line: 0, title: null }, words);
  const sessions = useOf({ ...file, kind: "instructions" }, "", week);
  return [{ ...told, ...sessions }, whole, ...sections];
}

/** How often it was put into a context: instructions by every session, an agent's by its runs, a skill's by its uses. */
function useOf(
  { kind, folder, programs }: StandingFile,
  name: string,
  week: WeekOfUse | null,
): Pick<TextRent, "times" | "per"> {
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
    case "skill":
      return { per: "uses", times: count(week?.skills, [name]) };
  }
}

function isHere(cwd: string | null, folder: string | null): boolean {
  if (folder === null) return true;
  return cwd !== null && path.isAbsolute(cwd) && isWithin(cwd, folder);
}
