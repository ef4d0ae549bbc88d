import { type Sentence, plainSentence, sentence, t } from "../../../base/language.ts";
import { purserPaths, insideProject } from "../../../base/paths.ts";
import { existsSync } from "node:fs";
import { writeFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { namedByStart } from "../../../rules/named-by-start.ts";
import { fail, succeed, type Failure, type Result } from "../../../base/result.ts";
import { copyCommit } from "../../../bench/execute.ts";
import { freezeFixture, prepareFixtureModules } from "../../../bench/fixture.ts";
import {
  type GoldenDraft,
  type HistoryOutcome,
  readDrafts,
  type TaskAudit,
  auditSuite,
  draftFromSession,
  writeDraft,
} from "../../../bench/golden.ts";
import {
  type Fixture,
  fixturesOf,
  type Suite,
  workspaceSuiteFolder,
  manifestName,
  workspaceSuite,
} from "../../../bench/suite.ts";
import { printedJson } from "../../../base/text.ts";
import { claudeRoots, findTranscripts } from "../../../transcripts/claude.ts";
import { type ParsedOptions, wrongUsage } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";
import { goldenSuite, goldenWorkspace } from "./target.ts";
import { asLine } from "../../terminal-text.ts";

export interface GoldenDone {
  readonly suite: Suite | null;
  readonly audits: readonly TaskAudit[];
  readonly files: readonly string[];
  readonly remaining: readonly Sentence[];
  /** Drafts of the workspace, whichever suite is used. */
  readonly drafts: readonly GoldenDraft[];
  /** The result of each commit that was tried as a task. */
  readonly commits: readonly HistoryOutcome[];
}

export type GoldenAnswer = Promise<Result<GoldenDone>>;

export const nothingDone: GoldenDone = {
  suite: null,
  audits: [],
  files: [],
  remaining: [],
  drafts: [],
  commits: [],
};

export async function list(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const suite = await goldenSuite(options, host);
  if (!suite.ok) return suite;
  const drafts = await readDrafts(workspaceSuiteFolder(goldenWorkspace(options, host)));
  return drafts.ok ? succeed({ ...nothingDone, suite: suite.value, drafts: drafts.value }) : drafts;
}

const auditsBeside = 2;

export async function check(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const suite = await goldenSuite(options, host);
  if (!suite.ok) return suite;
  const id = options.value("task");
  const tasks = suite.value.tasks.filter((task) => id === undefined || task.id === id);
  if (tasks.length === 0)
    return id === undefined
      ? fail("no_tasks", sentence("The suite has no tasks yet"))
      : noTask(id, suite.value);
  const { env, signal } = host;
  const clock = { now: host.now };
  const modules = await preparedModules(suite.value, tasks, host);
  if (!modules.ok) return modules;
  let done = 0;
  const audits = await auditSuite(suite.value, tasks, {
    scratch: host.scratch,
    modules: modules.value,
    env,
    clock,
    signal,
    parallel: auditsBeside,
    onTask: ({ taskId }) => printNote(host, t("{0} of {1}: {2}", (done += 1), tasks.length, taskId)),
  });
  return signal.aborted
    ? fail("cancelled", sentence("Cancelled"))
    : succeed({ ...nothingDone, suite: suite.value, audits });
}

/** Installs what the tasks' projects need, and returns where it is. */
async function preparedModules(
  suite: Suite,
  tasks: Suite["tasks"],
  host: CliHost,
): Promise<Result<(fixture: Fixture) => Promise<Result<string | null>>>> {
  const { env, signal } = host;
  const folders = new Map<string, string | null>();
  for (const fixture of fixturesOf({ ...suite, tasks })) {
    const modules = await prepareFixtureModules(fixture, {
      cache: path.join(purserPaths(host).folder, "fixture"),
      env,
      signal,
      clock: { now: host.now },
      onDamage: (message) => host.stderr.write(`purser golden: ${asLine(message)}\n`),
      onProgress: ({ fetched, packages }) =>
        printNote(host, t("Fetching the test project's dependencies: {0} of {1}", fetched, packages)),
    });
    if (!modules.ok) return modules;
    folders.set(fixture.hash, modules.value);
  }
  return succeed(({ hash }) => Promise.resolve(succeed(folders.get(hash) ?? null)));
}

function noTask(id: string, { tasks }: Suite): Failure {
  return wrongUsage(
    sentence("there is no task {0}; one of {1}", printedJson(id), tasks.map((task) => task.id).join(", ")),
  );
}

/** Overwrites one line of a terminal. */
function printNote({ stderr }: CliHost, text: string): void {
  if (stderr.isTTY === true) stderr.write(`\r\u001b[K${text}`);
}

export async function draft(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const agent = options.value("agent");
  const session = options.value("session");
  if (agent === undefined || session === undefined)
    return wrongUsage(
      sentence("--session and --agent are required: the session, and the agent that the task is for"),
    );
  const file = findSession(session, host);
  if (!file.ok) return file;
  const read = await draftFromSession(file.value);
  if (!read.ok) return read;
  const workspace = goldenWorkspace(options, host);
  const folder = workspaceSuiteFolder(workspace);
  const agents = [path.join(workspace, ".claude", "agents"), path.join(host.suite.folder, "agents")];
  const isFrozen = existsSync(path.join(folder, manifestName));
  const freeze = plainSentence(
    "run purser golden freeze --commit C, where C is the commit before the session: the project that tasks start from",
  );
  const first = isFrozen ? [] : [freeze];
  const written = await writeDraft(read.value, { workspace, folder, agent, agents, first });
  if (!written.ok) return written;
  const { files, remaining } = written.value;
  return succeed({ ...nothingDone, files, remaining });
}

function findSession(id: string, { env, home }: CliHost): Result<string> {
  const files = findTranscripts(claudeRoots({ env, home })).files.filter(({ agentId }) => agentId === null);
  const named = namedByStart(files, id, ({ sessionId }) => sessionId ?? "");
  switch (named.kind) {
    case "one":
      return succeed(named.item.path);
    case "none":
      return fail("no_session", sentence("There is no session {0} of Claude Code", printedJson(id)));
    case "several":
      return wrongUsage(sentence("{0} sessions begin with {1}", named.count, printedJson(id)));
  }
}

export async function freeze(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const workspace = goldenWorkspace(options, host);
  const folder = workspaceSuiteFolder(workspace);
  const suiteFile = path.join(folder, "suite.json");
  for (const each of [suiteFile, path.join(folder, "fixture"), path.join(folder, manifestName)]) {
    const inside = insideProject(each, workspace);
    if (!inside.ok) return inside;
  }
  const commit = options.value("commit");
  const files: string[] = [];
  if (commit !== undefined) {
    const to = path.join(folder, "fixture");
    const { env, signal, scratch } = host;
    const copied = await copyCommit(
      { folder: workspace, commit, to },
      { env, signal, scratch, clock: { now: host.now } },
    );
    if (!copied.ok) return copied;
    files.push(to);
  }
  if (!existsSync(suiteFile)) {
    await mkdir(folder, { recursive: true });
    await writeFile(suiteFile, `${JSON.stringify({ schema: 1, fixture: "fixture" }, null, 2)}\n`, {
      flag: "wx",
    });
    files.push(suiteFile);
  }
  const paths = await workspaceSuite(workspace, true);
  if (!paths.ok) return paths;
  const manifest = path.join(folder, manifestName);
  await freezeFixture(paths.value.fixture, manifest);
  return succeed({ ...nothingDone, files: [...files, manifest] });
}
