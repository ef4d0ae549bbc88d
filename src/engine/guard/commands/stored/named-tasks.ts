import { parseJson } from "../../../base/parse.ts";
import { ownValue } from "../../own-value.ts";
import { above, everyMember, membersOf } from "./package-tasks.ts";
import type { StoredRun } from "./run-stored.ts";

interface TaskFile {
  readonly names: readonly string[];
  /** Subcommands before the name of a task; an empty one if they are optional. */
  readonly before: readonly string[];
  readonly read: (text: string, task: string) => readonly string[];
}

const toml = (names: readonly string[], before: readonly string[]): TaskFile => ({
  names,
  before,
  read: tomlScripts,
});
const ofPyproject = ["pyproject.toml"];
const procfile: TaskFile = { names: ["Procfile"], before: ["start", "s"], read: processes };

/** Programs that run a task of a file by its name. */
const runners: Readonly<Record<string, TaskFile>> = {
  composer: {
    names: ["composer.json"],
    before: ["run", "run-script", ""],
    read: (text, task) =>
      membersOf(parseJson(text), "scripts", [`pre-${task}`, task, `post-${task}`]).map((line) =>
        line.replace(/^@(?=php |composer )/u, ""),
      ),
  },
  poe: toml(ofPyproject, [""]),
  pdm: toml(ofPyproject, ["run", ""]),
  hatch: toml([...ofPyproject, "hatch.toml"], ["run"]),
  pipenv: toml(["Pipfile"], ["run"]),
  mise: toml(["mise.toml", ".mise.toml"], ["run", "r", ""]),
  rake: { names: ["Rakefile", "rakefile", "Rakefile.rb"], before: [""], read: rakeTask },
  foreman: procfile,
  lefthook: {
    names: ["lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"],
    before: ["run"],
    read: (text) =>
      [...text.matchAll(/^\s{0,40}(?:- )?run:[ \t]*(?<run>\S.*)/gmu)].map(
        ({ groups }) => groups?.["run"] ?? "",
      ),
  },
  "pre-commit": {
    names: [".pre-commit-config.yaml"],
    before: ["run", ""],
    read: (text) =>
      [...text.matchAll(/^\s{0,40}(?:- )?entry:[ \t]*(?<run>\S.*)/gmu)].map(
        ({ groups }) => groups?.["run"] ?? "",
      ),
  },
  tox: {
    names: ["tox.ini"],
    before: ["run", "r", ""],
    read: (text) =>
      [...text.matchAll(/^(?:commands(?:_pre|_post)?[ \t]*=|[ \t]{2,8})[ \t]*(?<run>[\w./]+[ \t].*)/gmu)].map(
        ({ groups }) => (groups?.["run"] ?? "").replaceAll(/\{env:(\w+)(?::[^{}]*)?\}/gu, "$$$1"),
      ),
  },
  overmind: procfile,
  hivemind: { ...procfile, before: [""] },
  honcho: procfile,
};

/** Programs that run scripts of a package.json by their names. */
const scriptRunners = new Set(["npm-run-all", "run-s", "run-p", "turbo", "lerna"]);

/** Returns the named tasks that a command runs, of files without another reader. */
export function namedRuns(program: string, texts: readonly string[]): readonly StoredRun[] {
  const words = texts.filter((text) => !text.startsWith("-"));
  if (program === "direnv" && words[0] === "allow")
    return [
      { names: [words[1] ?? ".envrc", ".envrc"], part: "", language: "shell", scripts: (text) => [text] },
    ];
  if (program === "at" || program === "batch") {
    const file = texts[texts.indexOf("-f") + 1];
    return !texts.includes("-f") || file === undefined
      ? []
      : [{ names: [file], part: "", language: "shell", scripts: (text) => [text] }];
  }
  const python = pythonFiles(program, words);
  if (python.length > 0)
    return [{ names: python, part: "", language: { interpreter: "python" }, scripts: (text) => [text] }];
  const code = codeRuns(program, words);
  if (code.length > 0) return code;
  if (scriptRunners.has(program)) {
    const names = words.filter((word) => word !== "run").map((word) => word.replace(/^npm:/u, ""));
    const scripts = (text: string) => membersOf(parseJson(text), "scripts", names);
    const own = {
      names: above(".", "package.json"),
      part: names.join(" "),
      language: "shell",
      scripts,
    } as const;
    return program === "turbo" || program === "lerna" ? [own, ...everyMember(names)] : [own];
  }
  const file = ownValue(runners, program);
  if (file === undefined) return [];
  const [first = "", second = ""] = words;
  const isBefore = file.before.includes(first);
  if (!isBefore && !file.before.includes("")) return [];
  const task = isBefore ? second : first;
  const names = file.names.flatMap((name) => above(".", name));
  const language = program === "rake" ? ({ interpreter: "ruby" } as const) : "shell";
  return [{ names, part: task, language, scripts: (text) => file.read(text, task) }];
}

/** Programs that run the tests of files in their words, with the files' language. */
const testRunners: Readonly<Record<string, string>> = {
  pytest: "python",
  vitest: "node",
  jest: "node",
  mocha: "node",
  ava: "node",
  playwright: "node",
  rspec: "ruby",
};
const codeFile = /\.(?:py|rb|[cm]?[jt]sx?)$/u;

/** Returns the files of code that a program runs by its words: tests, and the program of a Rust or Go project. */
function codeRuns(program: string, words: readonly string[]): readonly StoredRun[] {
  const run = (names: readonly string[], interpreter: string): StoredRun => ({
    names,
    part: "",
    language: { interpreter },
    isWhole: true,
    scripts: (text) => [text],
  });
  const interpreter = ownValue(testRunners, program);
  const files = words.filter((word) => codeFile.test(word));
  if (interpreter !== undefined)
    return [
      ...files.map((file) => run([file], interpreter)),
      ...(program === "pytest" ? [run(["conftest.py", "tests/conftest.py"], "python")] : []),
    ];
  const [first = ""] = words;
  if (program === "cargo" && cargoCommands.has(first)) {
    const main = first === "run" || first === "r" ? [run(["src/main.rs"], "rust")] : [];
    return [...main, run(["build.rs"], "rust")];
  }
  if (program === "cargo" && first === "xtask") return [run(["xtask/src/main.rs"], "rust")];
  if (program === "go" && first === "generate") {
    const scripts = (text: string) =>
      [...text.matchAll(/^\/\/go:generate[ \t]+(?<run>\S.*)/gmu)].map(({ groups }) => groups?.["run"] ?? "");
    return [{ names: ["./*.go"], part: "generate", language: "shell", scripts }];
  }
  if ((program === "poetry" || program === "uv") && first === "run" && words[1] !== undefined)
    return [entryPoint(words[1])];
  const file = ownValue(pythonTasks, program);
  const name = program === "nox" ? words.at(-1) : first;
  if (file !== undefined && name !== undefined)
    return [
      {
        names: [file],
        part: name,
        language: { interpreter: "python" },
        scripts: (text) => [functionOf(text, name)],
      },
    ];
  const [folder] = words;
  if (program === "run-parts" && folder !== undefined)
    return [{ names: [`${folder}/*`], part: "", language: "by-first-line", scripts: (text) => [text] }];
  return [];
}

/** Files of tasks that are Python functions. */
const pythonTasks: Readonly<Record<string, string>> = {
  nox: "noxfile.py",
  invoke: "tasks.py",
  inv: "tasks.py",
  fab: "fabfile.py",
};

/** Returns Python code without the functions but one. */
function functionOf(text: string, name: string): string {
  const blocks = text.split(/^(?=(?:async )?def )/mu);
  const isOther = (block: string) =>
    /^(?:async )?def (?<name>\w+)/u.exec(block)?.groups?.["name"] !== name.replaceAll("-", "_");
  return blocks.filter((block) => !/^(?:async )?def /u.test(block) || !isOther(block)).join("");
}

/** Returns the module of a Python project's own command: `purge = "shop.purge:main"`. */
function entryPoint(name: string): StoredRun {
  const scripts: StoredRun["scripts"] = (text, other) => {
    const line = text.split("\n").find((each) => each.trimStart().startsWith(name));
    const module = /=\s{0,9}["'](?<module>[\w.]{1,100}):/u
      .exec(line ?? "")
      ?.groups?.["module"]?.replaceAll(".", "/");
    const found = module === undefined ? null : (other(`${module}.py`) ?? other(`src/${module}.py`));
    return found === null ? [] : [found];
  };
  return { names: above(".", "pyproject.toml"), part: name, language: { interpreter: "python" }, scripts };
}

const cargoCommands = new Set(["run", "r", "build", "b", "test", "t", "check", "c", "bench", "install"]);

/** Returns the Python file that a test run or an installation of the project runs first. */
function pythonFiles(program: string, words: readonly string[]): readonly string[] {
  const isInstaller = program === "pip" || program === "pip3" || program === "uv";
  return isInstaller && words.includes("install") && words.includes(".") ? ["setup.py"] : [];
}

/** Reads a task in tables `scripts` or `tasks`: a text, a list of texts, or a table. */
function tomlScripts(text: string, task: string): string[] {
  const found: string[] = [];
  let table = "";
  for (const line of text.split(/\r?\n/u)) {
    const header = /^\s*\[(?<name>[^[\]]{1,200})\]\s*(?:#.*)?$/u.exec(line)?.groups?.["name"];
    if (header !== undefined) table = header.replaceAll(/["'\s]/gu, "");
    const { name = "", value = "" } =
      /^\s*["']?(?<name>[\w.:-]{1,100})["']?\s*=\s*(?<value>.*)/u.exec(line)?.groups ?? {};
    const isOwn = /(?:^|\.)(?:scripts|tasks)$/u.test(table) && name === task;
    const isInside =
      new RegExp(`(?:^|\\.)(?:scripts|tasks)\\.[\\w.:-]+$`, "u").test(table) && table.endsWith(`.${task}`);
    if (isOwn || (isInside && /^(?:cmd|shell|run|command|script)$/u.test(name)))
      found.push(...textsOf(value));
  }
  return found;
}

/** Returns the texts in quotes of a TOML value. */
function textsOf(value: string): string[] {
  // An unclosed quote ends the value.
  const quoted = /"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|["'].*/gsu;
  return [...value.matchAll(quoted)].flatMap(({ groups }) => {
    const text = groups?.["double"] ?? groups?.["single"];
    return text === undefined ? [] : [text.replaceAll(/\\(["\\])/gu, "$1")];
  });
}

/** Returns the commands of a Procfile: all, or that of one process. */
function processes(text: string, process: string): string[] {
  return text.split(/\r?\n/u).flatMap((line) => {
    const { name = "", command = "" } = /^(?<name>[\w-]{1,80}):\s*(?<command>\S.*)/u.exec(line)?.groups ?? {};
    return command !== "" && (process === "" || process === name) ? [command] : [];
  });
}

/** Returns the code of one task of a Rakefile: up to the next task. */
function rakeTask(text: string, task: string): string[] {
  const name = task === "" ? "default" : task.replace(/\[.*/su, "").replace(/^.*:/u, "");
  const parts = text.split(/^(?=[ \t]*(?:multi)?task\b)/gmu);
  const own = parts.filter((part, index) => {
    const of = /^[ \t]*(?:multi)?task[ (]+["':]?(?<name>[\w-]+)/u.exec(part)?.groups?.["name"];
    // Code before all tasks runs too.
    return of === name || (index === 0 && of === undefined);
  });
  // `sh` is Rake's function for commands.
  return own.map((part) =>
    part.replaceAll(/^([ \t]*)sh[ \t]*(?:\([ \t]*)?(["'][^\n]*["'])[ \t]*\)?/gmu, "$1system($2)"),
  );
}

/** The hooks of git's commands. */
const hooks: Readonly<Record<string, readonly string[]>> = {
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  push: ["pre-push"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
  merge: ["pre-merge-commit", "post-merge"],
  pull: ["post-merge", "post-rewrite"],
  rebase: ["pre-rebase", "post-rewrite"],
  am: ["applypatch-msg", "pre-applypatch", "post-applypatch"],
};
/** Hooks that `--no-verify` skips. */
const verifying = new Set(["pre-commit", "commit-msg", "pre-push", "pre-merge-commit", "pre-rebase"]);
/** Folders of hooks. */
const folders = [".husky", ".githooks", ".git/hooks"];
const valued = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);

/**
 * Returns the repository's hooks that a git command runs.
 * @param configured returns the folder of hooks in git's settings; null for the usual ones
 */
export function hookRuns(
  program: string,
  texts: readonly string[],
  configured: () => string | null = () => null,
): readonly StoredRun[] {
  if (program !== "git") return [];
  let folder = ".";
  let set: string | null = null;
  let at = 0;
  for (; at < texts.length && texts[at]?.startsWith("-") === true; at += 1) {
    const value = texts[at + 1] ?? "";
    if (texts[at] === "-C") folder = value;
    if (texts[at] === "-c" && /^core\.hookspath=/iu.test(value)) set = value.slice(value.indexOf("=") + 1);
    if (valued.has(texts[at] ?? "")) at += 1;
  }
  const [command = "", ...rest] = texts.slice(at);
  const isUnverified = rest.some(
    (text) => text === "--no-verify" || (command === "commit" && /^-[a-zA-Z]*n/u.test(text)),
  );
  const all = ownValue(hooks, command) ?? [];
  const run = all.filter((name) => !isUnverified || !verifying.has(name));
  if (run.length > 0) set ??= configured();
  return run.flatMap((name) =>
    (set === null ? folders : [set]).map((place): StoredRun => {
      const file = `${place}/${name}`;
      const names = place.startsWith("/") ? [file] : above(folder, file);
      return { names, part: "", language: "by-first-line", scripts: (text) => [text] };
    }),
  );
}
