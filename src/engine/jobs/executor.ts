import * as z from "zod/mini";
import { type Sentence, sentence, plural } from "../base/language.ts";
import { type Failure, type Result, fail, succeed } from "../base/result.ts";
import type { ActiveMemories } from "../bench/configuration.ts";
import { benchRunSchema } from "../bench/run-facts.ts";
import { type BenchProgress, type PauseReason } from "../bench/bench-entries.ts";
import type { BenchPlan } from "../bench/plan.ts";
import {
  type AnyOrder,
  type BenchChoices,
  type JobOrder,
  type JobOutline,
  anyAsk,
  benchChoices,
  benchId,
  benchPlan,
  jobAsk,
  jobOutline,
  liveRun,
} from "./bench-answers.ts";
import { type CompareView, compareView } from "./answers/compare.ts";
import { type WakePlanView, wakePlanView } from "../recurring/recurring-answers.ts";
import { type SelectView, selectView } from "./answers/select.ts";
import { type WakeAsk, type WakeProgress, wakeAsk, wakeProgress } from "./answers/wake.ts";
import type { RuleBook } from "../ledger/rule-questions.ts";
import { compileMemory } from "../rules/rent.ts";
import type { Rule } from "../rules/rule.ts";
import { rulesInBook } from "../rules/book.ts";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { request, type NoticeKind } from "../protocol/serve.ts";

/** The part of a client's environment that agents need for their runs. */
export type ClientEnvironment = Readonly<Record<string, string>>;

/** Last reported state of a resumed job: none of its work is done or paid for again. */
export interface ResumeState {
  readonly selection?: SelectView | undefined;
  readonly comparison?: CompareView | undefined;
}

export interface WorkOrder extends ResumeState {
  readonly id: string;
  readonly ask: AnyOrder;
  readonly env: ClientEnvironment;
  readonly memories: ActiveMemories;
  /** The folder with the budgets that apply, or null. */
  readonly project: string | null;
}

export interface PlanOrder extends Pick<WorkOrder, "env" | "memories"> {
  readonly ask: JobOrder;
}

export type WorkEnd =
  | { readonly kind: "done" }
  | { readonly kind: "paused"; readonly reason: PauseReason; readonly detail: Sentence }
  | { readonly kind: "cancelled" };

export type JobEvent =
  | BenchProgress
  | { readonly kind: "outline"; readonly outline: JobOutline }
  /** The whole state, each time a part of it changed. */
  | { readonly kind: "selection"; readonly selection: SelectView }
  | { readonly kind: "comparison"; readonly comparison: CompareView }
  | { readonly kind: "wake"; readonly wake: WakeProgress };

/**
 * `gone`: the process doing the work ended before its answer. `failed`: not possible; the detail has the
 * reason.
 */
export type WorkFailure = "gone" | "failed" | "cancelled";

/** Works outside the service, which only sends requests and receives progress. */
export interface JobExecutor {
  choices(
    asked: { readonly workspace: string | null; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchChoices, WorkFailure>>;
  plan(order: PlanOrder, signal: AbortSignal): Promise<Result<BenchPlan, WorkFailure>>;
  planWake(
    order: { readonly ask: WakeAsk; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<WakePlanView, WorkFailure>>;
  /** Resolves when the work has ended; after an abort, as soon as its runs have ended. */
  run(
    order: WorkOrder,
    onEvent: (event: JobEvent) => void,
    signal: AbortSignal,
  ): Promise<Result<WorkEnd, WorkFailure>>;
  /** Ends the runner and its runs. */
  close(): Promise<void>;
}

export type WorkFailed = Failure<WorkFailure>;

const refused = () =>
  Promise.resolve(fail("failed", sentence("this is the sample: nothing runs in it, and nothing is spent")));

/** A sample's service has no other: its jobs were made when it was packed. */
export const refusingExecutor: JobExecutor = {
  choices: () =>
    Promise.resolve(succeed({ suites: [], history: [], drafts: [], drivers: [], driver: "claude" })),
  plan: refused,
  planWake: refused,
  run: refused,
  close: () => Promise.resolve(),
};

export function memoriesOf(agents: readonly string[], rules: readonly Rule[]): ActiveMemories {
  const each = agents.flatMap((agent) => {
    const own = rules.filter((rule) => rule.agent === agent);
    // The version is not part of the measurement: the same rules are the same memory.
    const { text, ruleIds } = compileMemory(own, "0");
    if (text === "") return [];
    const label = plural(ruleIds.length, sentence("1 rule"), sentence("{0} rules", ruleIds.length));
    return [[agent, { label, text }] as const];
  });
  return Object.fromEntries(each);
}

/** Without the ledger's answer, the agents' state is unknown. */
export async function activeMemories(
  agents: readonly string[],
  ruleBook: () => Promise<Result<RuleBook>>,
): Promise<Result<ActiveMemories>> {
  const book = await ruleBook();
  return book.ok ? succeed(memoriesOf(agents, rulesInBook(book.value))) : book;
}

/** Protocol between the service and the process that runs benches, over a pipe. */

const env = z.record(z.string(), z.string());
const memories = z.record(z.string(), z.object({ label: sentenceSchema, text: z.string() }));
const pause = { reason: z.enum(["environment", "token-cap", "budget"]), detail: sentenceSchema };

export const workChoices = request("workChoices", {
  params: z.object({ workspace: z.nullable(z.string()), env }),
  answer: benchChoices,
});

export const workPlan = request("workPlan", {
  params: z.object({ ask: jobAsk, env, memories }),
  answer: z.object({ plan: benchPlan }),
});

export const workWakePlan = request("workWakePlan", {
  params: z.object({ ask: wakeAsk, env }),
  answer: z.object({ plan: wakePlanView }),
});

const end: z.ZodMiniType<WorkEnd> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("paused"), ...pause }),
  z.object({ kind: z.literal("cancelled") }),
]);
/** Answered when the work has ended, also after a cancel. */
export const workRun = request("workRun", {
  params: z.object({
    id: benchId,
    ask: anyAsk,
    env,
    memories,
    project: z.nullable(z.string()),
    selection: z.optional(selectView),
    comparison: z.optional(compareView),
  }),
  answer: z.object({ end }),
});

const runPlace = z.object({
  id: z.string(),
  side: z.int(),
  agent: z.string(),
  taskId: z.string(),
  round: z.int(),
});
const jobEvent: z.ZodMiniType<JobEvent> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("outline"), outline: jobOutline }),
  z.object({ kind: z.literal("selection"), selection: selectView }),
  z.object({ kind: z.literal("comparison"), comparison: compareView }),
  z.object({ kind: z.literal("wake"), wake: wakeProgress }),
  z.object({ kind: z.literal("plan"), plan: benchPlan }),
  z.object({ kind: z.literal("resumed"), runs: z.array(benchRunSchema) }),
  z.object({ kind: z.literal("preparing"), fetched: z.int(), packages: z.int() }),
  z.object({ kind: z.literal("started"), run: runPlace, at: z.number() }),
  z.object({ kind: z.literal("live"), run: liveRun }),
  z.object({ kind: z.literal("ended"), run: benchRunSchema, done: z.int(), of: z.int() }),
  z.object({ kind: z.literal("paused"), ...pause }),
  z.object({ kind: z.literal("done") }),
]);
export const workEvent: NoticeKind<{ id: string; news: JobEvent }> = {
  method: "workNews",
  params: z.object({ id: z.string(), news: jobEvent }),
};
