import { memberOf } from "../../own-value.ts";
import path from "node:path";
import type { ToolCall } from "../../../hooks/event.ts";
import { isUnknown, type Invocation, type ShellContext } from "../../commands/invocation.ts";
import { readCommandLine } from "../../commands/shell-reader.ts";
import { type Claim, isFleeting, placeOf } from "./claim.ts";
import { gitCommandOf, refClaims } from "./git-refs.ts";
import { javascriptImports, pythonImports, type Import } from "./module-names.ts";
import { isCertain, isPlainName } from "./operands.ts";
import { targetClaims, scriptClaims } from "./package-scripts.ts";
import { packageClaims, packageName } from "./packages.ts";
import { pathClaims } from "./read-paths.ts";
import { testClaims } from "./test-names.ts";

type FileCall = Extract<ToolCall, { kind: "read" | "edit" }>;

function fileClaims(call: FileCall, input: unknown, context: ShellContext): Claim[] {
  if (call.kind === "read") return pathsOf(call.file === null ? [] : [call.file], context);
  const text = call.text ?? "";
  const patched = patchedFiles(input);
  if (patched !== null) return pathsOf(patched, context);
  if (call.file === null) return [];
  const old = oldTexts(input);
  const needed = old.some((each) => each !== "") ? pathsOf([call.file], context) : [];
  const importer = placeOf(call.file, context.folder);
  return importer === null
    ? needed
    : [...needed, ...importClaims(importer, text, old.join("\n"))].slice(0, maxClaims);
}

function pathsOf(files: readonly string[], context: ShellContext): Claim[] {
  return files.flatMap((shown): Claim[] => {
    const file = shown.startsWith("~/") ? path.join(context.home, shown.slice(2)) : shown;
    const place = placeOf(file, context.folder);
    if (place === null || !isPlainName(shown) || /[*?]/u.test(shown) || isFleeting(place, context)) return [];
    return [{ kind: "path", path: place, shown, folder: context.folder, isSearched: false }];
  });
}

/** Returns the names that imports add to a file, without those that the old text has. */
function importClaims(importer: string, text: string, old: string): Claim[] {
  if (/\.[cm]?[jt]sx?$/u.test(importer) && !importer.endsWith(".d.ts"))
    return added(javascriptImports(text), javascriptImports(old)).flatMap(({ source, names }): Claim[] => {
      if (/^\.{1,2}\//u.test(source))
        return names.length === 0
          ? []
          : [{ kind: "export", language: "javascript", importer, source, names }];
      const name = source
        .split("/")
        .slice(0, source.startsWith("@") ? 2 : 1)
        .join("/");
      if (!packageName.test(name) || source.includes(":")) return [];
      return [{ kind: "package", name, ecosystem: "npm", folder: path.dirname(importer), importer }];
    });
  if (!importer.endsWith(".py")) return [];
  return added(pythonImports(text), pythonImports(old)).flatMap(({ source, names }): Claim[] =>
    names.length === 0 ? [] : [{ kind: "export", language: "python", importer, source, names }],
  );
}

function added(imports: readonly Import[], before: readonly Import[]): Import[] {
  return imports.flatMap(({ source, names }) => {
    const known = before.filter((each) => each.source === source);
    const fresh = names.filter((name) => !known.some((each) => each.names.includes(name)));
    return known.length > 0 && fresh.length === 0 ? [] : [{ source, names: fresh }];
  });
}

const oldMembers = ["old_string", "oldString", "old_str"];

/** Returns the texts that an edit replaces. */
function oldTexts(input: unknown): string[] {
  const edits = memberOf(input, "edits");
  const all: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  return all.flatMap((edit) =>
    oldMembers.flatMap((name) => {
      const text = memberOf(edit, name);
      return typeof text === "string" ? [text] : [];
    }),
  );
}

/** Returns the files that a patch in Codex's format changes or removes; null for another edit. */
function patchedFiles(input: unknown): string[] | null {
  const texts = ["patch", "input", "command"].map((name) => memberOf(input, name));
  const patch = texts.find((text) => typeof text === "string" && text.includes("*** Begin Patch"));
  if (typeof patch !== "string") return null;
  return Array.from(patch.matchAll(/^\*\*\* (?:Update|Delete) File: (?<file>.+)$/gmu), (match) =>
    (match.groups?.["file"] ?? "").trim(),
  );
}

/** Commands of git that list all their options in their usage. */
const gitCommands = new Set(
  "add branch checkout switch commit merge push pull fetch clone tag status reset restore rebase".split(" "),
);

/** Programs that list all their long options in `--help`, and that shells do not replace. */
const helpedPrograms: ReadonlySet<string> = new Set(
  "cat chmod cp curl cut df diff du head jq ln ls make mkdir mv rm rsync sed sort stat tail tar tee touch tr uniq wc wget".split(
    " ",
  ),
);

/** Returns the long options of a program that describes them itself. */
function flagClaims(invocation: Invocation): Claim[] {
  const { program } = invocation;
  const git = program === "git" ? gitCommandOf(invocation) : null;
  if (program === "git" ? git === null || !gitCommands.has(git.command) : !helpedPrograms.has(program))
    return [];
  const [words, folder] = git === null ? [invocation.args, invocation.folder] : [git.rest, git.folder];
  if (folder === null) return [];
  const end = words.findIndex(({ text }) => text === "--");
  const own = end === -1 ? words : words.slice(0, end);
  return own.flatMap((arg, index): Claim[] => {
    const flag = /^--[a-z][a-z\d-]+(?==|$)/u.exec(arg.text)?.[0];
    // It may be the value of the option before it.
    const isValue = /^-[^=]*$/u.test(own[index - 1]?.text ?? "");
    if (flag === undefined || isValue || !isCertain({ ...arg, text: flag })) return [];
    return [{ kind: "flag", program, subcommand: git?.command ?? null, flag, folder }];
  });
}

/** Longer command lines are scripts, which create names. Characters. */
const maxLength = 2000;
/** Maximum things of one call that are looked up. */
const maxClaims = 8;

/**
 * Lines that ask whether something exists, go on if it does not, or change the meaning of names. They get no report: their
 * authors know that it may be missing.
 */
const isAsking =
  /\|\||\/dev\/null|2>&-|(?:^|[;&|({\n]|\b(?:then|do|else)\s)[^\S\n]*(?:!\s*)?(?:if|while|until|case|select|test|which|type|alias|function|trap|getopts|hash)\s|\[\[?\s|\bcommand\s+-[vV]|GIT_|CDPATH|CLAUDE_PROJECT_DIR|printf\s+-v|\(\)/u;

/** Wrappers that leave folder and files as they are. */
const plainWrappers = new Set(
  "sudo env timeout gtimeout nice nohup time command builtin exec stdbuf bash sh zsh".split(" "),
);
/** Programs of package managers that run another program in the same folder. */
const runners = new Set(["npx", "bunx", "pnpm", "yarn", "poetry", "uv"]);

/** Returns what a command line names that could be missing when it runs, without reading any file. */
function commandClaims(command: string, context: ShellContext): Claim[] {
  if (command.length > maxLength || isAsking.test(command)) return [];
  const claims: Claim[] = [];
  const invocations = readCommandLine(command, context);
  for (const [index, invocation] of invocations.entries()) {
    if (invocation.isGuess) return [];
    claims.push(...claimsOf(invocation, context));
    // The next invocation is what the runner runs.
    const { program } = invocation;
    if (runners.has(program) && invocations[index + 1]?.via.includes(program) === true) continue;
    // Later invocations may use what this one creates.
    if (!isQuiet(invocation)) break;
  }
  return claims.slice(0, maxClaims);
}

function claimsOf(invocation: Invocation, context: ShellContext): Claim[] {
  const { place, via, folder, args } = invocation;
  if (place !== "here" || (folder !== null && isUnknown(folder))) return [];
  if (args.some(({ text }) => text === "--help" || text === "--version")) return [];
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

/** Whether no runner can have changed the folder with an option that is not read. */
function isUnmoved(via: readonly string[]): boolean {
  return via.length === 1 || !via.some((wrapper) => ["pnpm", "uv", "poetry"].includes(wrapper));
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
  // The programs of its script follow.
  if (shells.has(program)) return args[0]?.text === "-c";
  if (program === "sed") return !args.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)|w /u.test(text));
  return program === "sort" && !args.some(({ text }) => /^(?:-[a-zA-Z]*o|--output)/u.test(text));
}

/** Returns what a call names that could be missing. */
export function callClaims(call: ToolCall, input: unknown, context: ShellContext): Claim[] {
  if (call.kind === "command") return call.command === null ? [] : commandClaims(call.command, context);
  return call.kind === "read" || call.kind === "edit" ? fileClaims(call, input, context) : [];
}
