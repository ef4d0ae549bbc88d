import { plainSentence } from "../base/language.ts";
import { isEvidence, type BenchRun } from "../bench/run-facts.ts";
import { type LiveRun } from "../bench/bench-entries.ts";
import { figuresOfSide, figuresOfTasks, type ReferenceOf } from "./task-figures.ts";
import type { MeasuringJob, StoredJob } from "./jobs-store.ts";
import type {
  WakeJob,
  HistoryPoint,
  JobSummary,
  JobView,
  RunPage,
  SideFigures,
  TaskFigures,
} from "./bench-answers.ts";

export function summaryOf(job: MeasuringJob, live: readonly LiveRun[], references: ReferenceOf): JobSummary {
  const { id, ask, state, at, startedAt, endedAt, plan, outline, runs, selection, comparison } = job;
  const recorders = plan?.recordedBy ?? [];
  const { sides } = figures(job, references);
  return {
    id,
    ask,
    state,
    at,
    startedAt,
    endedAt,
    // Runs that failed with their environment, or were cancelled, are repeated and do not count.
    done: runs.filter(isEvidence).length,
    of: outline?.of ?? plan?.runs ?? 0,
    spent: spentOf(job, live),
    live: [...live],
    recordedBy:
      recorders.length > 0 ? [...recorders] : [...new Set(runs.flatMap((run) => run.recordedBy ?? []))],
    figures: sides,
    ...(selection === undefined ? {} : { selection }),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

/** Empty for any job but a wake. */
export function wakesOf({ id, ask, state, at, startedAt, endedAt, wake }: StoredJob): WakeJob[] {
  return ask.kind === "wake" ? [{ id, ask, state, at, startedAt, endedAt, wake: wake ?? null }] : [];
}

export function viewOf(
  job: MeasuringJob,
  all: readonly MeasuringJob[],
  live: readonly LiveRun[],
  references: ReferenceOf,
): JobView {
  const { outline, plan, runs, ask } = job;
  return {
    ...summaryOf(job, live, references),
    plan,
    rounds: outline?.rounds ?? (ask.kind === "bench" ? ask.runs : 0),
    sides: outline?.sides ?? [],
    tasks: outline?.tasks ?? [],
    of: outline?.of ?? plan?.runs ?? 0,
    runs: [...runs],
    taskFigures: figures(job, references).tasks,
    history: historyOf(job, all, references),
  };
}

export function readPage(
  job: MeasuringJob,
  run: BenchRun,
  references: ReferenceOf,
  trajectory: RunPage["trajectory"],
): RunPage {
  const task = job.outline?.tasks.find(({ id }) => id === run.taskId);
  return {
    run,
    taskTitle: task?.title ?? run.taskId,
    label: job.outline?.sides[run.side]?.label ?? plainSentence(""),
    run1: references(run)?.run1 ?? null,
    trajectory,
  };
}

function figures(
  { outline, runs, ask }: MeasuringJob,
  references: ReferenceOf,
): { tasks: TaskFigures[]; sides: SideFigures[] } {
  const { sides = [], tasks = [] } = outline ?? {};
  const each = sides.map(({ agent, model, suiteHash }, side) => {
    const own = tasks.filter((task) => task.agent === agent);
    const of = { agent, model, suiteHash, driver: ask.driver };
    const ofTasks = figuresOfTasks({ side, tasks: own, runs, of }, references);
    return { tasks: ofTasks, side: figuresOfSide({ side, tasks: own, runs }, ofTasks) };
  });
  return { tasks: each.flatMap((one) => one.tasks), sides: each.map((one) => one.side) };
}

/** Results of jobs with the same agent, tasks, model and driver, this one included. */
function historyOf(job: MeasuringJob, all: readonly MeasuringJob[], references: ReferenceOf): HistoryPoint[] {
  const wanted = new Set(comparableKeys(job));
  const alike = all.filter(({ ask }) => ask.kind === job.ask.kind);
  const points = alike.flatMap((one) => {
    const { sides } = figures(one, references);
    const keys = comparableKeys(one);
    return (one.outline?.sides ?? []).flatMap(({ label, agent, hash }, index) => {
      const found = sides[index];
      if (!wanted.has(keys[index] ?? "") || found?.tokens === undefined || found.tokens === null) return [];
      const at = one.startedAt ?? one.at;
      return [{ benchId: one.id, agent, label, configurationHash: hash, at, figures: found }];
    });
  });
  return points.toSorted((one, other) => one.at - other.at);
}

/** One key per side. */
function comparableKeys({ outline, ask }: MeasuringJob): string[] {
  return (outline?.sides ?? []).map(({ agent, model, suiteHash }) =>
    JSON.stringify([agent, model, suiteHash, ask.driver]),
  );
}

function spentOf({ ask, plan, runs }: MeasuringJob, live: readonly LiveRun[]): JobSummary["spent"] {
  if (ask.driver === "replay") return { tokens: 0, usd: 0 };
  const all = [...runs, ...live];
  const tokens = all.reduce((sum, { processingTokens }) => sum + processingTokens, 0);
  // Uses the plan's own price per token: the ledger's later figure is by response.
  const rate = plan !== null && plan.usd !== null && plan.tokens > 0 ? plan.usd / plan.tokens : null;
  return { tokens, usd: rate === null ? null : tokens * rate };
}
