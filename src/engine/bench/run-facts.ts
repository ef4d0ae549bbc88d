import * as z from "zod";
import type { TokenUsage } from "../usage/token-counts.ts";
import { configurationRoles, type ConfigurationRole } from "./configuration-role.ts";

/** `limit`: time, turns or tokens, which counts as not completed. `environment` and `cancelled` are no evidence. */
export const runOutcomes = ["passed", "failed", "limit", "environment", "cancelled"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const driverNames = ["claude", "codex", "replay"] as const;
export type DriverName = (typeof driverNames)[number];

/**
 * Whether what a driver runs says something about a model. A replay repeats a recording: it is a demonstration, and never evidence. It decides
 * about no rule, is added to nothing, and is nobody's baseline.
 */
export function measuresModel(driver: string): boolean {
  return driver !== "replay";
}

/** One run of one task with one configuration, as it ended. Times in milliseconds, sums in tokens. */
export interface BenchRun {
  /** Of the bench, the side, the task and the round alone: a run that is made again has the same. */
  readonly id: string;
  readonly benchId: string;
  /** Index of the configuration. */
  readonly side: number;
  readonly configurationHash: string;
  /** What the configuration is to its agent. */
  readonly role: ConfigurationRole;
  readonly agent: string;
  readonly taskId: string;
  readonly taskHash: string;
  readonly suiteHash: string;
  readonly fixtureHash: string;
  /** As it was asked for. */
  readonly model: string;
  /** From 1. */
  readonly round: number;
  readonly driver: DriverName;
  /** How a replayed recording was made: a model's name, or `script`; null when not replayed. */
  readonly recordedBy: string | null;
  readonly outcome: RunOutcome;
  /** Why it is no pass, for people. Text of the agent or the check: cleaned before it is shown. */
  readonly detail: string | null;
  readonly usage: TokenUsage;
  /** Input, output and cache creation. */
  readonly processingTokens: number;
  /** Responses of the main chain. */
  readonly turns: number;
  readonly toolCalls: number;
  /** Files read more than once. */
  readonly filesReread: number;
  /** The agent's own id of the session, or null where none began. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The agent's time, from its start to its end. */
  readonly durationMs: number;
  /** Our own: to copy, compile, check and record. The check's own command is in `checkMs`. */
  readonly overheadMs: number;
  /** The golden task's check. Milliseconds. */
  readonly checkMs: number;
  /** The kept trajectory's file, or null where none was written. */
  readonly trajectory: string | null;
}

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();
const text = z.string().max(4096);

/** A run as a bench keeps it in its folder, and as a command prints it. */
export const benchRunSchema = z.object({
  id: text.min(1),
  benchId: text.min(1),
  side: count,
  configurationHash: text,
  agent: text.min(1),
  /** A run of before it was told: nobody knows, and it counts for no baseline. */
  role: z.enum(configurationRoles).default("candidate"),
  taskId: text.min(1),
  taskHash: text,
  suiteHash: text,
  fixtureHash: text,
  model: text,
  round: z.int().positive(),
  driver: z.enum(driverNames),
  recordedBy: text.nullable(),
  outcome: z.enum(runOutcomes),
  detail: text.nullable(),
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
  sessionId: text.nullable(),
  startedAt: z.int(),
  durationMs: milliseconds,
  overheadMs: milliseconds,
  checkMs: milliseconds,
  trajectory: text.nullable(),
});

/** Whether a run says something of its configuration: what died of quota, login or network, or was cancelled, does not. */
export function isEvidence({ outcome }: Pick<BenchRun, "outcome">): boolean {
  return outcome !== "environment" && outcome !== "cancelled";
}
