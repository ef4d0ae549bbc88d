import path from "node:path";
import { isUnknown, type Invocation } from "../commands/invocation.ts";

/** The file and lines that a command line prints. */
export interface FileCommand {
  /** Absolute. */
  readonly file: string;
  readonly first: number;
  /** Null for the end of the file. */
  readonly last: number | null;
}

/** Returns the file that a command line prints unchanged; null for other command lines. */
export function fileCommand(invocations: readonly Invocation[]): FileCommand | null {
  const [only, ...others] = invocations.filter(({ program }) => program !== "cd");
  if (only === undefined || others.length > 0) return null;
  const { program, args, folder, place, via, shown, from, input, redirections, isGuess } = only;
  if (isGuess || place !== "here" || shown !== "whole" || input !== null) return null;
  if (via.length + from.length > 0 || redirections.some(({ isOutput }) => isOutput)) return null;
  if (args.some(({ text, isPattern }) => isPattern || isUnknown(text))) return null;
  const wanted = wantedFile(
    program,
    args.map(({ text }) => text),
  );
  if (wanted === null || wanted.file === "" || wanted.file.startsWith("-")) return null;
  const file = absolutePath(wanted.file, folder);
  return file === null ? null : { ...wanted, file };
}

function wantedFile(program: string, words: readonly string[]): FileCommand | null {
  const [first = "", second = "", third = ""] = words;
  if (program === "cat" && words.length === 1) return { file: first, first: 1, last: null };
  if (program === "head") {
    const short = /^-(?<count>[1-9]\d{0,6})$/u.exec(first)?.groups?.["count"];
    if (short !== undefined && words.length === 2) return { file: second, first: 1, last: Number(short) };
    if (first === "-n" && /^[1-9]\d{0,6}$/u.test(second) && words.length === 3)
      return { file: third, first: 1, last: Number(second) };
  }
  if (program === "sed" && first === "-n" && words.length === 3) {
    const range = /^(?<from>[1-9]\d{0,6}),(?<to>[1-9]\d{0,6}|\$)p$/u.exec(second)?.groups;
    if (range === undefined) return null;
    const { from = "", to = "" } = range;
    return { file: third, first: Number(from), last: to === "$" ? null : Number(to) };
  }
  return null;
}

/** Returns the absolute path of a file named in a folder; null if unknown. */
export function absolutePath(file: string, folder: string | null): string | null {
  if (path.posix.isAbsolute(file)) return path.posix.normalize(file);
  if (/^[A-Za-z]:[\\/]|^\\\\/u.test(file)) return path.win32.normalize(file);
  if (folder === null || file === "" || file.startsWith("~")) return null;
  return folder.includes("\\") ? path.win32.join(folder, file) : path.posix.join(folder, file);
}
