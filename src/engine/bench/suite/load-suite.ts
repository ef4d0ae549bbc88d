import { parseJson } from "../../base/parse.ts";
import path from "node:path";
import type * as z from "zod/mini";
import { sentence, compose } from "../../base/language.ts";
import { readFile, realpath } from "node:fs/promises";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { isThere } from "../../base/files.ts";
import { firstIssue } from "../../base/schema-issues.ts";
import {
  readFixtureFiles,
  compareManifest,
  describeDifference,
  manifestHash,
  type FixtureManifest,
} from "../fixture/fixture-files.ts";
import { commitFixture, type CommitPorts } from "../fixture/commit-fixture.ts";
import { manifestFile, suiteFile } from "../golden/golden-schema.ts";
import { filesBelow, readAgent, readTask } from "../golden/read.ts";
import type { Fixture, GoldenAgent, GoldenTask, Suite } from "./suite.ts";
import { workspaceSuiteFolder, suiteName, type SuitePaths } from "./folders.ts";

export type SuiteFault =
  "no_suite" | "unreadable" | "bad_agent" | "bad_task" | "bad_manifest" | "fixture_changed";

export const manifestName = "fixture.json";

/** @param commits what tasks that begin at a commit are prepared with; null where there is no repository */
export async function loadSuite(
  paths: SuitePaths,
  commits: CommitPorts | null = null,
): Promise<Result<Suite, SuiteFault>> {
  try {
    const agents = await loadAgents(paths.folder);
    if (!agents.ok) return agents;
    const tasks = await loadTasks(paths, agents.value, commits);
    if (!tasks.ok) return tasks;
    const hasOwn = tasks.value.length > 0 && tasks.value.every(({ fixture }) => fixture !== null);
    const fixture = hasOwn ? succeed(null) : await loadFixture(paths);
    if (!fixture.ok) return fixture;
    const { folder, origin } = paths;
    return succeed({ origin, folder, agents: agents.value, tasks: tasks.value, fixture: fixture.value });
  } catch (error) {
    const code = errorCode(error);
    return fail("unreadable", sentence("The suite in {0} cannot be read ({1})", paths.folder, code));
  }
}

async function loadAgents(folder: string): Promise<Result<readonly GoldenAgent[], SuiteFault>> {
  const names = (await filesBelow(path.join(folder, "agents"))).filter((name) => name.endsWith(".md"));
  if (names.length === 0)
    return fail("no_suite", sentence("There are no agents in {0}", path.join(folder, "agents")));
  const agents: GoldenAgent[] = [];
  for (const name of names) {
    const agent = await readAgent(path.join(folder, "agents", name));
    if (!agent.ok) return agent;
    agents.push(agent.value);
  }
  return succeed(agents);
}

/** `tasks/AGENT/NAME.md`; drafts are ignored. */
const taskPath = /^[^/]+\/[^/]+(?<!\.draft)\.md$/u;

async function loadTasks(
  paths: SuitePaths,
  agents: readonly GoldenAgent[],
  commits: CommitPorts | null,
): Promise<Result<readonly GoldenTask[], SuiteFault>> {
  const { folder, workspace = null, installScripts = false } = paths;
  const tasks: GoldenTask[] = [];
  for (const name of (await filesBelow(path.join(folder, "tasks"))).filter((each) => taskPath.test(each))) {
    const read = await readTask(path.join(folder, "tasks", name), path.join(folder, "checks"), (commit) =>
      workspace === null || commits === null
        ? fail("no_commit", sentence("it begins at a commit, and its suite is in no project"))
        : commitFixture({ workspace, commit, suite: folder, installScripts }, commits),
    );
    if (!read.ok) return read;
    const task = read.value;
    if (!agents.some((agent) => agent.name === task.agent))
      return fail("bad_task", sentence("{0}: there is no agent {1}", task.path, task.agent));
    const other = tasks.find(({ id }) => id === task.id);
    if (other !== undefined)
      return fail("bad_task", sentence("{0}: {1} has the id {2} as well", task.path, other.path, task.id));
    tasks.push(task);
  }
  return succeed(tasks);
}

async function loadFixture({
  folder,
  fixture,
  installScripts,
}: SuitePaths): Promise<Result<Fixture, SuiteFault>> {
  const file = path.join(folder, manifestName);
  const wanted = await readManifest(file);
  if (!wanted.ok) return wanted;
  const found = await readFixtureFiles(fixture);
  const difference = compareManifest(wanted.value, found);
  if (difference !== null) {
    const what = describeDifference(difference);
    return fail(
      "fixture_changed",
      sentence("{fixture} is not as {manifest} has it; {what}", {
        fixture,
        manifest: manifestName,
        what: what,
      }),
    );
  }
  return succeed({
    folder: fixture,
    manifest: found,
    hash: manifestHash(found),
    files: found.size,
    installScripts: installScripts ?? false,
  });
}

async function readManifest(file: string): Promise<Result<FixtureManifest, "bad_manifest">> {
  const read = await readSuiteFile(file, manifestFile);
  return read.ok ? succeed(new Map(Object.entries(read.value.files))) : fail("bad_manifest", read.detail);
}

async function readSuiteFile<Schema extends z.ZodMiniType>(
  file: string,
  schema: Schema,
): Promise<Result<z.output<Schema>, "missing" | "damaged">> {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return fail("missing", sentence("There is no {0}", file));
    throw error;
  }
  const value = parseJson(text);
  if (value === undefined) return fail("damaged", sentence("{0} is no JSON", file));
  const checked = schema.safeParse(value);
  if (checked.success) return succeed(checked.data);
  return fail("damaged", compose`${file}: ${firstIssue(checked.error) ?? sentence("it is not understood")}`);
}

export type WorkspaceSuiteFault = "untrusted" | "no_suite" | "bad_suite";

/**
 * Locates a workspace's own suite: agents, tasks and checks in `.purser/golden`, and the fixture named by `suite.json`, by default
 * `fixture` beside it. Its checks are programs that will be run, so an untrusted workspace has no suite.
 */
export async function workspaceSuite(
  workspace: string,
  isTrusted: boolean,
): Promise<Result<SuitePaths, WorkspaceSuiteFault>> {
  if (!isTrusted)
    return fail(
      "untrusted",
      sentence("{0} is not trusted, and its golden tasks contain programs", workspace),
    );
  const folder = workspaceSuiteFolder(workspace);
  const read = await readSuiteFile(path.join(folder, suiteName), suiteFile);
  if (!read.ok) return fail(read.reason === "missing" ? "no_suite" : "bad_suite", read.detail);
  const fixture = path.resolve(folder, read.value.fixture ?? "fixture");
  // One that nobody named may be missing: the loader knows whether a task needs it.
  const isMissing = read.value.fixture === undefined && !isThere(fixture);
  if (!isMissing && !(await isWithin(workspace, fixture)))
    return fail(
      "bad_suite",
      sentence("{0}: the fixture is not a folder of the workspace", path.join(folder, suiteName)),
    );
  const { installScripts } = read.value;
  return succeed({ folder, fixture, origin: "workspace", installScripts, workspace });
}

/** Whether `inner` is strictly inside `outer`, with links resolved: a fixture that holds its own suite would be copied into itself. */
async function isWithin(outer: string, inner: string): Promise<boolean> {
  try {
    return isInside(await realpath(outer), await realpath(inner));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

function isInside(outer: string, inner: string): boolean {
  const way = path.relative(outer, inner);
  return way !== "" && !path.isAbsolute(way) && way.split(path.sep)[0] !== "..";
}
