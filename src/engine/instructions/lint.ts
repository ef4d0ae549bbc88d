import path from "node:path";
import { isWithin, instructionFields, type InstructionFile } from "./instruction-file.ts";
import { importsIn, inlinedFiles, largeImports, type ReadNear } from "./lint/inlined-files.ts";
import { type LintFinding, partOfLine } from "./lint/found-text.ts";
import { headPrompts, inFile, longPrompts } from "./lint/head-prompts.ts";
import { type OtherInstructions, repeatedTexts } from "./lint/repeated.ts";
import { sentence, type Sentence, plainSentence } from "../base/language.ts";
import { linesOf, lineRoles } from "./markdown-section.ts";
import { changingTexts, roledLines, type RoledLine } from "./lint/changing.ts";
import { growingLists } from "./lint/growing-lists.ts";

export {
  lintKinds,
  type LintFinding,
  type LintFix,
  type LintKind,
  type TextSpan,
} from "./lint/found-text.ts";

/** Where a file's instructions are read. Absolute paths. Null if unknown. */
interface LintPlace {
  /** The project's folder. */
  readonly project: string | null;
  /** The user's home folder. */
  readonly home: string | null;
}

/** Segments of a path. One at a sentence's end does not include the full stop. */
const names = "[\\p{L}\\p{N}_.@+-]*[\\p{L}\\p{N}_@+-]";
const posix = new RegExp(`(?<![\\w.~:/\\\\-])/(?:home|Users)/(${names})((?:/${names})*)/?`, "gu");
const windows = new RegExp(
  // Text in quotes may have each backslash twice.
  `(?<![\\w/\\\\])[A-Za-z]:[\\\\/]{1,2}Users[\\\\/]{1,2}(${names})((?:[\\\\/]{1,2}${names})*)[\\\\/]?`,
  "gu",
);
/** Placeholders, and users of images that are the same on every machine. */
const everybody =
  /^(?:my.*|your.*|user(?:name)?|project|agent|j(?:ohn)?\.?doe|you|me|name|example|alice|bob|jane|john|shared|public|default|node|vscode|codespace|runner|ubuntu|app|dev|linuxbrew|\.\.\.)$/iu;

/** Finds paths that exist on one machine only: for everybody else, and after a move, they lead nowhere. */
function machinePaths(lines: readonly RoledLine[], place: LintPlace): LintFinding[] {
  return lines.flatMap(({ text, role }, line) => {
    if (role === "comment" || role === "frontmatter") return [];
    return [posix, windows].flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap((match): LintFinding[] => {
        const [whole, user = ""] = match;
        if (everybody.test(user)) return [];
        const span = partOfLine(line, match.index, whole.length);
        const other = portable(whole, place);
        return [
          {
            kind: "machine-path",
            span,
            message: sentence("“{0}” is a path of one machine: it leads nowhere for others.", whole),
            remedy: sentence("Name it by the project's folder, or from ~."),
            text: whole,
            fix: other === null ? null : { title: sentence("Write {0}", other), span, text: other },
          },
        ];
      }),
    );
  });
}

/** The same place by a path that is valid on other machines, too. Null if there is none. */
function portable(path: string, { project, home }: LintPlace): string | null {
  const inside = project === null ? null : wayBelow(path, project);
  if (inside !== null) return inside === "" ? "." : inside;
  const below = home === null ? null : wayBelow(path, home);
  return below === null ? null : below === "" ? "~" : `~/${below}`;
}

function wayBelow(path: string, folder: string): string | null {
  const [inner, outer] = [path, folder].map((each) => each.replaceAll(/[\\/]+/gu, "/").replace(/\/$/u, ""));
  if (inner === undefined || outer === undefined || outer === "") return null;
  if (inner === outer) return "";
  return inner.startsWith(`${outer}/`) ? inner.slice(outer.length + 1) : null;
}

/** An instruction file with its text. */
export interface InstructionText extends InstructionFile {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

export interface LintPorts {
  /** Reads a small text file by its absolute path. Null if there is none. */
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
  // A file outside the project, and outside the user's own instructions, is not read, as others may have
  // written it.
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
  // YAML is not Markdown, so each prompt in the head is a separate text.
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
    const isAlwaysRead =
      other.kind === "instructions" ||
      (other.kind === "rule" && !instructionFields(other.text).isConditional);
    const isRead =
      other.programs.some((program) => file.programs.includes(program)) || isImported(other.file, file);
    return isWider && isAlwaysRead && isRead ? [{ name: nameOf(other, file), text: other.text }] : [];
  });
}

function isImported(other: string, { file, text }: InstructionText): boolean {
  return text
    .split(/\r\n|\r|\n/u)
    .some((line) => importsIn(line).some((each) => path.resolve(path.dirname(file), each.path) === other));
}

function nameOf(other: InstructionText, { file }: InstructionText): Sentence {
  const way = path.relative(path.dirname(file), other.file).split(path.sep).join("/");
  return other.folder === null ? sentence("your own {0}", path.basename(other.file)) : plainSentence(way);
}

export interface LintSurroundings extends LintPlace {
  readonly read: ReadNear;
  /** Other files that the same sessions get, in the order in which they come. */
  readonly others: readonly OtherInstructions[];
  /** Characters per token in each of the newest requests. */
  readonly charactersPerToken: readonly number[];
}

/**
 * Finds what makes instructions needlessly expensive: text that changes by itself and so breaks the
 * provider's cache, and text that need not be in every context. In the order of their lines.
 */
export async function lintInstructions(text: string, surroundings: LintSurroundings): Promise<LintFinding[]> {
  const raw = linesOf(text);
  const lines = roledLines(raw, lineRoles(raw));
  const found = [
    ...changingTexts(lines),
    ...machinePaths(lines, surroundings),
    ...growingLists(text, lines),
    ...repeatedTexts(text, lines, surroundings.others),
    ...(await inlinedFiles(lines, surroundings.read)),
    ...(await largeImports(lines, surroundings)),
  ];
  return found.toSorted((a, b) => a.span.line - b.span.line || a.span.column - b.span.column);
}
