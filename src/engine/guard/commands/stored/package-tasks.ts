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
const installing = new Set([
  "install",
  "i",
  "ci",
  "add",
  "install-test",
  "it",
  "link",
  "ln",
  "rebuild",
  "rb",
]);
const atVersion = ["preversion", "version", "postversion"];
const atInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
const atPublishing = ["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];
/** Options for the package's folder, and others that take a word. */
const folderOptions = new Set(["--prefix", "-C", "--dir", "--cwd"]);
const valued = new Set(["--loglevel", "--registry", "--reporter"]);
/** Options for one package of several, and for all. */
const memberOptions = new Set(["-w", "--workspace", "--filter", "-F"]);
const allOptions = new Set(["-ws", "--workspaces", "-r", "--recursive", "--if-present"]);
/** Folders in which such packages usually are. */
const memberFolders = ["", "packages/", "apps/", "libs/", "services/"];
/** Maximum folders between a command and its package. */
const maxParents = 6;

interface Words {
  readonly folder: string;
  /** The name or folder of one of several packages; `*` for all. */
  readonly member: string | null;
  readonly words: readonly string[];
}

/** Returns the scripts of a package.json, or tasks of a deno.json, that a command runs. */
export function packageRuns(program: string, texts: readonly string[]): readonly StoredRun[] {
  const { folder, words, member } = wordsOf(texts);
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
  if (first === "version") return [packageRun(folder, atVersion)];
  if (first === "publish" || first === "pack") return [packageRun(folder, atPublishing)];
  const own = ownValue(named, first);
  // pnpm, yarn and bun run a script by its name alone.
  const name = running.has(first) ? second : (own ?? (program === "npm" ? "" : first));
  if (name === "" || (program === "bun" && first === "test")) return [];
  const names = [`pre${name}`, name, `post${name}`];
  if (member === "*") return [packageRun(folder, names), ...everyMember(names)];
  return [packageRun(folder, names, member === null ? undefined : memberFiles(member))];
}

function wordsOf(texts: readonly string[]): Words {
  const words: string[] = [];
  let folder = ".";
  let member: string | null = null;
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (text === "--") break;
    const joined = /^(?<name>--(?:prefix|dir|cwd))=(?<value>.+)$/u.exec(text)?.groups?.["value"];
    const [name = "", value] = text.split("=", 2);
    if (memberOptions.has(name)) member = value ?? texts[(at += 1)] ?? null;
    else if (allOptions.has(text)) member = "*";
    else if (folderOptions.has(text)) folder = texts[(at += 1)] ?? folder;
    else if (joined !== undefined) folder = joined;
    else if (valued.has(text)) at += 1;
    else if (!text.startsWith("-")) words.push(text);
  }
  // `yarn workspace NAME SCRIPT`, and `yarn workspaces run SCRIPT`.
  if (words[0] === "workspace") [, member = null] = words.splice(0, 2);
  else if (words[0] === "workspaces") [member] = ["*", words.splice(0, 1)];
  return { folder, words, member };
}

/** Returns the package.json of one of several packages, by its name or folder. */
function memberFiles(member: string): string[] {
  const name = member.replace(/^(?:@[^/]*\/|\.\/|\.{3})|\.{3}$/gu, "");
  return memberFolders.map((folder) => `${folder}${name}/package.json`);
}

/** Returns the scripts of all packages of a project. */
export const everyMember = (names: readonly string[]): readonly StoredRun[] =>
  memberFolders.slice(1).map((folder) => packageRun(".", names, [`${folder}*/package.json`]));

export const above = (folder: string, file: string): string[] =>
  Array.from({ length: maxParents }, (_, count) => `${folder}/${"../".repeat(count)}${file}`);

function packageRun(
  folder: string,
  names: readonly string[],
  files: readonly string[] = above(folder, "package.json"),
): StoredRun {
  return {
    names: files,
    part: names.join(" "),
    language: "shell",
    isInOwnFolder: true,
    scripts: (text) => membersOf(parseJson(text), "scripts", names),
  };
}

function denoRun(folder: string, name: string): StoredRun {
  return {
    names: [...above(folder, "deno.json"), ...above(folder, "deno.jsonc"), ...above(folder, "package.json")],
    part: name,
    language: "shell",
    isInOwnFolder: true,
    scripts: (text) => {
      const config = parseJson(text.replaceAll(/(?<=^|\s)\/\/.*$/gmu, "")) ?? {};
      return [...membersOf(config, "tasks", [name]), ...membersOf(config, "scripts", [name])];
    },
  };
}

/** Returns the scripts of members, which are texts, lists or tables. */
export function membersOf(config: unknown, member: string, names: readonly string[]): string[] {
  const scripts = memberOf(config, member);
  const own = isObject(scripts) ? Object.keys(scripts) : [];
  // `run-s build:*` names several.
  const all = names.flatMap((name) =>
    name.endsWith("*") ? own.filter((each) => each.startsWith(name.slice(0, name.indexOf("*")))) : name,
  );
  return all.flatMap((name) => {
    const script = memberOf(scripts, name);
    const isTable = typeof script === "object" && !Array.isArray(script);
    const command = isTable ? memberOf(script, "command") : script;
    const commands: readonly unknown[] = Array.isArray(command) ? command : [command];
    return commands.filter((each) => typeof each === "string");
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) ? ownValue(value, name) : undefined;
