import path from "node:path";
import { textIfThere } from "../../../base/files.ts";
import { cleanText } from "../../../base/text.ts";
import { succeed, type Result } from "../../../base/result.ts";
import { commitFixture, type CommitPorts } from "../../fixture/commit-fixture.ts";
import type { CheckResult } from "../../execute/run-check.ts";
import type { Fixture } from "../../suite/suite.ts";
import { tryPatch } from "../audit.ts";
import { git, type GitPorts, type HistoryCommit } from "./commits.ts";
import { roleOf, testsToRun } from "./file-roles.ts";
import type { HistoryReason } from "./history-outcome.ts";
import { ownTestsCheck, type OwnTests } from "./own-tests-check.ts";
import { promptOf, testTitles, type TaskPrompt } from "./task-prompt.ts";
import { findTestCommands, onlyTitles, withTests, type TestCommands } from "./test-command.ts";
import { wrongPatches } from "./wrong-patches.ts";

export interface TryPorts extends CommitPorts {
  readonly workspace: string;
  /** Folder for lock files of projects that have none. */
  readonly memory: string;
  readonly scratch: string;
  /** Beginning of the names of its scratch folders. */
  readonly prefix: string;
  /** How tests run; null to find out from the project. */
  readonly commands: TestCommands | null;
  /** Returns the folder of a project's packages at a commit; null if it needs none. */
  readonly modules: (fixture: Fixture, date: string) => Promise<Result<string | null>>;
  /** Returns the text of an issue that a message names; null if it is not at hand. */
  readonly issue: (message: string) => Promise<string | null>;
  /** Called before each run of the tests. */
  readonly onRun: () => void;
}

/** A task whose check is proved. */
export interface ProvedTask extends TaskPrompt {
  readonly base: string;
  readonly tests: OwnTests;
  readonly solution: string;
  /** The lock file that its packages were installed from; null if the project has its own, or no packages. */
  readonly lock: string | null;
  /** Wrong solutions that the check finds, at most two. */
  readonly wrong: readonly string[];
}

export type Tried =
  | { readonly reason: "task"; readonly task: ProvedTask }
  | { readonly reason: Exclude<HistoryReason, "task"> | "cancelled"; readonly output: string | null };

/** Times that tests must fail without the work, and pass with it. */
const repeats = 3;
const triedWrong = 5;
const keptWrong = 2;

/**
 * Makes a task of a commit if the project's own tests can tell the work from none and from wrong work: they fail before
 * it and pass after it, three times each, and fail with wrong solutions. All runs are in copies.
 */
export async function tryCommit(commit: HistoryCommit, ports: TryPorts): Promise<Tried> {
  const [base = ""] = commit.parents;
  const roles = commit.files.map(({ path: file }) => ({ file, role: roleOf(file) }));
  const testFiles = roles.filter(({ role }) => role === "test" || role === "support").map(({ file }) => file);
  const workFiles = roles.filter(({ role }) => role === "work").map(({ file }) => file);
  const gitPorts = { ...ports, folder: ports.workspace };
  const diff = (files: readonly string[]) =>
    git(
      [
        "--literal-pathspecs",
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--relative",
        base,
        commit.commit,
        "--",
        ...files,
      ],
      gitPorts,
    );
  const [tests, work] = [await diff(testFiles), await diff(workFiles)];
  const after = await readAt(commit.commit, testFiles, ports);
  const before = await readAt(base, testFiles, ports);
  if (ports.signal.aborted) return { reason: "cancelled", output: null };
  if (!tests.ok || !work.ok || after === null || before === null)
    return { reason: "odd-names", output: null };
  const prompt = promptOf({
    message: commit.message,
    issue: await ports.issue(commit.message),
    tests: tests.value,
    work: work.value,
  });
  if (prompt === null) return { reason: "vague", output: null };

  const fixture = await commitFixture(
    { workspace: ports.workspace, commit: base, suite: ports.memory, installScripts: false },
    ports,
  );
  if (!fixture.ok) return { reason: "odd-names", output: cleanText(fixture.detail.text) };
  const runnable = (files: OwnTests["files"]) =>
    testsToRun(Object.keys(files).filter((file) => files[file] !== null));
  const testTexts = Object.fromEntries(runnable(after).map((file) => [file, after[file] ?? ""]));
  if (runnable(after).length === 0) return { reason: "no-tests", output: null };
  const added = fixture.value.manifest.has(goModule) ? {} : await goModuleOf(runnable(after), gitPorts);
  const read = (file: string) =>
    file in added ? Promise.resolve(added[file] ?? null) : textIfThere(path.join(fixture.value.folder, file));
  const commands = ports.commands ?? (await findTestCommands(read, testTexts));
  if (commands === null) return { reason: "no-test-command", output: null };
  const modules = await ports.modules(fixture.value, commit.date);
  if (!modules.ok && modules.reason === "cancelled") return { reason: "cancelled", output: null };
  if (!modules.ok) return { reason: "no-packages", output: cleanText(modules.detail.text) };

  const checkOf = (files: OwnTests["files"], own: TestCommands): OwnTests => ({
    files: { ...files, ...added },
    commands: withTests(own, runnable(files)),
  });
  const run = async (own: OwnTests, patch: string | null): Promise<CheckResult | null> => {
    ports.onRun();
    const { check, files } = ownTestsCheck("try", own);
    const tried = await tryPatch(
      {
        task: { id: "try", check, checkFiles: files },
        fixture: fixture.value,
        patch: patch === null ? null : { name: "try", text: patch },
      },
      { ...ports, modules: () => Promise.resolve(succeed(modules.value)) },
    );
    return "result" in tried ? tried.result : null;
  };
  const wholeFiles = new Trial(run, ports.signal);
  if (runnable(before).length > 0)
    await wholeFiles.expect(checkOf(before, commands), null, "passed", "fails-before");
  const proved = await proveIn(wholeFiles, checkOf(after, commands), work.value);
  // Other tests of the files fail here for their own reasons: those that the commit adds may tell all the same.
  const isOfOthers = "reason" in proved && ["fails-before", "fails-after"].includes(proved.reason);
  const titled = isOfOthers ? onlyTitles(commands, testTitles(tests.value)) : null;
  const ofTitles =
    titled === null
      ? proved
      : await proveIn(new Trial(run, ports.signal), checkOf(after, titled), work.value);
  const end = "reason" in ofTitles && ofTitles.reason !== "cancelled" ? proved : ofTitles;
  if ("reason" in end) return end;
  const lock = fixture.value.lock ?? null;
  return { reason: "task", task: { ...prompt, base, lock, solution: work.value, ...end } };
}

/** Proves that tests tell the work from none and from wrong work. */
async function proveIn(
  trial: Trial,
  tests: OwnTests,
  work: string,
): Promise<End | Pick<ProvedTask, "tests" | "wrong">> {
  await trial.expect(tests, null, "failed", "passes-before");
  await trial.expect(tests, work, "passed", "fails-after");
  for (let round = 1; round < repeats; round += 1) {
    await trial.expect(tests, null, "failed", "flaky");
    await trial.expect(tests, work, "passed", "flaky");
  }
  const wrong: string[] = [];
  for (const patch of trial.end === null ? wrongPatches(work, triedWrong) : [])
    if (wrong.length < keptWrong && (await trial.outcome(tests, patch)) === "failed") wrong.push(patch);
  if (trial.end !== null) return trial.end;
  return wrong.length === 0 ? { reason: "weak-tests", output: null } : { tests, wrong };
}

const goModule = "go.mod";

/**
 * The file that names a Go project in commits before Go had modules: its tests import it by that name, which the newest commit has.
 * Empty for other projects.
 */
async function goModuleOf(tests: readonly string[], ports: GitPorts): Promise<OwnTests["files"]> {
  if (!tests.every((file) => file.endsWith("_test.go"))) return {};
  const newest = await git(["show", `HEAD:./${goModule}`], ports);
  const [line] = newest.ok ? (/^module .+$/mu.exec(newest.value) ?? []) : [];
  return line === undefined ? {} : { [goModule]: `${line}\n` };
}

type End = Exclude<Tried, { reason: "task" }>;

/** Runs tests until one does not end as it must. */
class Trial {
  end: End | null = null;
  readonly #run: (tests: OwnTests, patch: string | null) => Promise<CheckResult | null>;
  readonly #signal: AbortSignal;

  constructor(
    run: (tests: OwnTests, patch: string | null) => Promise<CheckResult | null>,
    signal: AbortSignal,
  ) {
    this.#run = run;
    this.#signal = signal;
  }

  async expect(
    tests: OwnTests,
    patch: string | null,
    outcome: "passed" | "failed",
    otherwise: End["reason"],
  ): Promise<void> {
    if (this.end !== null) return;
    const result = await this.#run(tests, patch);
    if (this.#signal.aborted) this.end = { reason: "cancelled", output: null };
    else if (result === null) this.end = { reason: "does-not-apply", output: null };
    else if (result.outcome !== outcome)
      this.end = { reason: reasonOf(result, otherwise), output: endOf(result.output) };
  }

  /** Null if it did not run to its end. */
  async outcome(tests: OwnTests, patch: string): Promise<CheckResult["outcome"] | null> {
    if (this.end !== null) return null;
    const result = await this.#run(tests, patch);
    if (this.#signal.aborted) this.end = { reason: "cancelled", output: null };
    return result?.outcome ?? null;
  }
}

const network =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|getaddrinfo|Temporary failure in name resolution|Could not resolve host|dial tcp|no such host|Network is unreachable)\b/u;

function reasonOf({ outcome, output }: CheckResult, otherwise: End["reason"]): End["reason"] {
  if (outcome === "timeout") return "slow";
  if (outcome === "unavailable") return "no-program";
  return outcome === "failed" && network.test(output) ? "needs-network" : otherwise;
}

function endOf(output: string): string {
  return cleanText(output.slice(-400));
}

/** Returns the texts of files at a commit, null for one that is not there; null if one is a link or no text. */
async function readAt(
  commit: string,
  files: readonly string[],
  { workspace, ...ports }: TryPorts,
): Promise<Record<string, string | null> | null> {
  const gitPorts = { ...ports, folder: workspace };
  const listed = await git(["--literal-pathspecs", "ls-tree", "-r", "-z", commit, "--", ...files], gitPorts);
  if (!listed.ok) return null;
  const texts: Record<string, string | null> = Object.fromEntries(files.map((file) => [file, null]));
  for (const line of listed.value.split("\0")) {
    const [, mode = "", blob = "", file = ""] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]+)$/u.exec(line) ?? [];
    if (file === "") continue;
    if (!mode.startsWith("100")) return null;
    const text = await git(["cat-file", "blob", blob], gitPorts);
    if (!text.ok || /[\0\uFFFD]/u.test(text.value)) return null;
    texts[file] = text.value;
  }
  return texts;
}
