import path from "node:path";
import { isWithin, standingFields, type StandingFile } from "../standing-file.ts";
import { importsIn } from "./inlined-files.ts";
import type { LintFinding } from "./found-text.ts";
import { headPrompts, inFile, longPrompts } from "./head-prompts.ts";
import { lintInstructions } from "./whole-text.ts";
import type { OtherInstructions } from "./repeated.ts";
import { english } from "../../base/text/english.ts";

/** An instruction file with its text. */
export interface InstructionText extends StandingFile {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

export interface LintPorts {
  /** Reads a small text file by its absolute path; null where there is none. */
  readonly read: (file: string) => Promise<string | null>;
  /** The user's home folder. */
  readonly home: string | null;
  /** The folders of the projects. */
  readonly folders: readonly string[];
  /** Characters per token in each of the newest requests. */
  readonly charactersPerToken: readonly number[];
}

/**
 * Finds what makes one of some instruction files dearer than it needs be.
 * @param all the others among them, the widest first
 */
export async function lintFile(
  file: InstructionText,
  all: readonly InstructionText[],
  { read, home, folders, charactersPerToken }: LintPorts,
): Promise<LintFinding[]> {
  const folder = path.dirname(file.file);
  const project = folders.find((each) => isWithin(file.file, each)) ?? null;
  // What is not in the project, or in the folder of the user's own instructions, is not looked at for a text somebody may have written.
  const reach = project ?? folder;
  const surroundings = {
    home,
    project,
    charactersPerToken,
    others: othersOf(file, all),
    read: async (name: string) => {
      const near = [path.resolve(folder, name), ...(project === null ? [] : [path.resolve(project, name)])];
      for (const place of near.filter((each) => isWithin(each, reach) && each !== file.file)) {
        const text = await read(place);
        if (text !== null) return text;
      }
      return null;
    },
  };
  const found = await lintInstructions(file.text, surroundings);
  if (file.kind !== "recurring") return found;
  // What YAML holds is no Markdown, so that prompts in the head are texts of their own.
  const inHead = await Promise.all(
    headPrompts(file.text).map(async (prompt) =>
      [...longPrompts(prompt), ...(await lintInstructions(prompt.text, surroundings))].map((each) =>
        inFile(each, prompt),
      ),
    ),
  );
  return [...inHead.flat(), ...found];
}

/** The files that the same sessions get before this one. */
function othersOf(file: InstructionText, all: readonly InstructionText[]): OtherInstructions[] {
  const index = all.findIndex((each) => each.file === file.file);
  return all.slice(0, index === -1 ? all.length : index).flatMap((other) => {
    const isWider = other.folder === null || (file.folder !== null && isWithin(file.folder, other.folder));
    const isStanding =
      other.kind === "instructions" || (other.kind === "rule" && !standingFields(other.text).isConditional);
    const isRead =
      other.programs.some((program) => file.programs.includes(program)) || isImported(other.file, file);
    return isWider && isStanding && isRead ? [{ name: nameOf(other, file), text: other.text }] : [];
  });
}

function isImported(other: string, { file, text }: InstructionText): boolean {
  return text
    .split(/\r\n|\r|\n/u)
    .some((line) => importsIn(line).some((each) => path.resolve(path.dirname(file), each.path) === other));
}

function nameOf(other: InstructionText, { file }: InstructionText): string {
  const way = path.relative(path.dirname(file), other.file).split(path.sep).join("/");
  return other.folder === null ? english("your own {0}", path.basename(other.file)) : way;
}
