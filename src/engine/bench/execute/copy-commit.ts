import { sentence, compose } from "../../base/language.ts";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../base/timing.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";
import { runProgram } from "./run-program.ts";

export type CommitFault = "no_git" | "not_empty" | "git_failed" | "cancelled";

interface CommitPorts {
  readonly scratch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const gitLimit = 2 * 60_000; // ms

/**
 * Copies a folder at a git commit into a new folder, as a suite's fixture, without its `.purser` folder.
 * Changes neither the repository's index nor its files.
 * @throws the system's error if a folder cannot be created
 */
export async function copyCommit(
  { folder, commit, to }: { readonly folder: string; readonly commit: string; readonly to: string },
  { scratch, env, clock, signal }: CommitPorts,
): Promise<Result<null, CommitFault>> {
  await mkdir(to, { recursive: true });
  if ((await readdir(to)).length > 0)
    return fail("not_empty", sentence("{0} is there already; remove it to copy a commit", to));
  const own = await mkdtemp(path.join(scratch, "purser-index-"));
  const git = async (
    cwd: string,
    more: Record<string, string>,
    ...args: string[]
  ): Promise<Result<string, CommitFault>> => {
    const { how, exitCode, output } = await runProgram({
      file: "git",
      // Keeps line ends as they are in the repository.
      args: ["-c", "core.autocrlf=false", ...args],
      cwd,
      env: { ...known(env), ...more },
      timeout: gitLimit,
      signal,
      clock,
    });
    if (how === "cancelled") return fail("cancelled", sentence("It was cancelled"));
    if (how === "not-started") return fail("no_git", sentence("git is not installed, or not on the PATH"));
    if (exitCode !== 0) return fail("git_failed", compose`git ${args[0] ?? ""}: ${cleanText(output)}`);
    // Warnings come before the result.
    return succeed(output.trim().split("\n").at(-1) ?? "");
  };
  try {
    const tree = await git(folder, {}, "rev-parse", "--verify", "--end-of-options", `${commit}:./`);
    if (!tree.ok) return tree;
    const repository = await git(folder, {}, "rev-parse", "--absolute-git-dir");
    if (!repository.ok) return repository;
    const gitEnv = { GIT_DIR: repository.value, GIT_WORK_TREE: to, GIT_INDEX_FILE: path.join(own, "index") };
    const steps = [
      ["read-tree", tree.value],
      ["rm", "--cached", "-r", "-q", "--ignore-unmatch", "--", ".purser"],
      ["checkout-index", "--all"],
    ];
    for (const step of steps) {
      const done = await git(to, gitEnv, ...step);
      if (!done.ok) return done;
    }
    return succeed(null);
  } finally {
    await rm(own, { recursive: true, force: true });
    await removeIfEmpty(to);
  }
}

function known(env: CommitPorts["env"]): Record<string, string> {
  // The environment may point to another repository, as in git hooks.
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || name.startsWith("GIT_") ? [] : [[name, value]],
    ),
  );
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
