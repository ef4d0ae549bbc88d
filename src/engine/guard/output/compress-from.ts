import type { ShellContext, Invocation } from "../commands/invocation.ts";
import { readCommandLine } from "../commands/shell-reader.ts";
import { compressOutput, type Compressed } from "./compressors/compress.ts";
import { type CommandNames, fetchesData, readsFile } from "./compressors/compressor.ts";
import { isImportant } from "./compressors/important.ts";
import type { OutputSource, ToolFormat } from "./tool-answers.ts";

/** A bundle of its own, loaded with the first long output. Shortens the output of a command or another tool; null if that saves too little. */
export function compressFrom(
  output: string,
  source: OutputSource,
  context: ShellContext,
  isSuccess: boolean,
): Shortened | null {
  if (source.kind === "command") return compressCommand(output, source.line, context, isSuccess);
  return isSuccess ? compressTool(output, source.tool, source.format) : null;
}

/** Programs that write outputs in the formats of tools' answers. */
const programs: Readonly<Record<ToolFormat, CommandNames | null>> = {
  matches: [["rg"]],
  paths: [["rg", "--files"]],
  page: [["web-page"]],
  data: null,
};

/** Shortens a successful tool's answer by its format; null if that saves too little. */
export function compressTool(output: string, tool: string, format: ToolFormat): Shortened | null {
  const compressed = compressOutput(output, { command: programs[format], isFailure: false });
  return compressed === null ? null : { ...compressed, command: tool };
}

/** The id of a kept output: a digit, then unambiguous letters and digits. It is never a path or a word. */
const form = /^[2-9][a-z2-7]{5}$/u;
const letters = "abcdefghijklmnopqrstuvwxyz234567";
const digits = "23456789";

export function isOutputId(text: string): boolean {
  return form.test(text);
}

/** @param random returns a whole number from 0 to below a limit */
export function newOutputId(random: (limit: number) => number): string {
  const tail = Array.from({ length: 5 }, () => letters.charAt(random(letters.length)));
  return digits.charAt(random(digits.length)) + tail.join("");
}

/** Quickly tests whether a text may name a kept output. */
export function mayNameStored(text: string): boolean {
  return /\boutputs?\b/u.test(text) && /\b[2-9][a-z2-7]{5}\b/u.test(text);
}

export interface Shortened extends Compressed {
  /** The program and its subcommand, such as `npm test`. */
  readonly command: string;
}

/**
 * Shortens a command's output by the programs that it runs. Returns null if the output may be the text of a file, which is
 * never cut, or if the command cannot be read. After a failure only a known format without errors is shortened.
 */
export function compressCommand(
  output: string,
  command: string,
  context: ShellContext,
  isSuccess = true,
): Shortened | null {
  const invocations = readCommandLine(command, context);
  const names = invocations.map(({ program, args }) => [program, ...args.map(({ text }) => text)]);
  if (invocations.length === 0 || invocations.some(mayPrintText)) return null;
  if (readsFile(names) && !fetchesData(names)) return null;
  if (storedNamedBy(invocations).length > 0) return null;
  const compressed = compressOutput(output, { command: names, isFailure: !isSuccess });
  if (compressed === null) return null;
  // Compact data lacks nothing, and may be about errors.
  if (!isSuccess && compressed.compressor !== "json" && hasError(compressed.text)) return null;
  return { ...compressed, command: nameOf(names) };
}

/** Summaries without an error. */
const noError =
  /\b(?:fail(?:ed|ures?)?|errors?|warnings?|cancelled|skipped|todo)\b:? 0\b|\b0 (?:fail|error|warning|vulnerab)/iu;

function hasError(text: string): boolean {
  return text.split("\n").some((line) => isImportant(line) && !noError.test(line));
}

export function storedOutputsIn(command: string, context: ShellContext): string[] {
  return storedNamedBy(readCommandLine(command, context));
}

function storedNamedBy(invocations: readonly Invocation[]): string[] {
  return invocations.flatMap(({ program, args }) => {
    const words = [program, ...args.map(({ text }) => text)];
    const files = words.flatMap(
      (word) => /[\\/]outputs[\\/](?<id>\w{6})\.txt$/u.exec(word)?.groups?.["id"] ?? [],
    );
    const at = words.findIndex((word, index) => word === "output" && isPurser(words[index - 1] ?? ""));
    return [...files, ...(at === -1 ? [] : [words[at + 1] ?? ""])].filter(isOutputId);
  });
}

function isPurser(word: string): boolean {
  return word === "purser" || /[\\/]cli\.cjs$|[\\/]cli[\\/]main\.ts$/u.test(word);
}

/** Whether an invocation could not be read, or the shell opens a file for it. */
function mayPrintText({ isGuess, redirections, args }: Invocation): boolean {
  return (
    isGuess ||
    redirections.some(({ kind }) => kind === "read") ||
    args.some(({ from }) => from.some((source) => source.startsWith("<")))
  );
}

/** Programs that prepare what follows them. */
const preparing = new Set(
  "cd export set unset source true test [ mkdir sleep pushd popd wait echo".split(" "),
);
/** Programs with another program as their subcommand. */
const runners = new Set("npm pnpm yarn bun npx uv poetry python3 python".split(" "));

/** Returns the name under which a command is remembered: its main program with its subcommand. */
function nameOf(names: readonly (readonly string[])[]): string {
  const words = names.find(([program = ""]) => !preparing.has(program)) ?? names[0] ?? [];
  const [program = "", ...rest] = words;
  const subcommands = rest.filter((word) => /^[a-z][\w:-]{0,30}$/iu.test(word));
  return [program.slice(0, 30), ...subcommands.slice(0, runners.has(program) ? 2 : 1)].join(" ");
}
