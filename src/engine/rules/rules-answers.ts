import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { setDecisions } from "../verdict/retention.ts";
import { gradeView } from "../verdict/verdict-answers.ts";
import { ruleOrigins, ruleSource, ruleStatuses } from "./rule.ts";

export { describeGuardResult } from "./guard-trial-answers.ts";

/** Answers about rules. Panels import these without the service's protocol. */

/** Milliseconds since the epoch. */
const at = z.number();
const status = z.enum(ruleStatuses);

const stepView = z.object({ at, who: z.string(), from: z.nullable(status), to: status, why: sentenceSchema });
export type StepView = z.infer<typeof stepView>;

const receiptHead = z.object({
  id: z.string(),
  at,
  verdict: z.string(),
  /** Whether it comes from a replay: a demonstration that decides nothing. */
  isDemo: z.boolean(),
});

const setView = z.object({
  /** Null if it was not yet measured as a whole. */
  decision: z.nullable(z.enum(setDecisions)),
  rules: z.number(),
  /** The verdict in one sentence; empty without one. */
  reason: sentenceSchema,
  receiptId: z.nullable(z.string()),
});
export type SetView = z.infer<typeof setView>;

export const ruleView = z.object({
  id: z.string(),
  agent: z.string(),
  sentence: z.string(),
  scope: z.nullable(z.string()),
  status,
  isProtected: z.boolean(),
  strikes: z.number(),
  origin: z.enum(ruleOrigins),
  source: z.nullable(ruleSource),
  /** Tokens saved per completed run; shrunken, where more than its own runs is known. */
  saving: z.nullable(z.number()),
  /** What its newest measurement expects of it. Absent in older ones. */
  expected: z.optional(gradeView),
  /** Tokens per session. `cost` is what its verdict counted with, or today's estimate if it has none; it must save twice that. */
  rent: z.object({
    cost: z.number(),
    isMeasured: z.boolean(),
    /** Today's estimate: its own tokens, and its part of the prompt cache. `because` explains it. */
    own: z.number(),
    prefix: z.number(),
    total: z.number(),
    because: sentenceSchema,
  }),
  createdAt: z.nullable(at),
  decidedAt: z.nullable(at),
  decidedReason: z.nullable(sentenceSchema),
  auditedAt: z.nullable(at),
  replaces: z.nullable(z.string()),
  /** Other rules of the agent with similar text, most similar first; likeness is 0 to 1. */
  similar: z.array(z.object({ id: z.string(), text: z.string(), status, likeness: z.number() })),
  /** Oldest first. */
  steps: z.array(stepView),
  /** Newest first. */
  receipts: z.array(receiptHead),
  /** The rules with which it would become active, measured as a whole. Absent without a set. */
  set: z.optional(setView),
  /** Whether the last step can be reverted. */
  canUndo: z.boolean(),
});
export type RuleView = z.infer<typeof ruleView>;

export const ruleActionRequest = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("approve") }),
  z.object({ kind: z.literal("reject"), why: z.string().check(z.maxLength(400)) }),
  z.object({ kind: z.literal("protect"), isProtected: z.boolean() }),
  z.object({ kind: z.literal("edit"), text: z.string().check(z.maxLength(1000)) }),
  z.object({ kind: z.literal("undo") }),
]);
export type RuleActionRequest = z.infer<typeof ruleActionRequest>;

export const manyRulesAction = z.discriminatedUnion("kind", [
  /** Has them measured. Does not admit a rule that passed. */
  z.object({ kind: z.literal("approve") }),
  /** Lets those that passed into their agents' memories. */
  z.object({ kind: z.literal("letIn") }),
  z.object({ kind: z.literal("reject"), why: z.string().check(z.maxLength(400)) }),
  z.object({ kind: z.literal("undo") }),
]);
export type ManyRulesAction = z.infer<typeof manyRulesAction>;

export const manyRulesDone = z.object({
  ids: z.array(z.string()),
  /** The rules that stayed as they are, with the reasons. */
  refused: z.array(z.object({ id: z.string(), why: sentenceSchema })),
  /** Why agents' memories were not written; empty where all were. */
  memories: z.array(z.object({ agent: z.string(), why: sentenceSchema })),
});
export type ManyRulesDone = z.infer<typeof manyRulesDone>;

const memoryVersion = z.object({ version: z.string(), at, rules: z.number(), madeBy: z.string() });

export const memoryView = z.object({
  agent: z.string(),
  /** The project whose file has the rules of the main conversation; absent for any other agent. */
  project: z.optional(z.string()),
  file: z.string(),
  /** `failed`: the file cannot be read. */
  state: z.enum(["none", "ours", "edited", "foreign", "failed"]),
  /** Content of the file; empty without one. */
  text: z.string(),
  /** Text that compiling would write. Empty if it would leave no file. */
  next: z.string(),
  isCurrent: z.boolean(),
  /** Lines from the current text to the compiled one. */
  diff: z.array(z.object({ sign: z.enum([" ", "+", "-"]), text: z.string() })),
  /** Ids of active rules that do not fit. */
  leftOut: z.array(z.string()),
  /** Newest first. */
  versions: z.array(memoryVersion),
});
export type MemoryView = z.infer<typeof memoryView>;

export const rulesView = z.object({
  rules: z.array(ruleView),
  memories: z.array(memoryView),
});
export type RulesView = z.infer<typeof rulesView>;

const figure = z.number();
const bothSides = z.tuple([figure, figure]);

export const evidenceView = z.object({
  receiptId: z.string(),
  verdict: z.string(),
  reason: sentenceSchema,
  /** Tokens that must be saved. */
  bar: figure,
  saving: z.nullable(z.object({ value: figure, low: figure, high: figure })),
  tasks: z.array(
    z.object({
      taskId: z.string(),
      pairs: figure,
      tokens: z.nullable(bothSides),
      passed: bothSides,
      runs: bothSides,
    }),
  ),
  /** Two completed runs of the same task in the same round. */
  pairs: z.array(z.object({ taskId: z.string(), round: figure, saved: figure })),
  /** The evidence that counts, in sentences. Absent if it is only the measurement's own. */
  counted: z.optional(z.array(sentenceSchema)),
  /** Includes those of earlier measurements. */
  rounds: figure,
  /** Rounds of this measurement alone, as for `runs` and `tokens`. */
  ownRounds: z.optional(figure),
  runs: figure,
  tokens: figure,
  moreRounds: z.nullable(figure),
  driver: z.string(),
  /** How the recordings were made, for replayed runs. */
  recordedBy: z.array(z.string()),
});
export type EvidenceView = z.infer<typeof evidenceView>;

export const proposed = z.object({
  text: z.string(),
  /** Null when refused. */
  id: z.nullable(z.string()),
  /** Reason for the refusal, or null. */
  refused: z.nullable(sentenceSchema),
});
export type Proposed = z.infer<typeof proposed>;

const findingView = z.object({
  kind: z.string(),
  what: sentenceSchema,
  turns: z.array(z.object({ line: z.number(), what: z.string() })),
  advice: z.string(),
});

/** Something missing before an agent's rules can be measured and reach it; `words` is a sentence on what to do about it. */
export const missingView = z.object({
  kind: z.enum(["no-memory", "elsewhere", "no-definition", "main", "no-folder", "program", "no-tasks"]),
  words: sentenceSchema,
});

export const distilled = z.object({
  /** Null if no run is costly. */
  run: z.nullable(
    z.object({
      id: z.string(),
      sessionId: z.string(),
      transcript: z.string(),
      agent: z.string(),
      tokens: z.number(),
      usual: z.nullable(z.number()),
    }),
  ),
  findings: z.array(findingView),
  /** Why nothing is proposed from them; empty where something may be. */
  missing: z.array(missingView),
  proposed: z.array(proposed),
  /** The prompt that a model would get, for a preview. */
  preview: z.nullable(z.string()),
});
export type Distilled = z.infer<typeof distilled>;

const count = z.int().check(z.nonnegative());

/** Completed runs of real work that started with one version of an agent's memory. Processing tokens per run. */
export const learnedView = z.object({
  /** Null for runs before there was any. */
  version: z.nullable(z.string()),
  /** When the memory was written, and its number of rules; null where unknown. */
  at: z.nullable(at),
  rules: z.nullable(count),
  runs: count,
  mean: z.number(),
  median: z.number(),
  p25: z.number(),
  p75: z.number(),
});
export type LearnedView = z.infer<typeof learnedView>;

/** Totals over an agent's golden tasks, with one model and driver. Processing tokens. */
const suiteView = z.object({
  model: z.string(),
  suiteHash: z.string(),
  driver: z.string(),
  tasks: count,
  /** Tokens of a run, the mean of the tasks by weight: of each one's first completed run (frozen), and of its best. */
  run1: z.number(),
  best: z.number(),
  /** Likewise of each task's last completed run with the agent as it is; null where some are unknown. */
  last: z.nullable(z.number()),
  lastAt: z.nullable(at),
});
export type SuiteView = z.infer<typeof suiteView>;

/** Share of the week's real work above which benches take too much. */
export const muchMeasured = 0.1;

/** Findings from a costly run of an agent for which no rules can be proposed. */
const foundView = z.object({
  runId: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  at,
  program: z.string(),
  project: z.nullable(z.string()),
  /** Processing tokens, and their 75th percentile among the runs before it. */
  tokens: z.number(),
  usual: z.nullable(z.number()),
  what: z.array(sentenceSchema),
  /** What still prevents the agent's rules from being measured and reaching it. Empty if nothing does. */
  missing: z.array(missingView),
});
export type FindingView = z.infer<typeof foundView>;

const activeView = z.object({
  id: z.string(),
  text: z.string(),
  origin: z.enum(ruleOrigins),
  /** Tokens per completed run, as measured; null if never measured. */
  saving: z.nullable(z.number()),
  /** Tokens per session, as in `ruleView`. */
  rent: z.number(),
  /** When it became active, and when it was last measured. */
  since: z.nullable(at),
  measuredAt: z.nullable(at),
});
export type ActiveView = z.infer<typeof activeView>;

/** Runs and rules of each agent, and recent decisions about rules. */
export const reportView = z.object({
  /**
   * Project with the reported runs and findings; null for all projects. Everything else covers all projects.
   */
  project: z.nullable(z.string()),
  /** Agents of the same name in two programs are separate entries. Rules are Claude Code's only. */
  agents: z.array(
    z.object({
      program: z.string(),
      agent: z.string(),
      /** Number of completed runs of real work. At most the last 200. */
      runs: z.number(),
      median: z.nullable(z.number()),
      p75: z.nullable(z.number()),
      /** The same runs by week, oldest first; weeks without a run are left out. `at` is a Monday, midnight UTC. */
      weeks: z.array(z.object({ at, runs: count, median: z.number() })),
      rules: z.record(z.enum(ruleStatuses), z.number()),
      /** Rules in its memory, the largest saving first. */
      active: z.array(activeView),
      /** Tokens per conversation that its active rules cost and save. */
      rent: z.number(),
      saving: z.number(),
      /** The same runs by version of its memory, oldest first. */
      learned: z.array(learnedView),
      /** The most recently run first. At most three. */
      suites: z.array(suiteView),
    }),
  ),
  projects: z.array(z.object({ project: z.string(), runs: z.number(), tokens: z.number() })),
  evictions: z.array(
    z.object({
      id: z.string(),
      agent: z.string(),
      text: z.string(),
      at: z.nullable(at),
      why: sentenceSchema,
    }),
  ),
  receipts: z.number(),
  /** The newest first. At most 10. */
  findings: z.array(foundView),
  questions: z.object({
    count,
    /** The newest first. At most 20. */
    newest: z.array(
      z.object({
        id: z.string(),
        agent: z.string(),
        toAgent: z.nullable(z.string()),
        at: z.nullable(at),
        body: z.string(),
      }),
    ),
    /**
     * Number of messages that an agent wanted to send, and the decisions. The others are waiting, or were
     * sent without approval.
     */
    byAgent: z.array(z.object({ agent: z.string(), asked: count, approved: count, denied: count })),
  }),
  /** Processing tokens of the last seven days, of benches compared with real work. The share is null without real work. */
  metaCost: z.object({ realWork: z.number(), benches: z.number(), share: z.nullable(z.number()) }),
});
export type ReportView = z.infer<typeof reportView>;
