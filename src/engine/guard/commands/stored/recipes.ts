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
  readonly read: (text: string, other: Other, given: ReadonlyMap<string, string>) => Recipes;
  /** Whether it enters the folder of its file. */
  readonly isInOwnFolder?: true;
}

/** Returns the text of an included file; null if there is none. */
type Other = (name: string) => string | null;

interface Recipes {
  /** Commands that run with every recipe. */
  readonly always?: readonly string[];
  readonly all: ReadonlyMap<string, Recipe>;
  /** The default recipe. */
  readonly first: string | null;
}

/** Maximum recipes of one command. */
const maxRecipes = 50;
/** Maximum lines of a recipe that another part is added to. */
const maxLines = 200;
/** Maximum length of a line with its values. Characters. */
const maxLineLength = 5000;
/** Maximum depth of variables within variables. */
const maxDepth = 5;

const make: Runner = {
  names: ["GNUmakefile", "makefile", "Makefile"],
  file: ["-f", "--file", "--makefile"],
  folder: ["-C", "--directory"],
  valued: ["-I", "--include-dir", "-o", "-W", "-E", "--eval"],
  read: (text, other, given) => readRecipes(withIncluded(text, other), { isMake: true, given }),
};
const just: Runner = {
  names: ["justfile", "Justfile", ".justfile"],
  file: ["-f", "--justfile"],
  folder: ["-d", "--working-directory"],
  valued: ["--set", "--shell", "--color"],
  read: (text, other, given) => readRecipes(withIncluded(text, other), { isMake: false, given }),
  isInOwnFolder: true,
};
const task: Runner = {
  names: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"],
  file: ["-t", "--taskfile"],
  folder: ["-d", "--dir"],
  valued: ["-c", "--concurrency", "-o", "--output"],
  read: readTasks,
  isInOwnFolder: true,
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
  const assigned = new Map<string, string>();
  let [folder, file] = [".", ""];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    const [name = "", value] = text.startsWith("--") ? text.split("=", 2) : [text];
    const given = (): string => value ?? texts[(at += 1)] ?? "";
    if (runner.file.includes(name)) file = given();
    else if (runner.folder.includes(name)) folder = given();
    else if (runner.valued.includes(name)) given();
    else if (/^[A-Za-z_]\w*=/u.test(text))
      assigned.set(text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1));
    else if (!text.startsWith("-") && !text.includes("=")) wanted.push(text);
  }
  const names = (file === "" ? runner.names : [file]).map((name) =>
    name.startsWith("/") ? name : `${folder}/${name}`,
  );
  const scripts: StoredRun["scripts"] = (text, other) =>
    scriptsOf(runner.read(text, other, assigned), wanted);
  const isInOwnFolder = runner.isInOwnFolder === true || (file === "" && folder !== ".");
  const part = [...wanted, ...assigned.values()].join(" ");
  return [{ names, part, language: "by-first-line", ...(isInOwnFolder ? { isInOwnFolder } : {}), scripts }];
}

/** Returns the lines of the recipes that run, after those of their dependencies. */
function scriptsOf({ all, first, always = [] }: Recipes, wanted: readonly string[]): string[] {
  const scripts: string[] = [...always];
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

/** Maximum files that one file includes, also through others. */
const maxIncluded = 10;

/** Adds the files that a makefile or justfile includes. */
function withIncluded(text: string, other: Other): string {
  const texts = [text];
  const names: string[] = [];
  for (let at = 0; at < texts.length && at <= maxIncluded; at += 1)
    for (const [, make, just] of (texts[at] ?? "").matchAll(included))
      for (const name of (just ?? make ?? "").trim().split(/\s+/u)) {
        const isNew = !names.includes(name) && names.length < maxIncluded;
        const found = isNew ? other(name) : null;
        names.push(name);
        if (found !== null) texts.push(found);
      }
  return texts.join("\n");
}

/** A makefile's `include FILES`, and a justfile's `import 'FILE'`. */
const included = /^(?:[-s]?include[ \t]+([^#\n]{1,300})|import\??[ \t]+["']([^"'\n]{1,200})["'])/gmu;

/** Reads a makefile or justfile: headers of recipes with indented lines below. */
function readRecipes(
  text: string,
  { isMake, given }: { readonly isMake: boolean; readonly given: ReadonlyMap<string, string> },
): Recipes {
  const all = new Map<string, Recipe>();
  const values = new Map(given);
  const always: string[] = [];
  let first: string | null = null;
  let current: string[] | null = null;
  const filled = (line: string) => (isMake ? withMakeValues(line, values) : withJustValues(line, values));
  let defined: { readonly name: string; readonly lines: string[] } | null = null;
  for (const line of text.replaceAll(/\\\r?\n/gu, " ").split(/\r?\n/u)) {
    const begun = isMake ? /^define\s+(?<name>[\w-]{1,80})/u.exec(line)?.groups?.["name"] : undefined;
    if (begun !== undefined) defined = { name: begun, lines: [] };
    else if (defined !== null && line.startsWith("endef")) {
      values.set(defined.name, defined.lines.join("\n"));
      defined = null;
    } else defined?.lines.push(line.trim());
    if (defined !== null) continue;
    const goal = /^\.DEFAULT_GOAL\s{0,9}:?=\s{0,9}(?<goal>[\w-]{1,80})/u.exec(line)?.groups?.["goal"];
    if (goal !== undefined) {
      first = goal;
      continue;
    }
    if (isMake ? line.startsWith("\t") : /^[ \t]/u.test(line)) {
      current?.push(filled(line.trim().replace(/^[@+-]+/u, "")));
      continue;
    }
    const assigned = /^(?:export\s+)?(?<name>[\w-]{1,80})\s{0,9}(?:\+|\?|::?:?|!)?=(?<value>.*)$/u.exec(
      line,
    )?.groups;
    if (assigned !== undefined) {
      // Make runs these when it reads the file.
      const run = isMake
        ? /:=\s{0,9}\$\(shell\s+(?<run>[^\n]{1,500})\)\s*$/u.exec(line)?.groups?.["run"]
        : undefined;
      if (run !== undefined) always.push(run);
      // Values of the command line come first.
      if (!given.has(assigned["name"] ?? ""))
        values.set(assigned["name"] ?? "", unquoted((assigned["value"] ?? "").trim(), isMake));
      continue;
    }
    const alias = isMake
      ? null
      : /^alias\s{1,9}(?<name>[\w-]{1,80})\s{0,9}:=\s{0,9}(?<of>[\w-]{1,80})/u.exec(line)?.groups;
    if (alias?.["name"] !== undefined) {
      all.set(alias["name"], { needs: [alias["of"] ?? ""], lines: [] });
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
      const known = all.get(name);
      const before = known === undefined || known.lines.length > maxLines ? undefined : known;
      all.set(name, { needs: [...(before?.needs ?? []), ...needs], lines });
      if (before !== undefined) lines.unshift(...before.lines);
      if (!name.startsWith(".")) first ??= name;
    }
  }
  return { all, first, always };
}

const unquoted = (value: string, isMake: boolean): string =>
  isMake ? value : value.replace(/^(?<quote>["'])(?<text>.*)\k<quote>$/u, "$<text>");

/** Replaces make's variables by their values, and two dollar signs by one. */
function withMakeValues(line: string, values: ReadonlyMap<string, string>, depth = 0): string {
  return line.replaceAll(
    /\$(?:\$|\((?<round>[^()$]*(?:\([^()]*\)[^()]*|\$[^()]*)?)\)|\{(?<curly>[^{}]*)\}|[@<^*?+|%])/gu,
    (whole: string, round?: string, curly?: string) => {
      if (whole === "$$") return "$";
      const name = (round ?? curly ?? "").replace(/^call\s+/u, "").split(",", 1)[0] ?? "";
      if (name === "HOME" && !values.has(name)) return "$HOME";
      if (name === "MAKE") return "make";
      const value = values.get(name);
      return value === undefined || depth >= maxDepth
        ? unknownText
        : withMakeValues(value, values, depth + 1);
    },
  );
}

const justHome = /^(?:home_dir(?:ectory)?\(\)|env(?:_var)?(?:_or_default)?\(\s{0,3}["']HOME["'].*)$/u;

function withJustValues(line: string, values: ReadonlyMap<string, string>): string {
  return line.replaceAll(/\{\{\s{0,9}(?<name>[^{}]{1,200}?)\s{0,9}\}\}/gu, (_whole: string, name: string) =>
    justHome.test(values.get(name) ?? name) ? "~" : (values.get(name) ?? unknownText),
  );
}

/** Returns the names and files of the taskfiles that one includes. */
function includedTasks(text: string): [string, string][] {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.startsWith("includes:")) + 1;
  const found: [string, string][] = [];
  let space = "";
  for (const line of begin === 0 ? [] : lines.slice(begin)) {
    if (/^\S/u.test(line)) break;
    const { name = "", value = "" } =
      /^\s+["']?(?<name>[\w-]{1,80})["']?:(?<value>.*)$/u.exec(line)?.groups ?? {};
    const file = plainValue(value.trim());
    if (name === "taskfile") found.push([space, file]);
    else if (file === "") space = name;
    else if (!includeOptions.has(name)) found.push([name, file]);
  }
  return found.slice(0, maxIncluded);
}

const includeOptions = new Set(["dir", "internal", "optional", "flatten"]);

/** Reads a taskfile by indentation: all lines below a task's name may be commands. */
function readTasks(text: string, other: Other): Recipes {
  const all = new Map<string, Recipe>();
  for (const [space, file] of includedTasks(text)) {
    const names = /\.ya?ml$/u.test(file) ? [file] : task.names.map((name) => `${file}/${name}`);
    const found = names.map(other).find((each) => each !== null);
    // Those that these include are not read.
    const inner = found === undefined ? null : readTasks(found, () => null);
    for (const [name, { needs, lines }] of inner?.all ?? [])
      all.set(`${space}:${name}`, { needs: needs.map((need) => `${space}:${need}`), lines });
  }
  const values = new Map([["HOME", "$HOME"]]);
  // A value within itself would double each time.
  const filled = (line: string) => {
    const whole = line.replaceAll(
      /\{\{\s{0,9}\.(\w{1,80})\s{0,9}\}\}/gu,
      (written, name: string) => values.get(name) ?? written,
    );
    return whole.length > maxLineLength ? line : whole;
  };
  let tasksIndent = -1;
  let nameIndent = -1;
  let current: { readonly needs: string[]; readonly lines: string[] } | null = null;
  for (const written of text.split(/\r?\n/u)) {
    const line = filled(written);
    const indent = line.search(/\S/u);
    if (indent === -1) continue;
    if (tasksIndent === -1) {
      const { name = "", value = "" } = /^\s+(?<name>[A-Z_]\w{0,80}):(?<value>.+)$/u.exec(line)?.groups ?? {};
      if (name !== "") values.set(name, plainValue(value.trim()));
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
