import { isObject, parseJson } from "../../../base/parse.ts";
import { ownValue } from "../../own-value.ts";
import type { StoredRun } from "./run-stored.ts";

const managers = new Set(["npm", "pnpm", "yarn", "bun"]);
const running = new Set(["run", "run-script", "rum", "urn"]);
/** Commands of npm that run a script, with their short forms. */
const named: Readonly<Record<string, string>> = {
  t: "test",
  tst: "test",
  test: "test",
  start: "start",
  stop: "stop",
  restart: "restart",
};
/** Commands that run the project's installation scripts. */
const installing = new Set(["install", "i", "ci", "add", "install-test", "it"]);
const atInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
const atPublishing = ["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];
/** Options for the package's folder, and others that take a word. */
const folderOptions = new Set(["--prefix", "-C", "--dir", "--cwd"]);
const valued = new Set(["-w", "--workspace", "--filter", "-F", "--loglevel", "--registry", "--reporter"]);
/** Maximum folders between a command and its package. */
const maxParents = 6;

interface Words {
  readonly folder: string;
  readonly words: readonly string[];
}

/** Returns the scripts of a package.json, or tasks of a deno.json, that a command runs. */
export function packageRuns(program: string, texts: readonly string[]): readonly StoredRun[] {
  const { folder, words } = wordsOf(texts);
  const [first = "", second = ""] = words;
  if (program === "node") {
    const at = texts.findIndex((text) => text === "--run" || text.startsWith("--run="));
    const name = at === -1 ? undefined : (texts[at]?.split("=")[1] ?? texts[at + 1]);
    return name === undefined ? [] : [packageRun(folder, [name])];
  }
  if (program === "deno") return first === "task" && second !== "" ? [denoRun(folder, second)] : [];
  if (!managers.has(program)) return [];
  if (first === "" || installing.has(first))
    return program === "npm" && first === "" ? [] : [packageRun(folder, atInstall)];
  if (first === "publish" || first === "pack") return [packageRun(folder, atPublishing)];
  const own = ownValue(named, first);
  // pnpm, yarn and bun run a script by its name alone.
  const name = running.has(first) ? second : (own ?? (program === "npm" ? "" : first));
  return name === "" || (program === "bun" && first === "test")
    ? []
    : [packageRun(folder, [`pre${name}`, name, `post${name}`])];
}

function wordsOf(texts: readonly string[]): Words {
  const words: string[] = [];
  let folder = ".";
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (text === "--") break;
    const joined = /^(?<name>--(?:prefix|dir|cwd))=(?<value>.+)$/u.exec(text)?.groups?.["value"];
    if (folderOptions.has(text)) folder = texts[(at += 1)] ?? folder;
    else if (joined !== undefined) folder = joined;
    else if (valued.has(text)) at += 1;
    else if (!text.startsWith("-")) words.push(text);
  }
  return { folder, words };
}

export const above = (folder: string, file: string): string[] =>
  Array.from({ length: maxParents }, (_, count) => `${folder}/${"../".repeat(count)}${file}`);

function packageRun(folder: string, names: readonly string[]): StoredRun {
  return {
    names: above(folder, "package.json"),
    part: names.join(" "),
    language: "shell",
    scripts: (text) => membersOf(parseJson(text), "scripts", names),
  };
}

function denoRun(folder: string, name: string): StoredRun {
  return {
    names: [...above(folder, "deno.json"), ...above(folder, "deno.jsonc"), ...above(folder, "package.json")],
    part: name,
    language: "shell",
    scripts: (text) => {
      const config = parseJson(text.replaceAll(/^[ \t]*\/\/.*$/gmu, "")) ?? {};
      return [...membersOf(config, "tasks", [name]), ...membersOf(config, "scripts", [name])];
    },
  };
}

/** Returns the scripts of members, which are texts, lists or tables. */
export function membersOf(config: unknown, member: string, names: readonly string[]): string[] {
  const scripts = memberOf(config, member);
  return names.flatMap((name) => {
    const script = memberOf(scripts, name);
    const isTable = typeof script === "object" && !Array.isArray(script);
    const command = isTable ? memberOf(script, "command") : script;
    const commands: readonly unknown[] = Array.isArray(command) ? command : [command];
    return commands.filter((each) => typeof each === "string");
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) ? ownValue(value, name) : undefined;
