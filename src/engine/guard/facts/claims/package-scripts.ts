import type { Argument, Invocation } from "../../commands/invocation.ts";
import type { Claim, ScriptClaim } from "./claim.ts";
import { isCertain, isPlainName, readOperands, type OptionSpec } from "./operands.ts";
import { placeOf } from "./absolute-path.ts";

interface ManagerSpec extends OptionSpec {
  /** Words before a script's name. */
  readonly runs: readonly string[];
  /** Words that are a script's name themselves. */
  readonly scripts: readonly string[];
  readonly folders: readonly string[];
  readonly workspaces: readonly string[];
}

const managers: Readonly<Record<ScriptClaim["manager"], ManagerSpec>> = {
  npm: {
    runs: ["run", "run-script", "rum", "urn"],
    scripts: ["test", "t", "tst"],
    flags: "-s --silent -q --quiet -d --foreground-scripts --ignore-scripts",
    valued: "--prefix -C -w --workspace --loglevel",
    folders: ["--prefix", "-C"],
    workspaces: ["-w", "--workspace"],
  },
  pnpm: {
    runs: ["run", "run-script"],
    scripts: ["test", "t"],
    flags: "-s --silent",
    valued: "-C --dir --filter -F --loglevel --reporter",
    folders: ["-C", "--dir"],
    workspaces: ["--filter", "-F"],
  },
  yarn: {
    runs: ["run"],
    scripts: ["test"],
    flags: "-s --silent",
    valued: "--cwd",
    folders: ["--cwd"],
    workspaces: [],
  },
  bun: {
    runs: ["run"],
    scripts: [],
    flags: "--silent --bun -b",
    valued: "--cwd",
    folders: ["--cwd"],
    workspaces: [],
  },
};

const managerNames = ["npm", "pnpm", "yarn", "bun"] as const;

/** Scripts that package managers have themselves, or that need not be there. */
const builtIn = new Set(["env", "start", "restart", "stop", "node-gyp", "install", "init"]);

/** Returns the script in a package manager's command. */
export function scriptClaims({ program, args, folder }: Invocation): Claim[] {
  const manager = managerNames.find((name) => name === program);
  if (manager === undefined) return [];
  const spec = managers[manager];
  const at = args.findIndex(
    ({ text }) => spec.runs.includes(text) || spec.scripts.includes(text) || text === "--",
  );
  const word = args[at]?.text;
  if (word === undefined || word === "--") return [];
  const before = readOperands(spec, args.slice(0, at));
  if (before === null || before.operands.length > 0) return [];
  const isRun = spec.runs.includes(word);
  const nameAt = isRun ? nameIndex(spec, args, at + 1) : at;
  const named = args[nameAt];
  if (named === undefined || !isCertain(named)) return [];
  const name = isRun ? named.text : "test";
  // Options of a package manager may follow the script's name, up to the script's own.
  const after = ownOptions(spec, args.slice(nameAt + 1));
  const between = readOperands(spec, args.slice(at + 1, Math.max(nameAt, at + 1)));
  if (after === null || between === null) return [];
  if (builtIn.has(name) || name.startsWith("/") || name.includes("*") || !isPlainName(name)) return [];
  const values = new Map([...before.values, ...between.values, ...after]);
  const valueOf = (options: readonly string[]) => options.map((each) => values.get(each)).find(Boolean);
  const [moved, workspace] = [valueOf(spec.folders), valueOf(spec.workspaces)];
  if ((moved !== undefined && !isCertain(moved)) || (workspace !== undefined && !isWorkspace(workspace)))
    return [];
  const place = moved === undefined ? folder : placeOf(moved.text, folder);
  if (place === null) return [];
  return [{ kind: "script", manager, name, folder: place, workspace: workspace?.text ?? null }];
}

/** Filters of pnpm can choose many packages, by patterns and by what depends on them. */
function isWorkspace(arg: Argument): boolean {
  return isCertain(arg) && /^@?[\w.-]+(?:\/[\w.-]+)*$/u.test(arg.text);
}

function nameIndex(spec: OptionSpec, args: readonly Argument[], begin: number): number {
  const valued = (spec.valued ?? "").split(" ");
  let at = begin;
  while (args[at]?.text.startsWith("-") === true) at += valued.includes(args[at]?.text ?? "") ? 2 : 1;
  return at;
}

/** Returns the options behind a script's name that may change where it is looked for; null where one is not known. */
function ownOptions(
  spec: ManagerSpec,
  args: readonly Argument[],
): readonly (readonly [string, Argument])[] | null {
  const found: (readonly [string, Argument])[] = [];
  const valueOptions = [...spec.folders, ...spec.workspaces];
  for (const [index, { text }] of args.entries()) {
    if (text === "--") break;
    if (text === "--if-present" || text.startsWith("--workspaces") || text === "-ws" || text === "-r")
      return null;
    const name = valueOptions.find((option) => text === option || text.startsWith(`${option}=`));
    if (name === undefined) continue;
    const next = args[index + 1];
    if (text === name) {
      if (next === undefined) return null;
      found.push([name, next]);
    } else found.push([name, { text: text.slice(name.length + 1), isPattern: false, from: [] }]);
  }
  return found;
}
