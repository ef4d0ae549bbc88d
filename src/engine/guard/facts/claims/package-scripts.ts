import type { Argument, Invocation } from "../../commands/invocation.ts";
import { type Claim, type ScriptClaim, placeOf, type TargetClaim } from "./claim.ts";
import { isCertain, isPlainName, readOperands, type OptionSpec } from "./operands.ts";

const tools: Readonly<Record<TargetClaim["tool"], OptionSpec>> = {
  make: {
    flags:
      "-B -k -n -s -w -S --always-make --keep-going --dry-run --just-print --silent --quiet --print-directory --no-print-directory -j --jobs",
    valued: "-C --directory -f --file --makefile -o -W -l",
  },
  just: { flags: "-n --dry-run -q --quiet -v --verbose --yes", valued: "-d -f --justfile", isLeading: true },
  task: { flags: "-f --force -s --silent -v --verbose -y --yes -n --dry -p --parallel", valued: "-d --dir" },
};

/** Returns the targets in a build tool's command. */
export function targetClaims({ program, args, folder }: Invocation): Claim[] {
  const tool = program === "gmake" ? "make" : program;
  if (tool !== "make" && tool !== "just" && tool !== "task") return [];
  // `-j8` has a number; `-j` need not.
  const known = readOperands(
    tools[tool],
    args.filter(({ text }) => !/^(?:-j|--jobs=)./u.test(text)),
  );
  if (known === null) return [];
  const { operands, flags, values, dashes } = known;
  // The next word may be the number of `-j`.
  const all =
    flags.has("-j") || flags.has("--jobs") ? operands.filter(({ text }) => !/^\d+$/u.test(text)) : operands;
  const moved = values.get("-C") ?? values.get("--directory") ?? values.get("-d") ?? values.get("--dir");
  const file =
    values.get("-f") ?? values.get("--file") ?? values.get("--makefile") ?? values.get("--justfile");
  if ([moved, file].some((each) => each !== undefined && !isCertain(each))) return [];
  // With a justfile, just has other rules for the folder.
  if (tool === "just" && moved !== undefined) return [];
  const place = moved === undefined ? folder : placeOf(moved.text, folder);
  if (place === null || !all.every(isCertain)) return [];
  const names = (tool === "task" && dashes !== null ? all.slice(0, dashes) : all).map(({ text }) => text);
  const targets = names.filter((name) => !name.includes("="));
  const counted = tool === "just" ? targets.slice(0, 1) : targets;
  return counted
    .filter((name) => /^[A-Za-z_][\w.:-]*$/u.test(name) && name.length <= 100)
    .map((name) => ({ kind: "target", tool, name, folder: place, file: file?.text ?? null }));
}

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

/** Scripts that package managers have themselves or that may be missing. */
const builtIn = new Set(["env", "start", "restart", "stop", "node-gyp", "install", "init"]);

/** Returns the script in a package manager's command. */
export function scriptClaims({ program, args, folder }: Invocation): Claim[] {
  const manager = (["npm", "pnpm", "yarn", "bun"] as const).find((name) => name === program);
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

/** Tests for one workspace: filters of pnpm can also select many packages. */
function isWorkspace(arg: Argument): boolean {
  return isCertain(arg) && /^@?[\w.-]+(?:\/[\w.-]+)*$/u.test(arg.text);
}

function nameIndex(spec: OptionSpec, args: readonly Argument[], begin: number): number {
  const valued = (spec.valued ?? "").split(" ");
  let at = begin;
  while (args[at]?.text.startsWith("-") === true) at += valued.includes(args[at]?.text ?? "") ? 2 : 1;
  return at;
}

/** Returns the options after a script's name that may change its place; null if one may select several. */
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
