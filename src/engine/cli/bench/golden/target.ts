import path from "node:path";
import process from "node:process";
import { asLine } from "../../terminal-text.ts";
import { type Sentence, sentence, plural } from "../../../base/language.ts";
import { existsSync, realpathSync, statSync } from "node:fs";
import { succeed, type Result, errorCode } from "../../../base/result.ts";
import { cleanText } from "../../../base/text.ts";
import { readDrafts } from "../../../bench/golden.ts";
import { purserPaths } from "../../../base/paths.ts";
import {
  type CommitPorts,
  type Suite,
  workspaceSuiteFolder,
  hasSuite,
  loadSuite,
  type SuiteFault,
  type SuitePaths,
  workspaceSuite,
  type WorkspaceSuiteFault,
} from "../../../bench/suite.ts";
import { folder, oneOf, type ParsedOptions } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";

export const suiteOptions = {
  suite: oneOf(
    ["built-in", "workspace"],
    "S",
    "built-in or workspace (default: the workspace's .purser/golden if it has one)",
  ),
  cwd: folder("workspace folder, or a folder in it (default: the working folder)"),
};

export type GoldenFault = SuiteFault | WorkspaceSuiteFault | "bad_argument";

/**
 * The nearest folder with golden tasks, finished or not, else the repository, else the folder itself. Never looks above the repository or the user's
 * home: files there may be anybody's.
 */
export function goldenWorkspace(
  options: ParsedOptions,
  { cwd, home }: Pick<CliHost, "cwd" | "home">,
): string {
  const start = path.resolve(cwd, options.value("cwd") ?? "");
  const within = foldersWithin(start, home);
  return within.find((each) => existsSync(workspaceSuiteFolder(each))) ?? within.find(isRepository) ?? start;
}

/** The folder and its parents, up to its repository or the user's home. Only the folder if it is in neither. */
function foldersWithin(folder: string, home: string): string[] {
  const all = [folder];
  for (let each = folder; each !== path.dirname(each); each = path.dirname(each))
    all.push(path.dirname(each));
  const homes = new Set([path.resolve(home), realOf(home)]);
  const end = all.findIndex((each) => isRepository(each) || homes.has(each) || homes.has(realOf(each)));
  return end < 0 ? [folder] : all.slice(0, end + 1);
}

function isRepository(folder: string): boolean {
  return existsSync(path.join(folder, ".git"));
}

/** Returns the path itself where nothing exists. */
function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : path.resolve(folder);
}

/** By default the workspace's own suite if it has one, else the bundled one. */
export async function goldenSuite(
  options: ParsedOptions,
  host: GoldenHost,
): Promise<Result<Suite, GoldenFault>> {
  const paths = await suiteFolders(options, host);
  return paths.ok ? await loadSuite(paths.value, commitPortsOf(host)) : paths;
}

export function commitPortsOf(host: Pick<CliHost, "env" | "home" | "now" | "signal">): CommitPorts {
  const { env, now, signal } = host;
  return { cache: path.join(purserPaths(host).folder, "fixture"), env, clock: { now }, signal };
}

type GoldenHost = Pick<CliHost, "cwd" | "home" | "suite" | "stderr" | "env" | "now" | "signal">;

async function suiteFolders(
  options: ParsedOptions,
  host: GoldenHost,
): Promise<Result<SuitePaths, GoldenFault>> {
  const wanted = options.value("suite");
  const workspace = goldenWorkspace(options, host);
  // Typing the command in a workspace means to use its suite, as with its tests.
  if (wanted === "workspace") return await workspaceSuite(workspace, true);
  if (wanted === "built-in") return succeed(host.suite);
  const others = partOfOthers(workspace);
  if (others !== null) {
    note(
      host,
      sentence(
        "{0} belongs to another user, so purser's own suite is used: its checks are programs that would run as you. --suite workspace uses it anyway",
        others,
      ),
    );
    return succeed(host.suite);
  }
  if (hasSuite(workspace)) return await workspaceSuite(workspace, true);
  await noteDrafts(workspace, host);
  return succeed(host.suite);
}

/** Null where all of it is the user's own. */
function partOfOthers(workspace: string): string | null {
  if (!hasSuite(workspace)) return null;
  const folder = workspaceSuiteFolder(workspace);
  return [path.dirname(folder), folder, path.join(folder, "suite.json")].find((each) => !isOwn(each)) ?? null;
}

async function noteDrafts(workspace: string, host: GoldenHost): Promise<void> {
  const folder = workspaceSuiteFolder(workspace);
  const drafts = await readDrafts(folder);
  const count = drafts.ok ? drafts.value.length : 0;
  if (!drafts.ok) note(host, drafts.detail);
  if (count === 0) return;
  note(
    host,
    plural(
      count,
      sentence(
        "1 draft is not finished in {0}: purser's own suite is used. purser golden list shows what is missing",
        folder,
      ),
      sentence(
        "{0} drafts are not finished in {1}: purser's own suite is used. purser golden list shows what is missing",
        count,
        folder,
      ),
    ),
  );
}

function note({ stderr }: Pick<CliHost, "stderr">, text: Sentence): void {
  stderr.write(`purser: ${cleanText(asLine(text))}\n`);
}

/** True on systems without owners, and for a missing file. */
export function isOwn(file: string, user: number | undefined = process.getuid?.()): boolean {
  if (user === undefined) return true;
  try {
    return statSync(file).uid === user;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}
