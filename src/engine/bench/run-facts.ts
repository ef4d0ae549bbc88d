import * as z from "zod/mini";
import type { Sentence } from "../base/language.ts";
import { sentenceUpTo } from "../base/sentence-schema.ts";
import type { TokenUsage } from "../usage/token-counts.ts";

/**
 * The role of a configuration for its agent, also stored in the ledger:
 * - `active`: the agent as it is, with its active rules. Only these runs make baselines, and they are what the agent "takes";
 * - `audit`: part of a re-audit of an active rule, with or without it;
 * - `candidate`: anything else, such as a rule under test, another prompt, or no memory.
 *
 * Runs recorded before roles existed are `active` in the ledger if they were the first side of their bench, and their baselines stay.
 */
export const configurationRoles = ["active", "audit", "candidate"] as const;
export type ConfigurationRole = (typeof configurationRoles)[number];

/**
 * `limit`: over the limit of time, turns or tokens, which counts as not completed. `environment` and
 * `cancelled` are not evidence.
 */
export const runOutcomes = ["passed", "failed", "limit", "environment", "cancelled"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const driverNames = ["claude", "codex", "replay"] as const;
export type DriverName = (typeof driverNames)[number];

/**
 * Whether a driver's runs are evidence about a model. A replay repeats a recording: it is a demonstration. It
 * decides no rule, is left out of all sums, and makes no baseline.
 */
export function measuresModel(driver: string): boolean {
  return driver !== "replay";
}

/** The result of one run of one task with one configuration. Times in milliseconds, sums in tokens. */
export interface BenchRun {
  /** Derived only from the bench, the side, the task and the round: a repeated run has the same id. */
  readonly id: string;
  readonly benchId: string;
  readonly side: number;
  readonly configurationHash: string;
  readonly role: ConfigurationRole;
  readonly agent: string;
  readonly taskId: string;
  readonly taskHash: string;
  readonly suiteHash: string;
  readonly fixtureHash: string;
  readonly model: string;
  /** From 1. */
  readonly round: number;
  readonly driver: DriverName;
  /** How a replayed recording was made: a model's name, or `script`; null when not replayed. */
  readonly recordedBy: string | null;
  readonly outcome: RunOutcome;
  /** Why the run did not pass, for people. Text of the agent or the check: cleaned before it is shown. */
  readonly detail: Sentence | null;
  readonly usage: TokenUsage;
  /** Input, output and cache creation. */
  readonly processingTokens: number;
  /** Responses of the main chain. */
  readonly turns: number;
  readonly toolCalls: number;
  /** Files read more than once. */
  readonly filesReread: number;
  /** The agent's own session id; null if no session started. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The agent's run time from start to end, in milliseconds. */
  readonly durationMs: number;
  /** Purser's own time for copying, compiling, checking and recording. The check's own command is in `checkMs`. */
  readonly overheadMs: number;
  /** Run time of the golden task's check, in milliseconds. */
  readonly checkMs: number;
  /** File of the stored trajectory; null if none was written. */
  readonly trajectory: string | null;
  /** Version of the program and the model that answered. Absent if the transcript lacks them. */
  readonly program?: string | undefined;
}

const count = z.int().check(z.nonnegative());
const milliseconds = z.number().check(z.nonnegative());
const text = z.string().check(z.maxLength(4096));

/** A run as stored in a bench's folder and as printed by commands. */
export const benchRunSchema = z.object({
  id: text.check(z.minLength(1)),
  benchId: text.check(z.minLength(1)),
  side: count,
  configurationHash: text,
  agent: text.check(z.minLength(1)),
  /** Missing in runs stored before roles existed; the default counts for no baseline. */
  role: z._default(z.enum(configurationRoles), "candidate"),
  taskId: text.check(z.minLength(1)),
  taskHash: text,
  suiteHash: text,
  fixtureHash: text,
  model: text,
  round: z.int().check(z.positive()),
  driver: z.enum(driverNames),
  recordedBy: z.nullable(text),
  outcome: z.enum(runOutcomes),
  detail: z.nullable(sentenceUpTo(4096)),
  usage: z.object({
    input: count,
    output: count,
    cacheCreation5m: count,
    cacheCreation1h: count,
    cacheRead: count,
  }),
  processingTokens: count,
  turns: count,
  toolCalls: count,
  filesReread: count,
  sessionId: z.nullable(text),
  startedAt: z.int(),
  durationMs: milliseconds,
  overheadMs: milliseconds,
  checkMs: milliseconds,
  trajectory: z.nullable(text),
  program: z.optional(text),
});

/**
 * Whether a run is evidence about its configuration. One that was cancelled, or failed for quota, login or
 * network, is not.
 */
export function isEvidence({ outcome }: Pick<BenchRun, "outcome">): boolean {
  return outcome !== "environment" && outcome !== "cancelled";
}
