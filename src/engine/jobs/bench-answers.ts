import type { Sentence } from "../base/language.ts";
import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { driverNames, benchRunSchema, configurationRoles } from "../bench/run-facts.ts";
import { type LiveRun } from "../bench/bench-entries.ts";
import type { BenchPlan } from "../bench/plan.ts";
import { compareAsk, compareView } from "./answers/compare.ts";
import type { PowerPlan } from "../verdict/power.ts";
import { powerPlan } from "./answers/power.ts";
import { count, interval, name, runFields, suiteChoice } from "./answers/shared.ts";
import { selectAsk, selectView } from "./answers/select.ts";
import { wakeAsk, wakeProgress } from "./answers/wake.ts";

/** Panels use these shapes without the service's protocol. */

export const benchId = z.string().check(z.regex(/^[A-Za-z0-9_][\w.-]{0,99}$/u));
/** Milliseconds since the epoch. */
const at = z.number();

export type SuiteChoice = z.infer<typeof suiteChoice>;

export const benchAsk = z.object({
  kind: z.literal("bench"),
  suite: suiteChoice,
  agents: z.array(name).check(z.minLength(1), z.maxLength(40)),
  /** Null for all. */
  taskIds: z.nullable(z.array(name).check(z.maxLength(1000))),
  /** Per task. */
  runs: z.int().check(z.minimum(1), z.maximum(100)),
  ...runFields,
});
export type BenchAsk = z.infer<typeof benchAsk>;

/** Jobs that measure. One of them runs at a time. Their runners are in `process/runners/kinds.ts`. */
export const jobAsk = z.discriminatedUnion("kind", [benchAsk, selectAsk, compareAsk]);
export type JobOrder = z.infer<typeof jobAsk>;

export const anyAsk = z.discriminatedUnion("kind", [benchAsk, selectAsk, compareAsk, wakeAsk]);
export type AnyOrder = z.infer<typeof anyAsk>;

export const jobState = z.discriminatedUnion("kind", [
  /** Jobs ahead of it. */
  z.object({ kind: z.literal("queued"), ahead: count }),
  z.object({ kind: z.literal("running") }),
  z.object({ kind: z.literal("cancelling") }),
  /** Stopped by itself before its last run; can be resumed. */
  z.object({
    kind: z.literal("paused"),
    reason: z.enum(["environment", "token-cap", "budget"]),
    detail: sentenceSchema,
  }),
  /** The process that ran it ended; it can be resumed. */
  z.object({ kind: z.literal("interrupted"), detail: sentenceSchema }),
  z.object({ kind: z.literal("done") }),
  /** Can be resumed. */
  z.object({ kind: z.literal("cancelled") }),
  z.object({ kind: z.literal("failed"), detail: sentenceSchema }),
]);
export type JobState = z.infer<typeof jobState>;

const provenance = z.enum(["official", "measured", "estimated", "unknown"]);

export interface JobPlan extends BenchPlan {
  /** Chances to decide. Only for a selection or a comparison that has not started, and is not a replay. */
  readonly power?: PowerPlan | undefined;
  /** Why the agent cannot run on this machine now; null if it can. */
  readonly unready?: Sentence | null | undefined;
}

export const benchPlan: z.ZodMiniType<JobPlan> = z.object({
  driver: z.enum(driverNames),
  recordedBy: z.array(z.string()),
  runs: count,
  made: count,
  tokens: z.number().check(z.nonnegative()),
  cacheReadTokens: z.number().check(z.nonnegative()),
  usd: z.nullable(z.number()),
  expected: z.object({
    perRun: z.number(),
    cacheReadPerRun: z.number(),
    spread: z.number(),
    source: provenance,
    because: sentenceSchema,
  }),
  smallestSaving: z.nullable(z.number()),
  tokenCap: z.nullable(z.number()),
  metaCost: z.nullable(z.object({ realWork: z.number(), benches: z.number(), share: z.number() })),
  warnings: z.array(sentenceSchema),
  // Older jobs do not have it.
  install: z._default(z.nullable(z.object({ packages: z.nullable(count) })), null),
  power: z.optional(powerPlan),
  unready: z.optional(z.nullable(sentenceSchema)),
});

const usage = benchRunSchema.shape.usage;

export const liveRun: z.ZodMiniType<LiveRun> = z.object({
  id: z.string(),
  side: count,
  agent: z.string(),
  taskId: z.string(),
  round: count,
  turns: count,
  toolCalls: count,
  tool: z.nullable(z.string()),
  usage,
  processingTokens: count,
  startedAt: at,
  elapsedMs: z.number(),
});

/** Processing tokens. */
const taskFigures = z.object({
  taskId: z.string(),
  side: count,
  /** Runs that count as evidence: excludes cancelled runs and those of a failing environment. */
  runs: count,
  passed: count,
  /** Mean of the completed runs. Null without one. */
  mean: z.nullable(z.number()),
  /** Null below two completed runs. */
  interval: z.nullable(interval),
  run1: z.nullable(z.number()),
  best: z.nullable(z.number()),
  /** True when two completed runs differ by more than a quarter. */
  isUnsteady: z.boolean(),
});
export type TaskFigures = z.infer<typeof taskFigures>;

/** All tasks of a side with a completed run, weighted. `run1` and `best` are null where one of them has no reference. */
const sideFigures = z.object({
  side: count,
  runs: count,
  passed: count,
  /** Processing tokens per completed run. */
  tokens: z.nullable(z.number()),
  interval: z.nullable(interval),
  /**
   * Compared with `run1` of the same tasks: 0.8 is a fifth less. The interval is null where a task has fewer
   * than two completed runs.
   */
  run1: z.nullable(z.object({ share: z.number(), interval: z.nullable(interval) })),
  best: z.nullable(z.object({ share: z.number() })),
});
export type SideFigures = z.infer<typeof sideFigures>;

/** One configuration of one bench, in the history of the same agent, model, tasks and driver. */
const historyPoint = z.object({
  benchId: z.string(),
  agent: z.string(),
  label: sentenceSchema,
  configurationHash: z.string(),
  at,
  figures: sideFigures,
});
export type HistoryPoint = z.infer<typeof historyPoint>;

const jobHead = z.object({
  id: benchId,
  ask: jobAsk,
  state: jobState,
  at,
  startedAt: z.nullable(at),
  endedAt: z.nullable(at),
  done: count,
  of: count,
  /** Processing tokens used so far, and their price. Replayed runs use none. */
  spent: z.object({ tokens: z.number(), usd: z.nullable(z.number()) }),
  live: z.array(liveRun),
  /** Only while packages of the tasks' project are installed, before the first run. */
  preparing: z.optional(z.object({ fetched: count, packages: count })),
  /** Only for a started job of kind `select`. */
  selection: z.optional(selectView),
  /** Only for a started job of kind `compare`. */
  comparison: z.optional(compareView),
});

export const jobSummary = z.extend(jobHead, {
  /** How replayed recordings were made: a script's do not measure a model. */
  recordedBy: z.array(z.string()),
  figures: z.array(sideFigures),
});
export type JobSummary = z.infer<typeof jobSummary>;

export const wakeJob = z.object({
  id: benchId,
  ask: wakeAsk,
  state: jobState,
  at,
  startedAt: z.nullable(at),
  endedAt: z.nullable(at),
  /** Null until it has started. */
  wake: z.nullable(wakeProgress),
});
export type WakeJob = z.infer<typeof wakeJob>;

const sideView = z.object({
  label: sentenceSchema,
  agent: z.string(),
  model: z.string(),
  hash: z.string(),
  /** The configuration's role for its agent; `candidate` in jobs older than this field. */
  role: z._default(z.enum(configurationRoles), "candidate"),
  /** Hash of its agent's tasks and their project. */
  suiteHash: z.string(),
});
const taskView = z.object({
  id: z.string(),
  agent: z.string(),
  title: z.string(),
  weight: z.number(),
  /** Hash of everything that defines the task. */
  hash: z.string(),
});
export type TaskView = z.infer<typeof taskView>;

/** Known before the first run. */
export const jobOutline = z.object({
  rounds: count,
  sides: z.array(sideView),
  tasks: z.array(taskView),
  /** Runs of the whole schedule. */
  of: count,
});
export type JobOutline = z.infer<typeof jobOutline>;

export const jobView = z.extend(jobSummary, {
  plan: z.nullable(benchPlan),
  ...jobOutline.shape,
  runs: z.array(benchRunSchema),
  taskFigures: z.array(taskFigures),
  /** The oldest first, this job included. */
  history: z.array(historyPoint),
});
export type JobView = z.infer<typeof jobView>;

const timelineTurn = z.object({
  /** Counted from 1, turns of subagents included. */
  turn: count,
  isSidechain: z.boolean(),
  /** Milliseconds since the run's start, and until the next turn or the end; null where the transcript has no times. */
  at: z.nullable(z.number()),
  ms: z.nullable(z.number()),
  usage,
  processingTokens: count,
  /** Text of the agent: tools called, and short descriptions of their targets. */
  calls: z.array(z.object({ tool: z.string(), target: z.nullable(z.string()), isError: z.boolean() })),
  /** Shortened text of the agent. */
  text: z.nullable(z.string()),
});
export type TimelineTurn = z.infer<typeof timelineTurn>;

export const runPage = z.object({
  run: benchRunSchema,
  taskTitle: z.string(),
  label: sentenceSchema,
  run1: z.nullable(z.number()),
  /** Null if nothing was stored. */
  trajectory: z.nullable(
    z.object({
      turns: z.array(timelineTurn),
      changes: z.array(z.object({ path: z.string(), isRemoved: z.boolean() })),
      /** End of its output; null if the check did not run. Outside text. */
      checkOutput: z.nullable(z.string()),
    }),
  ),
});
export type RunPage = z.infer<typeof runPage>;

/** Null if the file did not exist. Outside text. */
export const fileChangeView = z.object({ before: z.nullable(z.string()), after: z.nullable(z.string()) });
export type FileChangeView = z.infer<typeof fileChangeView>;

const agentChoice = z.object({ name: z.string(), description: z.string(), model: z.nullable(z.string()) });
const suiteOffer = z.object({
  suite: suiteChoice,
  agents: z.array(agentChoice),
  tasks: z.array(z.extend(z.omit(taskView, { hash: true }), { path: z.string(), check: z.string() })),
  /** Why it cannot be used. */
  problem: z.nullable(sentenceSchema),
});
export type SuiteOffer = z.infer<typeof suiteOffer>;

/** An unfinished golden task of the workspace, which no run uses. Its title is outside text, cleaned. */
const goldenDraft = z.object({
  file: z.string(),
  agent: z.string(),
  title: z.string(),
  remaining: z.array(sentenceSchema),
});

/** A commit of the workspace that was tried as a golden task, and why it did not become one. Outside text, cleaned. */
const triedCommit = z.object({
  commit: z.string(),
  subject: z.string(),
  isTask: z.boolean(),
  why: sentenceSchema,
});

export const benchChoices = z.object({
  suites: z.array(suiteOffer),
  /** Newest first. */
  history: z.array(triedCommit),
  drafts: z.array(goldenDraft),
  drivers: z.array(
    z.object({
      name: z.enum(driverNames),
      isReady: z.boolean(),
      problem: z.nullable(sentenceSchema),
      /** How its recordings were made. Empty for drivers that spend tokens. */
      recordedBy: z.array(z.string()),
    }),
  ),
  /** The first agent that is ready, else the usual one; never the recordings, which must be chosen. */
  driver: z.enum(driverNames),
});
export type BenchChoices = z.infer<typeof benchChoices>;
