import { fail, succeed, type Result } from "../../base/result.ts";
import { BenchState } from "../state/state.ts";
import {
  type BenchFault,
  type BenchOutcome,
  type BenchPorts,
  type BenchRequest,
  type OnProgress,
  type PlanPorts,
  isBenchId,
} from "../bench-request.ts";
import { isEvidence, type BenchRun } from "../run-facts.ts";
import { killMarked } from "../processes.ts";
import { makePlan } from "./make-plan.ts";
import { type BenchPlan, controlsFor, controlsOf, type PlannedInstall } from "../plan.ts";
import { fixturesOf, type Fixture } from "../suite/suite.ts";
import { RunExecutor, type PreparedFixture } from "./run-executor.ts";
import { cellKey, scheduleOf, scheduleRound, type Cell } from "./schedule.ts";
import { SharedFiles, removeLeftovers, scratchPrefix } from "./workspace.ts";
import { unsteadyRuns } from "./install-agent.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { configurationHash } from "../configuration.ts";
import { guardRefusal } from "../drivers/driver.ts";

type Answer = Promise<Result<BenchOutcome, BenchFault>>;

/**
 * Makes all missing runs of a bench: called again with the same request, it resumes where it stopped.
 *
 * @param signal stops it at once: runs in progress are cancelled, and made again the next time
 */
export async function runBench(
  request: BenchRequest,
  ports: BenchPorts,
  signal: AbortSignal,
  onProgress: OnProgress,
): Answer {
  return await run({ request, cells: scheduleOf(request) }, ports, signal, onProgress);
}

/**
 * Makes one round of an experiment: each task once a side, interleaved. The rounds of one request share its folder; a round that was
 * made before is answered from there.
 *
 * @param round from 1; it may be beyond the request's `runs`. `arms`: those that are left, of a design of arms
 */
export async function runRound(
  {
    request,
    round,
    arms = null,
  }: { readonly request: BenchRequest; readonly round: number; readonly arms?: readonly number[] | null },
  ports: BenchPorts,
  signal: AbortSignal,
  onProgress: OnProgress,
): Answer {
  return await run(
    { request, cells: scheduleRound(request, round, request.shard, arms) },
    ports,
    signal,
    onProgress,
  );
}

/** Returns what a bench would do and spend, without starting or writing anything. @param made the runs it already has */
export async function planBench(
  request: BenchRequest,
  ports: PlanPorts,
  made: readonly BenchRun[] = [],
): Promise<BenchPlan> {
  const cells = scheduleOf(request);
  const left = leftOf(cells, made);
  const installs = await Promise.all(fixturesFor(request, left).map((each) => ports.pendingInstall(each)));
  return { ...(await makePlan(request, cells, left, ports)), install: sumOfInstalls(installs) };
}

function fixturesFor({ suite }: BenchRequest, cells: readonly Cell[]): readonly Fixture[] {
  const ids = new Set(cells.map(({ taskId }) => taskId));
  if (ids.size === 0) return [];
  return fixturesOf({ fixture: suite.fixture, tasks: suite.tasks.filter(({ id }) => ids.has(id)) });
}

/** Packages of several projects are counted for each; most of them are the same. */
function sumOfInstalls(installs: readonly (PlannedInstall | null)[]): PlannedInstall | null {
  const pending = installs.filter((each) => each !== null);
  if (pending.length === 0) return null;
  const counts = pending.map(({ packages }) => packages);
  return { packages: counts.includes(null) ? null : Math.max(...counts.map((count) => count ?? 0)) };
}

interface Asked {
  readonly request: BenchRequest;
  readonly cells: readonly Cell[];
}

async function run(asked: Asked, ports: BenchPorts, signal: AbortSignal, onProgress: OnProgress): Answer {
  const problem = checkRequest(asked.request);
  if (problem !== null) return fail("bad_request", problem);
  const opened = await BenchState.open(asked.request, ports);
  if (!opened.ok) return opened;
  const state = opened.value;
  try {
    return succeed(await work(asked, state, ports, signal, onProgress));
  } finally {
    await state.close();
  }
}

async function work(
  { request, cells }: Asked,
  state: BenchState,
  ports: BenchPorts,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<BenchOutcome> {
  const made = within(cells, state.runs);
  if (made.length > 0) onProgress({ kind: "resumed", runs: made });
  const left = leftOf(cells, made);
  // The plan named the packages before the run started.
  const plan = { ...(await makePlan(request, cells, left, ports)), install: null };
  onProgress({ kind: "plan", plan });
  // An earlier process may have been killed between storing a run and recording it in the ledger; recording it twice stores it once.
  const titles = new Map(request.suite.tasks.map(({ id, title }) => [id, title]));
  for (const each of made) await ports.recorder.record(each, titles.get(each.taskId) ?? each.taskId);

  const stopped =
    left.length === 0
      ? null
      : await makeRuns({ request, left, cells, plan, state }, ports, signal, onProgress);
  const runs = inOrder(cells, within(cells, state.runs));
  const end =
    stopped ??
    (leftOf(cells, runs).length === 0 ? { kind: "done" as const } : { kind: "cancelled" as const });
  if (end.kind === "paused") onProgress(end);
  else if (end.kind === "done") onProgress(end);
  return { id: request.id, state: end, runs, planned: cells.length, unsteady: unsteadyRuns(runs) };
}

async function makeRuns(
  {
    request,
    left,
    cells,
    plan,
    state,
  }: Asked & { readonly left: readonly Cell[]; readonly plan: BenchPlan; readonly state: BenchState },
  ports: BenchPorts,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<BenchOutcome["state"] | null> {
  const prefix = scratchPrefix(state.folder);
  // This process holds the lock: any process with this bench's mark is left over from an earlier one.
  await killMarked(prefix);
  await removeLeftovers(ports.scratch, prefix);
  const prepared = new Map<Fixture["hash"], PreparedFixture>();
  for (const fixture of fixturesFor(request, left)) {
    const modules = await ports.modules(fixture, signal, (progress) =>
      onProgress({ kind: "preparing", ...progress }),
    );
    if (signal.aborted) return { kind: "cancelled" };
    if (!modules.ok) return { kind: "paused", reason: "environment", detail: modules.detail };
    const shared = await SharedFiles.watch(fixture, modules.value);
    prepared.set(fixture.hash, { modules: modules.value, shared });
  }
  const about = { request, left, planned: cells.length, plan, state, prefix, prepared };
  return await new RunExecutor(about, ports, signal, onProgress).make();
}

function leftOf(cells: readonly Cell[], made: readonly BenchRun[]): Cell[] {
  const done = new Set(made.filter(isEvidence).map(cellKey));
  return cells.filter((cell) => !done.has(cellKey(cell)));
}

/** Filters the cells' runs, including those that are not evidence. */
function within(cells: readonly Cell[], runs: readonly BenchRun[]): BenchRun[] {
  const wanted = new Set(cells.map(cellKey));
  return runs.filter((each) => wanted.has(cellKey(each)));
}

function inOrder(cells: readonly Cell[], runs: readonly BenchRun[]): BenchRun[] {
  const positions = new Map(cells.map((cell, index) => [cellKey(cell), index]));
  return runs.toSorted(
    (one, other) => (positions.get(cellKey(one)) ?? 0) - (positions.get(cellKey(other)) ?? 0),
  );
}

function checkRequest(request: BenchRequest): Sentence | null {
  const { id, suite, configurations, taskIds, runs, parallel, seed, tokenCap, shard } = request;
  if (!isBenchId(id)) return sentence("{0} is no id of a bench: letters, digits, ., _ and - are", id);
  const counts: (readonly [Sentence, number])[] = [
    [sentence("runs"), runs],
    [sentence("parallel"), parallel],
  ];
  if (tokenCap !== null) counts.push([sentence("the token cap"), tokenCap]);
  for (const [name, value] of counts)
    if (!Number.isSafeInteger(value) || value < 1)
      return sentence("{name} is a whole number from 1, not {value}", { name: name, value });
  if (!Number.isSafeInteger(seed)) return sentence("the seed is a whole number, not {0}", seed);
  if (shard !== null && !(shard.index >= 1 && shard.index <= shard.of))
    return sentence("shard {0} of {1} is none", shard.index, shard.of);
  if (configurations.length === 0) return sentence("nothing is to be measured");
  const unguarded = guardRefusal(request.driver, configurations);
  if (unguarded !== null) return unguarded;
  if (request.design === "pairs") {
    const isPaired = configurations.length % 2 === 0;
    const isOfOne = new Set(configurations.map(({ agent }) => agent)).size === 1;
    if (!isPaired || !isOfOne)
      return sentence("a design of pairs has an even number of configurations, all of one agent");
  }
  if (request.design === "arms") {
    const count = controlsFor(configurations.length);
    const controls = new Set(configurations.slice(0, count).map(configurationHash));
    if (controls.size !== 1 || count !== controlsOf(configurations.length - count))
      return sentence(
        "a design of arms begins with the unchanged configuration, as often as its number of arms needs",
      );
  }
  const known = new Set(suite.agents.map(({ name }) => name));
  const unknown = configurations.find(({ agent }) => !known.has(agent));
  if (unknown !== undefined) return sentence("the suite has no agent {0}", unknown.agent);
  const tasks = new Map(suite.tasks.map((task) => [task.id, task.agent]));
  const missing = taskIds.find((task) => !tasks.has(task));
  if (missing !== undefined) return sentence("the suite has no task {0}", missing);
  const without = configurations.find(({ agent }) => !taskIds.some((task) => tasks.get(task) === agent));
  return without === undefined ? null : sentence("none of the tasks is one of {0}", without.agent);
}
