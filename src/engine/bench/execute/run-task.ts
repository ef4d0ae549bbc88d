import path from "node:path";
import { joinSentences, mapSentence, plainSentence, sentence, type Sentence } from "../../base/language.ts";
import { mkdtemp, readFile, stat } from "node:fs/promises";
import { cleanText } from "../../base/text.ts";
import type { BenchRun, RunOutcome } from "../run-facts.ts";
import type { BenchPorts } from "../bench-request.ts";
import type { RunLimits, AgentEnd, AgentResult, Trajectory } from "../drivers/driver.ts";
import type { Configuration } from "../configuration.ts";
import { minTokens } from "../drivers/environment-signs.ts";
import { processingOf, killMarked } from "../processes.ts";
import type { FileChange } from "../state/stored-trajectory.ts";
import {
  defaultCheckTimeout,
  runCheck,
  type CheckResult,
  type EndedCheck,
  checkFolder,
} from "./run-check.ts";
import type { Cell } from "./schedule.ts";
import { fixtureOf, suiteHash, type GoldenTask, type Suite, type Fixture } from "../suite/suite.ts";
import { prepareWorkspace, removeWorkspace } from "./workspace.ts";
import { readFixtureFiles, compareManifest } from "../fixture/fixture-files.ts";

/** Folders with the run's inputs, or with tools' output: changes there are not part of the work. */
const ownFolders = [".claude/", `${checkFolder}/`, ".purser/", "dist/", "coverage/"];
/** Maximum size of a changed file: a longer one is not the work of one task. Bytes. */
const maxFileLength = 100_000;
const maxFiles = 100;

/** Returns the files of a copy that differ from the fixture, as text; binary and very long files are left out. */
export async function madeChanges(
  copy: string,
  fixture: Pick<Fixture, "manifest">,
  overlay: Configuration["overlay"],
): Promise<FileChange[]> {
  const difference = compareManifest(fixture.manifest, await readFixtureFiles(copy));
  if (difference === null) return [];
  const given = new Set(overlay.map(({ path: filePath }) => filePath));
  const isWork = (filePath: string) =>
    !given.has(filePath) && !ownFolders.some((folder) => filePath.startsWith(folder));
  const written = [...difference.changed, ...difference.extra].filter(isWork).sort().slice(0, maxFiles);
  const changes: FileChange[] = difference.missing
    .filter(isWork)
    .map((filePath) => ({ path: filePath, text: null }));
  for (const filePath of written) {
    const file = path.join(copy, filePath);
    if ((await stat(file)).size > maxFileLength) continue;
    const content = await readFile(file);
    if (!content.includes(0)) changes.push({ path: filePath, text: content.toString("utf8") });
  }
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}

export interface TaskRun {
  readonly benchId: string;
  readonly id: string;
  readonly cell: Cell;
  readonly suite: Suite;
  readonly configuration: Configuration;
  readonly task: GoldenTask;
  readonly definition: string;
  readonly limits: RunLimits;
  readonly modules: string | null;
  /** Prefix of the names of its scratch folders. */
  readonly prefix: string;
  /** Returns the shared files that changed since the bench started, by name. */
  readonly damage: () => Promise<readonly string[]>;
  readonly onTrajectory: (trajectory: Trajectory) => void;
}

type MadeRun = Omit<BenchRun, "trajectory">;

export interface TaskOutcome {
  readonly run: MadeRun;
  readonly turns: AgentResult["turns"];
  readonly changes: readonly FileChange[];
  readonly checkOutput: string | null;
}

const nothingDone: Trajectory = {
  sessionId: null,
  usage: { input: 0, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
  turns: 0,
  toolCalls: 0,
  tool: null,
  filesReread: 0,
};
const noResult = { trajectory: nothingDone, recordedBy: null, turns: [] };
const maxDetailLength = 1000; // characters

type Ports = Pick<BenchPorts, "clock" | "driver" | "env" | "scratch">;

/**
 * Makes one run: copies the fixture, installs the agent with its memory, runs the agent and then the check. When it resolves, no process
 * and no folder of the run is left.
 */
export async function runTask(taskRun: TaskRun, ports: Ports, signal: AbortSignal): Promise<TaskOutcome> {
  const { clock, driver } = ports;
  const startedAt = clock.now();
  const root = await mkdtemp(path.join(ports.scratch, taskRun.prefix));
  const mark = path.basename(root);
  let left: readonly number[] | null = null;
  try {
    const { configuration, definition, modules, limits, task } = taskRun;
    const fixture = fixtureOf(taskRun.suite, task);
    const prepared = await prepareWorkspace(root, { fixture, modules, configuration, definition });
    const agentFrom = clock.now();
    const { cell } = taskRun;
    const about = { task, configuration, definition, limits, mark, signal, round: cell.round };
    const result: AgentResult = prepared.ok
      ? await driver.run({ ...about, folders: prepared.value, onTrajectory: taskRun.onTrajectory })
      : { ...noResult, end: { kind: "environment", detail: prepared.detail } };
    const durationMs = clock.now() - agentFrom - (result.aroundMs ?? 0);
    const check = prepared.ok
      ? await checked(taskRun, result, { copy: prepared.value.copy, mark }, ports, signal)
      : null;
    // A check has already ended the run's leftovers; listing every process of a machine again is expensive.
    left = check?.left ?? (await killMarked(mark));
    const changes = prepared.ok ? await madeChanges(prepared.value.copy, fixture, configuration.overlay) : [];
    const decided = withLeft(decide(result, check, await taskRun.damage(), signal), left);
    await removeWorkspace(root);
    const checkMs = check?.durationMs ?? 0;
    const overheadMs = Math.max(0, clock.now() - startedAt - durationMs - checkMs);
    const run = {
      ...identityOf(taskRun, driver.name),
      ...decided,
      ...figuresOf(result),
      startedAt: Math.round(agentFrom),
      durationMs,
      overheadMs,
      checkMs,
    };
    return { run, turns: result.turns, changes, checkOutput: check?.output ?? null };
  } finally {
    if (left === null) await killMarked(mark);
    await removeWorkspace(root);
  }
}

/**
 * Checks the work. A run that was cut off or failed for its environment counts as not done, without a check.
 */
async function checked(
  { task }: TaskRun,
  { end }: AgentResult,
  { copy, mark }: { readonly copy: string; readonly mark: string },
  { env, clock }: Ports,
  signal: AbortSignal,
): Promise<EndedCheck | null> {
  if (end.kind !== "ended" && end.kind !== "failed") return null;
  return await runCheck(task, copy, { signal, env, clock, mark, timeout: defaultCheckTimeout });
}

function decide(
  result: AgentResult,
  check: CheckResult | null,
  damage: readonly string[],
  signal: AbortSignal,
): { outcome: RunOutcome; detail: Sentence | null } {
  const decided = (outcome: RunOutcome, detail: Sentence | null) => ({
    outcome,
    detail: detail === null ? null : mapSentence(detail, (text) => cleanText(text).slice(0, maxDetailLength)),
  });
  if (signal.aborted || result.end.kind === "cancelled") return decided("cancelled", null);
  if (damage.length > 0)
    return decided(
      "environment",
      sentence("it wrote outside of its copy: {0}", damage.slice(0, 10).join(", ")),
    );
  if (check === null || result.end.kind === "environment" || result.end.kind === "limit")
    return decided(result.end.kind === "limit" ? "limit" : "environment", detailOf(result.end));
  if (check.outcome === "passed") return decided("passed", null);
  if (check.outcome === "cancelled") return decided("cancelled", null);
  if (check.outcome === "unavailable")
    return decided(
      "environment",
      sentence("the check cannot be run here: {0}", check.output.slice(-maxDetailLength)),
    );
  if (processingOf(result.trajectory) < minTokens)
    return decided(
      "environment",
      sentence("it ended before it began: {why}", {
        why: detailOf(result.end) ?? sentence("next to nothing was used"),
      }),
    );
  const why =
    check.outcome === "timeout"
      ? sentence("the check did not end in time")
      : plainSentence(check.output.slice(-maxDetailLength));
  return decided("failed", detailOf(result.end) ?? why);
}

/** Names the processes that could not be ended: they hold memory and files of the user's machine. */
function withLeft<Decided extends { readonly detail: Sentence | null }>(
  decided: Decided,
  left: readonly number[],
): Decided {
  if (left.length === 0) return decided;
  const text = sentence("processes that it began cannot be ended: {0}", left.slice(0, 10).join(", "));
  return { ...decided, detail: decided.detail === null ? text : joinSentences([decided.detail, text], "; ") };
}

function detailOf(end: AgentEnd): Sentence | null {
  return "detail" in end ? end.detail : null;
}

function identityOf({ benchId, id, cell, suite, configuration, task }: TaskRun, driver: BenchRun["driver"]) {
  return {
    id,
    benchId,
    driver,
    side: cell.side,
    configurationHash: cell.configurationHash,
    role: configuration.role,
    agent: task.agent,
    taskId: task.id,
    taskHash: task.hash,
    suiteHash: suiteHash(suite, task.agent),
    fixtureHash: fixtureOf(suite, task).hash,
    model: configuration.model,
    round: cell.round,
  };
}

function figuresOf({ trajectory, recordedBy }: AgentResult) {
  const { usage, turns, toolCalls, filesReread, sessionId, program } = trajectory;
  const processingTokens = processingOf(trajectory);
  const known = program === undefined ? {} : { program };
  return { recordedBy, usage, processingTokens, turns, toolCalls, filesReread, sessionId, ...known };
}
