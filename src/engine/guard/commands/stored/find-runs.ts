import { ownValue } from "../../own-value.ts";
import { awks, takesCode } from "../inline-code.ts";
import type { Input } from "../inner-scope.ts";
import type { Argument } from "../invocation.ts";
import { interpreterOf, scriptFile } from "../script-sources.ts";
import { powershells, shellOptions, shells, sourcing } from "../wrappers.ts";
import { composeRuns } from "./compose-mounts.ts";
import { namedRuns } from "./named-tasks.ts";
import { packageRuns } from "./package-tasks.ts";
import { recipeRuns } from "./recipes.ts";
import type { StoredLanguage, StoredRun } from "./run-stored.ts";

/** Interpreters missing in `scriptFile`, with their options that take the next word. */
const others: Readonly<Record<string, readonly string[]>> = {
  perl: ["-I", "-M", "-m"],
  lua: ["-l"],
  luajit: ["-l"],
  deno: ["-c", "--config", "--import-map", "--location", "-L", "--log-level"],
  julia: ["-L", "--project", "-t", "--threads"],
  rscript: [],
  tclsh: [],
  expect: ["-f"],
  osascript: ["-l"],
  groovy: ["-cp", "-classpath"],
};
/** Subcommands before a file. */
const running = new Set(["run", "watch"]);
const runners = new Set(["deno", "bun", "tsx", "coverage"]);

/** Returns the stored scripts that a command runs, by its words and input. */
export function storedRuns(
  called: string,
  program: string,
  args: readonly Argument[],
  input: Input,
): readonly StoredRun[] {
  const texts = args.map(({ text }) => text);
  return [
    ...fileRuns(called, program, args, input),
    ...loadedFirst(program, texts),
    ...packageRuns(program, texts),
    ...recipeRuns(program, texts),
    ...namedRuns(program, texts),
    ...composeRuns(program, texts),
  ];
}

function fileRuns(
  called: string,
  program: string,
  args: readonly Argument[],
  input: Input,
): readonly StoredRun[] {
  const texts = args.map(({ text }) => text);
  if (program === "eval")
    return args.flatMap(({ from }) => filesIn(from)).map((file) => whole([file], "shell"));
  if (shells.has(program) || sourcing.has(program)) {
    const code = texts.findIndex((text) => /^-[a-z]*c$/u.test(text)) + 1;
    if (code > 0) return printedScripts(args[code]);
    // Such a shell only reads.
    if (texts.some((text) => /^-[a-mo-z]*n[a-z]*$/u.test(text))) return [];
    const at = texts.findIndex(
      (text, index) => !/^[-+]./u.test(text) && !shellOptions.has(texts[index - 1] ?? ""),
    );
    const file = texts[at];
    const isInput = file === undefined || file === "-" || texts.some((text) => /^-[a-z]*s$/u.test(text));
    return isInput ? inputRuns(input, "shell") : [whole([file], "shell")];
  }
  if (powershells.has(program)) {
    const at = texts.findIndex((text) => /^-f(?:i|il|ile)?$/iu.test(text));
    const file = at === -1 ? texts.find((text) => /\.ps1$/iu.test(text)) : texts[at + 1];
    return file === undefined ? [] : [whole([file], "powershell")];
  }
  if (awks.has(program)) {
    const at = texts.findIndex((text) => /^(?:-f|--file)$/u.test(text));
    const joined = texts.find((text) => /^(?:-f|--file=)./u.test(text))?.replace(/^(?:-f|--file=)/u, "");
    const script = at === -1 ? joined : texts[at + 1];
    return script === undefined ? [] : [whole([script], { interpreter: program })];
  }
  if (program === "java" || program === "swift")
    return texts
      .filter((text) => /\.(?:java|swift)$/u.test(text))
      .map((text) => whole([text], { interpreter: program }));
  if (program === "go" && texts[0] === "run") return texts.slice(1).flatMap(goFiles);
  const file = interpretedFile(program, args);
  const language = { interpreter: interpreterOf(program) };
  if (file !== null && isModule(program, texts)) {
    const folder = file.replaceAll(".", "/");
    const names = [`${folder}.py`, `${folder}/__main__.py`];
    return [whole([...names, ...names.map((name) => `src/${name}`)], language)];
  }
  if (file !== null)
    return [whole([file, `${file}.js`, `${file}/index.js`, `${file}/__main__.py`], language)];
  const isInput = args.length === 0 || texts.find((text) => !/^-./u.test(text)) === "-";
  if (isInterpreter(program) && isInput) return inputRuns(input, language);
  if (keeping.has(program)) return inputRuns(input, "shell");
  const ending = /\.(?<name>py|rb|[cm]?[jt]s|ps1)$/iu.exec(called)?.groups?.["name"]?.toLowerCase();
  if (!/[/\\]/u.test(called) && ending === undefined) return [];
  return [whole([called], ownValue(byEnding, ending ?? "") ?? "by-first-line")];
}

/** Returns the modules of the project that node loads before its file. */
const loadedFirst = (program: string, texts: readonly string[]): readonly StoredRun[] =>
  interpreterOf(program) !== "node"
    ? []
    : texts.flatMap((text, at) => {
        const value = /^(?:-r|--require|--import)$/u.test(text) ? (texts[at + 1] ?? "") : "";
        return /^[./]/u.test(value) ? [whole([value, `${value}.js`], { interpreter: "node" })] : [];
      });

/** A text of which only its files are known. */
const onlyUnknown = /^[\s\uFFFC]*$/u;

/** Returns the files whose content is a whole script: `sh -c "$(cat FILE)"`. */
function printedScripts(script: Argument | undefined): readonly StoredRun[] {
  if (script === undefined || !onlyUnknown.test(script.text)) return [];
  return filesIn(script.from).map((file) => whole([file], "shell"));
}

/** Of a package, which is a folder, the main file is read. */
const goFiles = (text: string): readonly StoredRun[] =>
  text.endsWith(".go")
    ? [whole([text], { interpreter: "go" })]
    : /^\.{1,2}(?:\/|$)/u.test(text)
      ? [whole([`${text.replace(/\/$/u, "")}/main.go`], { interpreter: "go" })]
      : [];

/** Programs that store their input for a shell. */
const keeping = new Set(["at", "batch"]);
const javascript = { interpreter: "node" };
/** Languages of a file that a runner such as `uv run` starts. */
const byEnding: Readonly<Record<string, StoredLanguage>> = {
  ps1: "powershell",
  py: { interpreter: "python" },
  rb: { interpreter: "ruby" },
  js: javascript,
  cjs: javascript,
  mjs: javascript,
  ts: javascript,
  cts: javascript,
  mts: javascript,
};

const whole = (names: readonly string[], language: StoredLanguage): StoredRun => ({
  names,
  part: "",
  language,
  isWhole: true,
  scripts: (text) => [text],
});

/** Returns the files of an unknown input. */
const inputRuns = ({ text, from }: Input, language: StoredLanguage): readonly StoredRun[] =>
  text === null || onlyUnknown.test(text) ? filesIn(from).map((file) => whole([file], language)) : [];

export const filesIn = (from: readonly string[]): readonly string[] =>
  from.filter((source) => source.startsWith("<")).map((source) => source.slice(1));

const isModule = (program: string, texts: readonly string[]): boolean =>
  /^(?:python|pypy)/u.test(program) && texts.some((text) => /^-[a-zA-Z]*m/u.test(text));

function isInterpreter(program: string): boolean {
  return (
    Object.hasOwn(others, program) ||
    scriptFile(program, [{ text: "x", isPattern: false, from: [] }]).length > 0
  );
}

function interpretedFile(program: string, args: readonly Argument[]): string | null {
  const [first] = args;
  const isRunner = runners.has(program) && running.has(first?.text ?? "");
  const words = isRunner ? args.slice(1) : args;
  const known = scriptFile(program, words)[0]?.text;
  if (known !== undefined) return known;
  if (!Object.hasOwn(others, program)) return null;
  const takesNext = others[program] ?? [];
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? "";
    if (takesCode(program, text)) return null;
    if (takesNext.includes(text)) at += 1;
    else if (!text.startsWith("-")) return text;
  }
  return null;
}
