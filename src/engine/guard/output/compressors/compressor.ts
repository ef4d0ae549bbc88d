import type { Marks } from "./marks.ts";

/** The words of each program that a command runs, the program without its folder. */
export type CommandNames = readonly (readonly string[])[];

/** A tool's output as compressors read it. */
export interface OutputText {
  /** The text without control sequences; only the start and end of a long one. */
  readonly ends: string;
  readonly lines: readonly string[];
}

/** Recognizes the output of one kind of tool and the lines that no agent needs. */
export interface Compressor {
  /** Whether a program writes this format. */
  readonly runs: (words: readonly string[]) => boolean;
  /**
   * Marks the lines to leave out; none if the text has another format.
   * @param isExpected whether the command implies the format, so that less evidence is enough
   */
  readonly mark: (text: OutputText, marks: Marks, isExpected: boolean) => void;
}

/** Whether a command begins with one of the given words, such as `npm install`. */
export function beginsWith(words: readonly string[], ...starts: readonly string[]): boolean {
  return starts.some((start) => start.split(" ").every((word, index) => words[index] === word));
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32 || line.charCodeAt(indent) === 9) indent += 1;
  return indent;
}

/** Programs that print texts of files or other documents. */
const readers = new Set(
  "curl http https xh man psql pg_dump mysql mysqldump mariadb sqlite3 duckdb mongosh redis-cli jq yq cat tac bat batcat less more most nl od xxd hexdump strings view pygmentize highlight zcat bzcat xzcat zless base64 rev fold fmt expand diff colordiff delta purser".split(
    " ",
  ),
);

/** Programs that read files, or without a file another program's output. */
const filters = new Set("head tail sed awk gawk mawk perl cut tr sort uniq column".split(" "));

/** Programs that print results, not files. A filter after one of them does not read a file. */
const producers = new Set(
  "vitest jest mocha pytest tox nox go cargo mvn gradle gradlew make cmake ninja tsc eslint gcc g++ clang clang++ rustc mypy ruff webpack vite esbuild npm pnpm yarn bun pip pip3 apt apt-get docker podman bazel swift dotnet playwright".split(
    " ",
  ),
);

const gitStatOnly =
  /^--(?:stat|shortstat|numstat|dirstat|compact-summary|summary|name-only|name-status|oneline)\b/u;
const gitReaders = new Set("show blame annotate cat-file diff stash format-patch range-diff".split(" "));

/** Whether the output may be a file's text. It is never cut, as agents edit files that they have read. */
export function readsFile(command: CommandNames): boolean {
  const behindProducer = command.some(([program = ""]) => producers.has(program));
  return command.some((words) => {
    const [program = ""] = words;
    if (readers.has(program)) return true;
    if (program === "git") return gitReads(words);
    if (program === "wget") return words.some((word) => /^(?:-\w*O|--output-document)/u.test(word));
    if (filters.has(program)) return !behindProducer || operandCount(words) > (takesScript(program) ? 1 : 0);
    return false;
  });
}

/** Programs that print what a server answers. */
const fetchers = new Set("curl http https xh".split(" "));

/** Whether the output is what a server answers, and no file's text: then it may be written in fewer bytes with all its data. */
export function fetchesData(command: CommandNames): boolean {
  const isFetched = command.some(([program = ""]) => fetchers.has(program));
  return (
    command.every((words, index) => {
      const [program = ""] = words;
      if (program === "jq") return index > 0 && operandCount(words) <= 1;
      const isLocal = words.some((word) => word.startsWith("file:"));
      return (fetchers.has(program) && !isLocal) || !readsFile([words]);
    }) &&
    (isFetched || command.some(([program = ""]) => program === "jq"))
  );
}

function takesScript(program: string): boolean {
  return ["sed", "awk", "gawk", "mawk", "perl", "tr"].includes(program);
}

function operandCount(words: readonly string[]): number {
  return words
    .slice(1)
    .filter(
      (word, index) =>
        !word.startsWith("-") && !(/^[+-]?\d+$/u.test(word) && /^-[nc]$/u.test(words[index] ?? "")),
    ).length;
}

function gitReads(words: readonly string[]): boolean {
  const subcommand = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
  if (subcommand === "log") return words.some((word) => /^(?:-p|-u|--patch|-L.*|--cc|-c)$/u.test(word));
  if (subcommand === "stash") return beginsWith(words, "git stash show");
  if (!gitReaders.has(subcommand)) return false;
  const namesFile = words.some((word) => word.includes(":"));
  return namesFile || !words.some((word) => gitStatOnly.test(word));
}
