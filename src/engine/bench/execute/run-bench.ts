import { fail, succeed, type Result } from "../../base/result.ts";
import { BenchState } from "../state/state.ts";
import type {
  BenchFault,
  BenchOutcome,
  BenchPorts,
  BenchRequest,
  OnProgress,
  PlanPorts,
} from "../bench-request/bench-request.ts";
import { isEvidence, type BenchRun } from "../run-facts/run-facts.ts";
import { checkRequest } from "../check-request.ts";
import { killMarked } from "../processes.ts";
import { makePlan } from "../plan/make.ts";
import type { BenchPlan } from "../plan.ts";
import { RunExecutor } from "./run-executor.ts";
import { cellKey, scheduleOf, scheduleRound, type Cell } from "./schedule.ts";
import { SharedFiles } from "./shared-files.ts";
import { unsteadyRuns } from "./install-agent.ts";
import { removeLeftovers, scratchPrefix } from "./workspace.ts";

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
  const install = left.length === 0 ? null : await ports.pendingInstall(request.suite.fixture);
  return { ...(await makePlan(request, cells, left, ports)), install };
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
  const { fixture } = request.suite;
  const modules = await ports.modules(fixture, signal);
  if (signal.aborted) return { kind: "cancelled" };
  if (!modules.ok) return { kind: "paused", reason: "environment", detail: modules.detail };
  const shared = await SharedFiles.watch(fixture, modules.value);
  const about = { request, left, planned: cells.length, plan, state, prefix, shared, modules: modules.value };
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

/** Sorts by the schedule; runs of one cell stay in the order they ended. */
function inOrder(cells: readonly Cell[], runs: readonly BenchRun[]): BenchRun[] {
  const positions = new Map(cells.map((cell, index) => [cellKey(cell), index]));
  return runs.toSorted(
    (one, other) => (positions.get(cellKey(one)) ?? 0) - (positions.get(cellKey(other)) ?? 0),
  );
}
