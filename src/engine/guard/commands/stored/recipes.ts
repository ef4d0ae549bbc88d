import { ownValue } from "../../own-value.ts";
import { unknownText } from "../invocation.ts";
import type { StoredRun } from "./run-stored.ts";

/** A target of a makefile, recipe of a justfile or task of a taskfile. */
interface Recipe {
  readonly needs: readonly string[];
  readonly lines: string[];
}

interface Runner {
  readonly names: readonly string[];
  /** Options before a file, a folder or another value. */
  readonly file: readonly string[];
  readonly folder: readonly string[];
  readonly valued: readonly string[];
  readonly read: (text: string) => Recipes;
}

interface Recipes {
  readonly all: ReadonlyMap<string, Recipe>;
  /** The default recipe. */
  readonly first: string | null;
}

/** Maximum recipes of one command. */
const maxRecipes = 50;
/** Maximum depth of variables within variables. */
const maxDepth = 5;

const make: Runner = {
  names: ["GNUmakefile", "makefile", "Makefile"],
  file: ["-f", "--file", "--makefile"],
  folder: ["-C", "--directory"],
  valued: ["-I", "--include-dir", "-o", "-W", "-E", "--eval"],
  read: (text) => readRecipes(text, { isMake: true }),
};
const just: Runner = {
  names: ["justfile", "Justfile", ".justfile"],
  file: ["-f", "--justfile"],
  folder: ["-d", "--working-directory"],
  valued: ["--set", "--shell", "--color"],
  read: (text) => readRecipes(text, { isMake: false }),
};
const task: Runner = {
  names: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"],
  file: ["-t", "--taskfile"],
  folder: ["-d", "--dir"],
  valued: ["-c", "--concurrency", "-o", "--output"],
  read: readTasks,
};
const runners: Readonly<Record<string, Runner>> = {
  make,
  gmake: make,
  just,
  task,
  "go-task": task,
};

/** Returns the recipes that a command runs. */
export function recipeRuns(program: string, texts: readonly string[]): readonly StoredRun[] {
  const runner = ownValue(runners, program);
  if (runner === undefined) return [];
  const wanted: string[] = [];
  let [folder, file] = [".", ""];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    const [name = "", value] = text.startsWith("--") ? text.split("=", 2) : [text];
    const given = (): string => value ?? texts[(at += 1)] ?? "";
    if (runner.file.includes(name)) file = given();
    else if (runner.folder.includes(name)) folder = given();
    else if (runner.valued.includes(name)) given();
    else if (!text.startsWith("-") && !text.includes("=")) wanted.push(text);
  }
  const names = (file === "" ? runner.names : [file]).map((name) =>
    name.startsWith("/") ? name : `${folder}/${name}`,
  );
  const scripts = (text: string) => scriptsOf(runner.read(text), wanted);
  return [{ names, part: wanted.join(" "), language: "by-first-line", scripts }];
}

/** Returns the lines of the recipes that run, after those of their dependencies. */
function scriptsOf({ all, first }: Recipes, wanted: readonly string[]): string[] {
  const scripts: string[] = [];
  const done = new Set<string>();
  const run = (name: string): void => {
    const recipe = all.get(name);
    if (recipe === undefined || done.has(name) || done.size >= maxRecipes) return;
    done.add(name);
    for (const need of recipe.needs) run(need);
    if (recipe.lines.length > 0) scripts.push(recipe.lines.join("\n"));
  };
  const [only] = wanted;
  for (const name of only === undefined ? [first ?? ""] : wanted) run(name);
  return scripts;
}

/** Reads a makefile or justfile: headers of recipes with indented lines below. */
function readRecipes(text: string, { isMake }: { readonly isMake: boolean }): Recipes {
  const all = new Map<string, Recipe>();
  const values = new Map<string, string>();
  let first: string | null = null;
  let current: string[] | null = null;
  const filled = (line: string) => (isMake ? withMakeValues(line, values) : withJustValues(line, values));
  for (const line of text.replaceAll(/\\\r?\n/gu, " ").split(/\r?\n/u)) {
    if (isMake ? line.startsWith("\t") : /^[ \t]/u.test(line)) {
      current?.push(filled(line.trim().replace(/^[@+-]+/u, "")));
      continue;
    }
    const assigned = /^(?:export\s+)?(?<name>[\w-]{1,80})\s{0,9}(?:\+|\?|::?:?|!)?=(?<value>.*)$/u.exec(
      line,
    )?.groups;
    if (assigned !== undefined) {
      values.set(assigned["name"] ?? "", unquoted((assigned["value"] ?? "").trim(), isMake));
      continue;
    }
    const header = /^@?(?<names>[^:=#\s][^:=#]{0,300}?)\s{0,9}::?(?!=)(?<rest>.*)$/u.exec(line)?.groups;
    if (header === undefined) continue;
    const [rest = "", own] = (header["rest"] ?? "").split(";", 2);
    const words = filled(header["names"] ?? "").split(/\s+/u);
    const names = isMake ? words : words.slice(0, 1);
    const needs = filled(rest.replace(/#.*/su, ""))
      .split(/[\s|()&]+/u)
      .filter((word) => word !== "");
    const lines = own === undefined || !isMake ? [] : [filled(own)];
    current = lines;
    for (const name of names) {
      const before = all.get(name);
      all.set(name, { needs: [...(before?.needs ?? []), ...needs], lines });
      if (before !== undefined) lines.unshift(...before.lines);
      if (!name.startsWith(".")) first ??= name;
    }
  }
  return { all, first };
}

const unquoted = (value: string, isMake: boolean): string =>
  isMake ? value : value.replace(/^(?<quote>["'])(?<text>.*)\k<quote>$/u, "$<text>");

/** Replaces make's variables by their values, and two dollar signs by one. */
function withMakeValues(line: string, values: ReadonlyMap<string, string>, depth = 0): string {
  return line.replaceAll(
    /\$(?:\$|\((?<round>[^()$]*(?:\([^()]*\)[^()]*|\$[^()]*)?)\)|\{(?<curly>[^{}]*)\}|[@<^*?+|%])/gu,
    (whole: string, round?: string, curly?: string) => {
      if (whole === "$$") return "$";
      const name = round ?? curly ?? "";
      if (name === "HOME" && !values.has(name)) return "$HOME";
      const value = values.get(name);
      return value === undefined || depth >= maxDepth
        ? unknownText
        : withMakeValues(value, values, depth + 1);
    },
  );
}

function withJustValues(line: string, values: ReadonlyMap<string, string>): string {
  return line.replaceAll(/\{\{\s{0,9}(?<name>[^{}]{1,200}?)\s{0,9}\}\}/gu, (_whole: string, name: string) =>
    /^(?:home_dir|home_directory)\(\)$/u.test(name) ? "~" : (values.get(name) ?? unknownText),
  );
}

/** Reads a taskfile by indentation: all lines below a task's name may be commands. */
function readTasks(text: string): Recipes {
  const all = new Map<string, Recipe>();
  let tasksIndent = -1;
  let nameIndent = -1;
  let current: { readonly needs: string[]; readonly lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/u)) {
    const indent = line.search(/\S/u);
    if (indent === -1) continue;
    if (tasksIndent === -1) {
      if (/^tasks:\s*$/u.test(line)) tasksIndent = 0;
      continue;
    }
    if (indent === 0) break;
    if (nameIndent === -1) nameIndent = indent;
    const header = /^\s+["']?(?<name>[^\s"':][^"']{0,80}?)["']?:(?<rest>.*)$/u.exec(line)?.groups;
    if (indent === nameIndent && header !== undefined) {
      current = { needs: [], lines: [] };
      all.set(header["name"] ?? "", current);
      const only = (header["rest"] ?? "").trim();
      if (only !== "") current.lines.push(plainValue(only));
      continue;
    }
    const content = line.trim().replace(/^- +/u, "");
    const member = /^(?<name>cmds?|sh|defer|task|deps):\s*(?<value>.*)/u.exec(content)?.groups;
    const value = plainValue(member?.["value"] ?? content);
    if (member?.["name"] === "task" || member?.["name"] === "deps")
      current?.needs.push(...value.split(/[\s,[\]"']+/u).filter((word) => word !== ""));
    else if (value !== "" && value !== "|" && value !== ">") current?.lines.push(value);
  }
  return { all, first: all.has("default") ? "default" : null };
}

/** Returns a value of YAML without its quotes and the templates in it. */
function plainValue(value: string): string {
  const text = value.replace(/^\[(.*)\]$/u, "$1").replace(/^(?<quote>["'])(?<text>.*)\k<quote>$/u, "$<text>");
  return text.replaceAll(/\{\{[^{}]*\}\}/gu, unknownText);
}
