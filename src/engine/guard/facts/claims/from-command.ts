import { isUnknown, type Invocation, type ShellContext } from "../../commands/invocation.ts";
import { readCommandLine } from "../../commands/shell-reader.ts";
import { targetClaims } from "./build-targets.ts";
import type { Claim } from "./claim.ts";
import { flagClaims } from "./flags.ts";
import { gitCommandOf, refClaims } from "./git-refs.ts";
import { scriptClaims } from "./package-scripts.ts";
import { packageClaims } from "./packages.ts";
import { pathClaims } from "./read-paths.ts";
import { testClaims } from "./test-names.ts";

/** Longer command lines are scripts, in which names are made. Characters. */
const longest = 2000;
/** More things than these of one call are not looked up. */
const mostClaims = 8;

/**
 * Lines that ask whether something is there, go on where it is not, or change what their names mean. Nothing is said of them: who asks
 * knows that it may not be there.
 */
const isAsking =
  /\|\||\/dev\/null|2>&-|(?:^|[;&|({\n]|\b(?:then|do|else)\s)[^\S\n]*(?:!\s*)?(?:if|while|until|case|select|test|which|type|alias|function|trap|getopts|hash)\s|\[\[?\s|\bcommand\s+-[vV]|GIT_|CDPATH|CLAUDE_PROJECT_DIR|printf\s+-v|\(\)/u;

/** Wrappers that leave folder and files as they are. */
const plainWrappers = new Set(
  "sudo env timeout gtimeout nice nohup time command builtin exec stdbuf bash sh zsh".split(" "),
);
/** Programs of package managers that run another program where they are themselves. */
const runners = new Set(["npx", "bunx", "pnpm", "yarn", "poetry", "uv"]);

/** Returns what a command line names that could be missing when it runs. Nothing is run, and no file is read. */
export function commandClaims(command: string, context: ShellContext): Claim[] {
  if (command.length > longest || isAsking.test(command)) return [];
  const claims: Claim[] = [];
  const invocations = readCommandLine(command, context);
  for (const [index, invocation] of invocations.entries()) {
    if (invocation.isGuess) return [];
    claims.push(...claimsOf(invocation, context));
    // What a runner runs comes next.
    const { program } = invocation;
    if (runners.has(program) && invocations[index + 1]?.via.includes(program) === true) continue;
    // From here on something may be there that was not before.
    if (!isQuiet(invocation)) break;
  }
  return claims.slice(0, mostClaims);
}

function claimsOf(invocation: Invocation, context: ShellContext): Claim[] {
  const { place, via, folder, args } = invocation;
  if (place !== "here" || (folder !== null && isUnknown(folder))) return [];
  const help = args.some(({ text }) => text === "--help" || text === "--version");
  if (help) return [];
  const isPlain = via.every((wrapper) => plainWrappers.has(wrapper));
  const isRun = via.every((wrapper) => plainWrappers.has(wrapper) || runners.has(wrapper));
  if (!isRun) return [];
  const tests = isPlain || isUnmoved(via) ? testClaims(invocation) : [];
  if (!isPlain) return tests;
  return [
    ...pathClaims(invocation, context),
    ...scriptClaims(invocation),
    ...targetClaims(invocation),
    ...refClaims(invocation),
    ...packageClaims(invocation),
    ...flagClaims(invocation),
    ...tests,
  ];
}

/** Whether none of the runners can have changed the folder by an option that is not followed. */
function isUnmoved(via: readonly string[]): boolean {
  return (
    !via.some((wrapper) => wrapper === "pnpm" || wrapper === "uv" || wrapper === "poetry") || via.length === 1
  );
}

const quietPrograms = new Set(
  "cat tac nl head tail wc less more stat file md5sum sha1sum sha256sum sha512sum diff cmp grep egrep fgrep rg jq ls du tree cd pwd echo printf true false date whoami id uname cut tr uniq basename dirname realpath readlink sleep export clear column comm env timeout gtimeout nice nohup time command builtin exec stdbuf sudo".split(
    " ",
  ),
);
const quietGit = new Set("log status diff show rev-parse ls-files blame describe shortlog reflog".split(" "));
const shells = new Set(["bash", "sh", "zsh"]);

/** Whether a program leaves all files and repositories as they are. */
function isQuiet(invocation: Invocation): boolean {
  const { program, args, redirections } = invocation;
  if (redirections.some(({ kind }) => kind !== "read")) return false;
  if (quietPrograms.has(program)) return true;
  if (program === "git") return quietGit.has(gitCommandOf(invocation)?.command ?? "");
  // Its script's own programs come next.
  if (shells.has(program)) return args[0]?.text === "-c";
  if (program === "sed") return !args.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)|w /u.test(text));
  return program === "sort" && !args.some(({ text }) => /^(?:-[a-zA-Z]*o|--output)/u.test(text));
}
