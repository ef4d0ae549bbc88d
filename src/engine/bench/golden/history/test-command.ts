import * as z from "zod/mini";
import { readJson } from "../../../base/parse.ts";

/** The commands that run a project's tests, as words: no shell reads them. `{files}` and `{folders}` stand for the tests. */
export type TestCommands = readonly (readonly string[])[];

/** Reads a file of the project at a commit. Null if there is none. */
export type ReadProject = (path: string) => Promise<string | null>;

const filesWord = "{files}";
const foldersWord = "{folders}";

const manifest = z.looseObject({
  scripts: z.catch(z.record(z.string(), z.string()), {}),
  devDependencies: z.catch(z.record(z.string(), z.unknown()), {}),
});

/** Reads a command that a person typed: words, quotes, and `&&` between commands. Null if it has anything else of a shell. */
export function commandsOf(text: string): TestCommands | null {
  const words = text.match(/"[^"]*"|'[^']*'|[^\s"']+/gu) ?? [];
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === "&&") commands.push([]);
    else if (/^["']/u.test(word)) commands.at(-1)?.push(word.slice(1, -1));
    else if (/[|;<>&$`]/u.test(word)) return null;
    else commands.at(-1)?.push(word);
  }
  return commands.every((each) => each.length > 0) ? commands : null;
}

/**
 * Finds how a project runs its tests. Null if it does not say so in a way that is known.
 * @param tests texts of tests, by path: they say how to run them if nothing else does
 */
export async function findTestCommands(
  read: ReadProject,
  tests: Readonly<Record<string, string>>,
): Promise<TestCommands | null> {
  const node = readJson(manifest, await read("package.json"));
  const own = node === null ? null : ofScripts(node.scripts);
  if (own !== null) return own;
  for (const [files, command] of others)
    for (const [file, has] of files) {
      const text = await read(file);
      if (text !== null && has.test(text)) return [command];
    }
  const byTexts = node === null ? null : ofTexts(Object.values(tests), Object.keys(node.devDependencies));
  if (byTexts !== null) return byTexts;
  const files = Object.keys(tests);
  const byName = byNames.find(([ending]) => files.length > 0 && files.every((file) => file.endsWith(ending)));
  return byName === undefined ? null : [byName[1]];
}

const ofNode = /\bfrom ["']node:test["']|\brequire\(["']node:test["']\)/u;

/** For a project that runs its tests with its own script. */
function ofTexts(texts: readonly string[], installed: readonly string[]): TestCommands | null {
  if (texts.length > 0 && texts.every((text) => ofNode.test(text))) return [["node", "--test", filesWord]];
  const name = Object.keys(runners).find((each) => installed.includes(each) && !platforms.has(each));
  return name === undefined ? null : [[...(runners[name] ?? []), filesWord]];
}

const pytest = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", filesWord];

/** For projects without a file that names a tool: Go had no modules before 2018. */
const byNames: readonly (readonly [ending: string, command: readonly string[]])[] = [
  ["_test.go", ["env", "GO111MODULE=off", "go", "test", "-count=1", "-vet=off", foldersWord]],
  [".py", pytest],
];

const any = /(?:)/u;
type Sign = readonly [file: string, has: RegExp];

/** Other tools, by the files that show that a project uses them. The first that fits. */
const others: readonly (readonly [readonly Sign[], readonly string[]])[] = [
  [[["go.mod", any]], ["go", "test", "-count=1", "-vet=off", foldersWord]],
  [[["Cargo.toml", any]], ["cargo", "test", "--quiet"]],
  [
    [
      ["pytest.ini", any],
      ["pyproject.toml", /pytest/u],
      ["setup.cfg", /pytest/u],
      ["tox.ini", /pytest/u],
      ["conftest.py", any],
      ["tests/conftest.py", any],
    ],
    pytest,
  ],
  [
    [
      ["pyproject.toml", any],
      ["setup.py", any],
    ],
    ["python3", "-m", "unittest", filesWord],
  ],
  [[[".rspec", any]], ["bundle", "exec", "rspec", filesWord]],
  [[["phpunit.xml.dist", any]], ["vendor/bin/phpunit", filesWord]],
  [[["Makefile", /^test\s*:/mu]], ["make", "test"]],
];

/** Programs that run tests of JavaScript, with the words before files. */
const runners: Readonly<Record<string, readonly string[]>> = {
  vitest: ["vitest", "run"],
  jest: ["jest"],
  mocha: ["mocha"],
  ava: ["ava"],
  tape: ["tape"],
  tap: ["tap"],
  jasmine: ["jasmine"],
  qunit: ["qunit"],
  node: ["node"],
  tsx: ["tsx"],
  bun: ["bun", "test"],
  deno: ["deno", "test"],
};
/** They run more than tests, so that a project may have them for another reason. */
const platforms = new Set(["node", "tsx", "bun", "deno"]);
const builds = /^(?:tsc|rollup|esbuild|babel|tsup|unbuild|swc|vite|webpack|microbundle)$/u;
const leftOut = /^(?:--coverage.*|--experimental-test-coverage|--watch.*|-w|--ui|--reporter.*|--silent)$/u;

function ofScripts(scripts: Readonly<Record<string, string>>): TestCommands | null {
  const commands: string[][] = [];
  for (const name of ["pretest", "test"]) {
    const found = ofScript(name, scripts, 0);
    if (found !== null) commands.push(...found);
  }
  return commands.some((words) => words.includes(filesWord)) ? commands : null;
}

const maxDepth = 4;

/** Builds come first; checks of another kind, such as linters, are left out. */
function ofScript(name: string, scripts: Readonly<Record<string, string>>, depth: number): string[][] | null {
  const script = scripts[name];
  if (script === undefined || depth > maxDepth) return null;
  const commands: string[][] = [];
  for (const part of script.split(/&&|;/u)) {
    const words = (part.match(/"[^"]*"|'[^']*'|[^\s"']+/gu) ?? []).map((word) =>
      word.replaceAll(/^["']|["']$/gu, ""),
    );
    const [first = "", second = "", third = ""] = words;
    const [inner] = ["npm", "pnpm", "yarn"].includes(first) ? [second === "run" ? third : second] : [];
    if (inner !== undefined && inner !== "" && inner !== name) {
      commands.push(...(ofScript(inner, scripts, depth + 1) ?? []));
      continue;
    }
    const own = ofWords(words);
    if (own !== null) return [...commands, own];
    if (words.some((word) => builds.test(word)) && !words.includes("--noEmit"))
      commands.push(words.filter((word) => word !== "npx"));
  }
  return commands.length > 0 ? commands : null;
}

/** Keeps a runner's options, and replaces the tests it names. What wraps it, such as a coverage tool, is left out. */
function ofWords(words: readonly string[]): string[] | null {
  const at = words.findIndex((word) => Object.hasOwn(runners, word));
  const name = words[at];
  if (name === undefined) return null;
  const rest = words.slice(at + 1);
  if ((name === "node" || name === "tsx") && !rest.includes("--test")) return null;
  const start = runners[name] ?? [];
  const kept = rest.filter((word, index) => {
    const before = rest[index - 1] ?? "";
    return (
      !isOfTests(word, before) && !leftOut.test(word) && before !== "--reporter" && !start.includes(word)
    );
  });
  return [...start, ...kept, filesWord];
}

/** Whether a word of a command names tests: a pattern, a test's file, or a folder of tests. */
function isOfTests(word: string, before: string): boolean {
  if (word.startsWith("-")) return false;
  const isValue = /^-(?!-?(?:exit|bail|b|check-leaks|test|forbid-only|recursive|run)$)[^=]*$/u.test(before);
  if (/[*{]/u.test(word)) return true;
  return (
    !isValue &&
    (/^(?:\.\/)?(?:tests?|specs?|__tests__|src|lib)(?:\/|$)/u.test(word) || /\.[cm]?[jt]sx?$/u.test(word))
  );
}

/** How a program runs only tests with certain titles, before the names of files. */
const titleOptions: Readonly<Record<string, (titles: readonly string[]) => readonly string[]>> = {
  vitest: (titles) => ["-t", anyOf(titles)],
  jest: (titles) => ["-t", anyOf(titles)],
  mocha: (titles) => ["--grep", anyOf(titles)],
  node: (titles) => [`--test-name-pattern=${anyOf(titles)}`],
  pytest: (titles) => ["-k", titles.join(" or ")],
  go: (titles) => ["-run", `^(?:${titles.join("|")})$`],
};

function anyOf(titles: readonly string[]): string {
  return titles.map((title) => title.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("|");
}

/** Restricts commands to tests of these titles. Null if there is none, or the program cannot. */
export function onlyTitles(commands: TestCommands, titles: readonly string[]): TestCommands | null {
  // A name that is computed, or that has quotes in it, is not the test's own.
  const plain = titles.filter((title) => !/\$\{|\\|["\n]/u.test(title));
  const last = commands.at(-1) ?? [];
  const at = last.findIndex((word) => word === filesWord || word === foldersWord);
  const program = last.slice(0, at).find((word) => Object.hasOwn(titleOptions, word));
  const options = program === undefined ? undefined : titleOptions[program];
  if (at < 0 || options === undefined || plain.length === 0) return null;
  return [...commands.slice(0, -1), [...last.slice(0, at), ...options(plain), ...last.slice(at)]];
}

/** Puts a task's tests into the commands. */
export function withTests(commands: TestCommands, tests: readonly string[]): TestCommands {
  const folders = [...new Set(tests.map((file) => `./${file.split("/").slice(0, -1).join("/")}`))];
  // A name that begins with a hyphen would be an option.
  const files = tests.map((file) => (file.startsWith("-") ? `./${file}` : file));
  return commands.map((words) =>
    words.flatMap((word) => (word === filesWord ? files : word === foldersWord ? folders : [word])),
  );
}
