import { execa } from "execa";
import { sentence } from "../../../base/language.ts";
import { cleanText } from "../../../base/text.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";

/** A commit of the project, as git's log has it. Its texts are untrusted. */
export interface HistoryCommit {
  readonly commit: string;
  readonly parents: readonly string[];
  /** ISO 8601. */
  readonly date: string;
  readonly message: string;
  readonly files: readonly ChangedFile[];
}

interface ChangedFile {
  /** Relative to the project's folder, with `/`. */
  readonly path: string;
  /** Added and removed lines; null for a binary file. */
  readonly lines: number | null;
}

export interface GitPorts {
  /** The project's folder: the repository, or a folder in it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const maxOutput = 200_000_000; // characters
const gitTime = 5 * 60_000; // ms

/** Runs git without changing anything in the repository. Its names are neither quoted nor encoded. */
export async function git(
  args: readonly string[],
  { folder, env, signal }: GitPorts,
): Promise<Result<string, "no_git" | "git_failed" | "cancelled">> {
  const ran = await execa("git", ["-c", "core.quotepath=off", "-c", "core.fsmonitor=false", ...args], {
    cwd: folder,
    // The environment may point to another repository, as in git hooks.
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_"))),
    extendEnv: false,
    stdin: "ignore",
    reject: false,
    stripFinalNewline: false,
    maxBuffer: maxOutput,
    timeout: gitTime,
    cancelSignal: signal,
    windowsHide: true,
  });
  if (ran.isCanceled) return fail("cancelled", sentence("It was cancelled"));
  if (ran.exitCode === undefined) return fail("no_git", sentence("git is not installed, or not on the PATH"));
  if (ran.exitCode !== 0)
    return fail(
      "git_failed",
      sentence("git {0} failed: {1}", args[0] ?? "", cleanText(ran.stderr).slice(0, 500)),
    );
  return succeed(ran.stdout);
}

const [unitStart, fieldEnd] = ["\u001e", "\u001f"];

/** Lists the newest commits that changed something in the folder, with what they changed; a merge with what it brought. */
export async function readCommits(
  count: number,
  ports: GitPorts,
): Promise<Result<readonly HistoryCommit[], "no_git" | "git_failed" | "cancelled">> {
  const format = `${unitStart}${["%H", "%P", "%cI", "%B"].join(fieldEnd)}${fieldEnd}`;
  const log = await git(
    [
      "log",
      `--max-count=${count}`,
      "--no-renames",
      "--diff-merges=first-parent",
      "--numstat",
      "-z",
      "--relative",
      `--format=${format}`,
      "--",
      ".",
    ],
    ports,
  );
  if (!log.ok) return log;
  return succeed(
    log.value
      .split(unitStart)
      .slice(1)
      .map((unit) => {
        const [commit = "", parents = "", date = "", message = "", stats = ""] = unit.split(fieldEnd);
        return {
          commit,
          parents: parents.split(" ").filter((each) => each !== ""),
          date,
          message: message.trim(),
          files: stats.split("\0").flatMap((line) => changedFileOf(line) ?? []),
        };
      }),
  );
}

const maxBranch = 50;

/** Lists the ids of the commits that a merge brought, the oldest first; at most 50. */
export async function commitsOfMerge(
  { parents: [base = "", branch = ""] }: Pick<HistoryCommit, "parents">,
  ports: GitPorts,
): Promise<readonly string[]> {
  const list = await git(
    ["rev-list", "--reverse", "--no-merges", `--max-count=${maxBranch}`, branch, `^${base}`],
    ports,
  );
  return list.ok ? list.value.split("\n").filter((line) => line !== "") : [];
}

function changedFileOf(line: string): ChangedFile | null {
  const [, added = "", removed = "", file = ""] = /^\n*(\d+|-)\t(\d+|-)\t([\s\S]+)$/u.exec(line) ?? [];
  if (file === "") return null;
  return { path: file, lines: added === "-" ? null : Number(added) + Number(removed) };
}
