import * as z from "zod";
import { ruleOrigins, ruleSource, ruleStatuses } from "./rule.ts";

/** What is told of rules, in shapes of its own: a panel knows these, and nothing of how a service is spoken to. */

/** Milliseconds since the epoch. */
const at = z.number();
const status = z.enum(ruleStatuses);

const stepView = z.object({ at, who: z.string(), from: status.nullable(), to: status, why: z.string() });
export type StepView = z.infer<typeof stepView>;

const receiptHead = z.object({
  id: z.string(),
  at,
  verdict: z.string(),
  /** Of a replay: it demonstrates, and decides nothing. */
  isDemo: z.boolean(),
});

export const ruleView = z.object({
  id: z.string(),
  agent: z.string(),
  sentence: z.string(),
  scope: z.string().nullable(),
  status,
  isProtected: z.boolean(),
  strikes: z.number(),
  origin: z.enum(ruleOrigins),
  source: ruleSource.nullable(),
  /** Tokens saved per completed run. */
  saving: z.number().nullable(),
  /** Tokens a conversation; estimated, and how. */
  rent: z.object({ own: z.number(), prefix: z.number(), total: z.number(), because: z.string() }),
  createdAt: at.nullable(),
  decidedAt: at.nullable(),
  decidedReason: z.string().nullable(),
  auditedAt: at.nullable(),
  replaces: z.string().nullable(),
  /** Its agent's other rules that are like it, the most alike first: 0 to 1. */
  similar: z.array(z.object({ id: z.string(), text: z.string(), status, likeness: z.number() })),
  /** The oldest first. */
  steps: z.array(stepView),
  /** The newest first. */
  receipts: z.array(receiptHead),
  /** The last step can be taken back. */
  canUndo: z.boolean(),
});
export type RuleView = z.infer<typeof ruleView>;

/** What a user does with a rule. */
export const ruleAct = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("approve") }),
  z.object({ kind: z.literal("reject"), why: z.string().max(400) }),
  z.object({ kind: z.literal("protect"), isProtected: z.boolean() }),
  z.object({ kind: z.literal("edit"), text: z.string().max(1000) }),
  z.object({ kind: z.literal("undo") }),
]);
export type RuleActAsked = z.infer<typeof ruleAct>;

const memoryVersion = z.object({ version: z.string(), at, rules: z.number(), madeBy: z.string() });

/** An agent's memory as it is, and as it would be. */
export const memoryView = z.object({
  agent: z.string(),
  file: z.string(),
  /** `failed`: it cannot be read. */
  state: z.enum(["none", "ours", "edited", "foreign", "failed"]),
  /** What is in the file; empty without one. */
  text: z.string(),
  /** What compiling would write; empty where there would be no file. */
  next: z.string(),
  isCurrent: z.boolean(),
  /** From what is there to what would be. */
  diff: z.array(z.object({ sign: z.enum([" ", "+", "-"]), text: z.string() })),
  /** Active rules there is no room for. */
  leftOut: z.array(z.string()),
  /** The newest first. */
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

/** What a receipt rests on. Tokens saved: negative costs. */
export const evidenceView = z.object({
  receiptId: z.string(),
  verdict: z.string(),
  reason: z.string(),
  /** What must be saved. */
  bar: figure,
  saving: z.object({ value: figure, low: figure, high: figure }).nullable(),
  tasks: z.array(
    z.object({
      taskId: z.string(),
      pairs: figure,
      tokens: bothSides.nullable(),
      passed: bothSides,
      runs: bothSides,
    }),
  ),
  /** Two runs of one round of one task, both completed. */
  pairs: z.array(z.object({ taskId: z.string(), round: figure, saved: figure })),
  /** Earlier measurements' among them. */
  rounds: figure,
  runs: figure,
  tokens: figure,
  moreRounds: figure.nullable(),
  driver: z.string(),
  /** How recordings were made, where runs were replayed. */
  recordedBy: z.array(z.string()),
});
export type EvidenceView = z.infer<typeof evidenceView>;

/** What became of one proposal. */
export const proposed = z.object({
  text: z.string(),
  /** Null where it was refused. */
  id: z.string().nullable(),
  /** Why it was refused, or null. */
  refused: z.string().nullable(),
});
export type Proposed = z.infer<typeof proposed>;

const findingView = z.object({
  kind: z.string(),
  what: z.string(),
  turns: z.array(z.object({ line: z.number(), what: z.string() })),
  advice: z.string(),
});

/** Something that is missing before rules of an agent can be measured, and reach it; what to do about it, in a sentence. */
export const missingView = z.object({
  kind: z.enum(["no-memory", "elsewhere", "no-definition", "main", "program", "no-tasks"]),
  words: z.string(),
});

/** What looking at a costly run found. */
export const distilled = z.object({
  /** Null where no run is costly. */
  run: z
    .object({
      id: z.string(),
      sessionId: z.string(),
      transcript: z.string(),
      agent: z.string(),
      tokens: z.number(),
      usual: z.number().nullable(),
    })
    .nullable(),
  findings: z.array(findingView),
  /** Why nothing is proposed of them; empty where something may be. */
  missing: z.array(missingView),
  proposed: z.array(proposed),
  /** What a model would be told, where it was asked to be shown. */
  preview: z.string().nullable(),
});
export type Distilled = z.infer<typeof distilled>;

const count = z.int().nonnegative();

/** Completed runs of real work that began with one version of an agent's memory. Processing tokens a run. */
export const learnedView = z.object({
  /** Null: before there was any. */
  version: z.string().nullable(),
  /** When the memory was written, and how many rules were in it; null where that is not told. */
  at: at.nullable(),
  rules: count.nullable(),
  runs: count,
  mean: z.number(),
  median: z.number(),
  p25: z.number(),
  p75: z.number(),
});
export type LearnedView = z.infer<typeof learnedView>;

/** What an agent's golden tasks take together, with one model and driver. Processing tokens. */
const suiteView = z.object({
  model: z.string(),
  suiteHash: z.string(),
  driver: z.string(),
  tasks: count,
  /** Of the first completed run of each task, frozen; and of the best. */
  run1: z.number(),
  best: z.number(),
  /** Of the last completed run of each task with the agent as it is; null where not all of them are known. */
  last: z.number().nullable(),
  lastAt: at.nullable(),
});
export type SuiteView = z.infer<typeof suiteView>;

/** Benches took more of the week's real work than they should. A share. */
export const muchMeasured = 0.1;

/** What a costly run showed of an agent that rules cannot be proposed for. */
const foundView = z.object({
  runId: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  at,
  program: z.string(),
  project: z.string().nullable(),
  /** Processing tokens, and what three of four runs before it took at most. */
  tokens: z.number(),
  usual: z.number().nullable(),
  what: z.array(z.string()),
  /** Before its rules can be measured and reach it; empty where nothing is any more. */
  missing: z.array(missingView),
});
export type FindingView = z.infer<typeof foundView>;

/** A rule in an agent's memory. */
const activeView = z.object({
  id: z.string(),
  text: z.string(),
  origin: z.enum(ruleOrigins),
  /** Tokens per completed run, as it was measured; null where it never was. */
  saving: z.number().nullable(),
  /** Tokens a conversation; estimated. */
  rent: z.number(),
  /** Since when it is active, and when it was measured last. */
  since: at.nullable(),
  measuredAt: at.nullable(),
});
export type ActiveView = z.infer<typeof activeView>;

/** Runs and rules of an agent, and what rules decided lately. */
export const reportView = z.object({
  /** Whose runs, and what was learned of them, are told; null for all projects. All else is of all. */
  project: z.string().nullable(),
  /** Two programs may call an agent the same: each is one, by its program. Rules are Claude Code's. */
  agents: z.array(
    z.object({
      program: z.string(),
      agent: z.string(),
      /** Of real work that is completed: the last 200 at most. */
      runs: z.number(),
      median: z.number().nullable(),
      p75: z.number().nullable(),
      rules: z.record(z.enum(ruleStatuses), z.number()),
      /** Those in its memory, what saves most first. */
      active: z.array(activeView),
      /** Tokens a conversation that its active rules cost and save. */
      rent: z.number(),
      saving: z.number(),
      /** By the version of its memory, the oldest first: of the same runs. */
      learned: z.array(learnedView),
      /** The most recently run first: three at most. */
      suites: z.array(suiteView),
    }),
  ),
  projects: z.array(z.object({ project: z.string(), runs: z.number(), tokens: z.number() })),
  evictions: z.array(
    z.object({ id: z.string(), agent: z.string(), text: z.string(), at: at.nullable(), why: z.string() }),
  ),
  receipts: z.number(),
  /** The newest first: 10 at most. */
  findings: z.array(foundView),
  /** Messages between agents that nobody has decided about. */
  questions: z.object({
    count,
    /** The newest first: 20 at most. */
    newest: z.array(
      z.object({
        id: z.string(),
        agent: z.string(),
        toAgent: z.string().nullable(),
        at: at.nullable(),
        body: z.string(),
      }),
    ),
    /** What an agent wanted to tell others, and what was decided; others of those it asked wait, or were sent without a yes. */
    byAgent: z.array(z.object({ agent: z.string(), asked: count, approved: count, denied: count })),
  }),
  /** Processing tokens of the last seven days: what benches took of what real work took. Null where there was no real work. */
  metaCost: z.object({ realWork: z.number(), benches: z.number(), share: z.number().nullable() }),
});
export type ReportView = z.infer<typeof reportView>;
