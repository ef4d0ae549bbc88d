import * as z from "zod/mini";
import { rotationCauses, wakeReasons, wakeRow, wakeSources } from "../ledger/woken.ts";

/** Tokens are means unless a name says otherwise. Shares are from 0 to 1. `null` means that there is no data. Money is USD at list prices. */

const count = z.int().check(z.nonnegative());
const maybe = z.nullable(z.number());

const interval = z.object({ value: z.number(), low: z.number(), high: z.number(), level: z.number() });

/** Rates that must not become worse. */
export const guardrailNames = ["completion", "blocked", "failed_resumes"] as const;
export type GuardrailName = (typeof guardrailNames)[number];

const guardrailRate = z.object({
  name: z.enum(guardrailNames),
  wakes: count,
  /**
   * Number of wakes that count: those that completed, failed or met a limit; those on a task that was not
   * blocked before; those that continued a session or tried to. Excludes quota, login, network and refused prompts.
   */
  of: count,
  /** Wilson's interval; null without wakes. */
  rate: z.nullable(interval),
});
export type GuardrailRate = z.infer<typeof guardrailRate>;

/**
 * Worse by an exact test; no worse, by an interval that excludes ten percentage points of loss; or undecided.
 */
const guardrailResults = ["worse", "no_worse", "too_few"] as const;
export type GuardrailResult = (typeof guardrailResults)[number];

const guardrailChange = z.object({
  name: z.enum(guardrailNames),
  before: guardrailRate,
  after: guardrailRate,
  /** After minus before, with Newcombe's interval; null where one side has no wakes. */
  difference: z.nullable(interval),
  chance: z.number(),
  result: z.enum(guardrailResults),
});
export type GuardrailChange = z.infer<typeof guardrailChange>;

const target = z.object({
  name: z.enum(["normalized_input", "reuse", "full_fetches", "completion"]),
  /**
   * Minimum share: of input saved, of reused sessions, of whole threads not fetched, of wakes that succeed,
   * as before the newest change of the agent's file.
   */
  wanted: z.number(),
  actual: maybe,
  /** Null without data. For success it uses the guardrail tests of each agent. */
  isReached: z.nullable(z.boolean()),
  /**
   * Success of wakes before and after the newest change. Null for other targets, and unless exactly one
   * agent's file changed.
   */
  change: z.nullable(guardrailChange),
});
export type EconomyTarget = z.infer<typeof target>;

const economyFigures = z.object({
  wakes: count,
  successful: count,
  inputPerWake: maybe,
  inputPerFresh: maybe,
  inputPerReused: maybe,
  inputPerTask: maybe,
  /** Sums over all wakes: as the programs printed it, each response counted once, and weighed by its price. */
  rawInput: maybe,
  wholeInput: maybe,
  normalizedInput: maybe,
  usd: maybe,
  /** Wakes with tokens but without a known price. Above 0, `usd` is a lower bound. */
  unpriced: count,
  /** Share of input that was read from the cache. */
  cacheHits: maybe,
  /** Share of wakes that went on with a session: of all, and of those by a timer on the task of the wake before. */
  reuse: maybe,
  stableReuse: maybe,
  reuseBySource: z.array(z.object({ source: z.enum(wakeSources), wakes: count, reuse: z.number() })),
  reasons: z.array(z.object({ reason: z.enum(wakeReasons), wakes: count })),
  /** Whole threads fetched for each wake on a task after the first. */
  fullFetches: maybe,
  guardrails: z.object({
    completedTasks: count,
    /** Tasks that were done and open again at a later wake. */
    reopened: count,
    /** After which their task was blocked. */
    blocked: count,
    failed: count,
    limited: count,
    interrupted: count,
    /** Quota, login and network. */
    environment: count,
    failedResumes: count,
    /** Requested by a person. */
    manual: count,
  }),
  guardrailRates: z.array(guardrailRate),
  /** Characters of a prompt, of its constant part, and bytes of the list of skills: means. */
  promptChars: maybe,
  instructionsChars: maybe,
  skillBytes: maybe,
  /** Share of wakes that an instruction file reached. */
  hasInstructions: maybe,
});
export type EconomyFigures = z.infer<typeof economyFigures>;

const agentEconomy = z.object({
  agent: z.string(),
  project: z.string(),
  figures: economyFigures,
  targets: z.array(target),
  skills: z.nullable(z.string()),
  /** Per state of the agent's file, the newest first. */
  versions: z.array(
    z.object({
      definition: z.nullable(z.string()),
      since: z.number(),
      figures: economyFigures,
      /** Compared with the state before. Empty for the oldest. */
      guardrailChanges: z.array(guardrailChange),
    }),
  ),
});

export const economyReport = z.object({
  /** Milliseconds since the epoch. */
  since: z.number(),
  total: economyFigures,
  targets: z.array(target),
  /** Most expensive first. */
  agents: z.array(agentEconomy),
});
export type EconomyReport = z.infer<typeof economyReport>;

const ordinaryFigures = z.object({
  program: z.nullable(z.string()),
  sessions: count,
  /** Sessions continued after an hour or more, and how often. */
  returned: count,
  returns: count,
  /** Normalized input of a session, and of all; all input as it was sent. */
  inputPerSession: maybe,
  normalizedInput: z.number(),
  wholeInput: z.number(),
  /** Share of input that was read from the cache. */
  cacheHits: maybe,
});
export type OrdinaryFigures = z.infer<typeof ordinaryFigures>;

export const economyView = z.object({
  report: economyReport,
  /** The newest first, at most a hundred. */
  wakes: z.array(wakeRow),
  ordinary: z.array(ordinaryFigures),
  /** Every project with a wake in this time, whichever is shown. */
  projects: z.array(z.string()),
});
export type EconomyView = z.infer<typeof economyView>;

export const wakePlanView = z.object({
  agent: z.string(),
  program: z.string(),
  model: z.string(),
  /** Of the agent's file. */
  definition: z.string(),
  /** A person agreed to the current file. */
  isAgreed: z.boolean(),
  /** Null for none. Its check is a command that runs once the agent finishes the task. Outside text. */
  task: z.nullable(
    z.object({
      id: z.string(),
      title: z.string(),
      check: z.nullable(z.string()),
      isCheckAgreed: z.boolean(),
    }),
  ),
  reason: z.enum(wakeReasons),
  cause: z.nullable(z.enum(rotationCauses)),
  /** Null for a new one. */
  session: z.nullable(z.object({ id: z.string(), wakes: count })),
  /** Expected, from the agent's last wakes of this kind. */
  tokens: maybe,
  /** The wake's limit. */
  most: count,
  usd: maybe,
  promptChars: count,
});
export type WakePlanView = z.infer<typeof wakePlanView>;

/** The length from which a new session is cheaper, as past wakes of a program show. */
export const learnedRotation = z.object({
  /** Responses in one session. */
  turns: count,
  /** The wakes and the sessions that it is learned from. */
  wakes: count,
  sessions: count,
});
export type LearnedRotation = z.infer<typeof learnedRotation>;
