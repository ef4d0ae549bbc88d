import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import type { TokenUsage } from "../../usage/token-counts.ts";
import { benchRunSchema, driverNames } from "../run-facts.ts";

/**
 * Stored trajectories: what a run did, turn by turn, in one JSON file a run, the same for every agent. Recordings for replay are made
 * from the same data. Transcripts themselves are not stored.
 */

/** One tool call. `target` is the file, the command or the pattern, abbreviated, or null. Text of the agent. */
export interface TrajectoryCall {
  readonly tool: string;
  readonly target: string | null;
  readonly isError: boolean;
}

export interface TrajectoryTurn {
  /** Milliseconds since the run's start, or null if the transcript has no time. */
  readonly at: number | null;
  readonly usage: TokenUsage;
  readonly calls: readonly TrajectoryCall[];
  /** The response's text, shortened, or null. Text of the agent. */
  readonly text: string | null;
  /** Whether the response belongs to a subagent instead of the main chain. */
  readonly isSidechain: boolean;
}

/** A file of the copy that the agent changed: its new text, or null if removed. */
export interface FileChange {
  /** Relative to the copy, with `/`. */
  readonly path: string;
  readonly text: string | null;
}

export interface StoredTrajectory {
  readonly format: 1;
  readonly driver: (typeof driverNames)[number];
  /** A model's name, or `script`. */
  readonly by: string;
  readonly sessionId: string | null;
  readonly turns: readonly TrajectoryTurn[];
  readonly changes: readonly FileChange[];
  /** The end of the check's output, or null if it did not run. Untrusted text. */
  readonly checkOutput: string | null;
}

export const fileChangeSchema = z.object({
  path: z.string().check(z.minLength(1), z.maxLength(4096)),
  text: z.nullable(z.string().check(z.maxLength(1_000_000))),
});

const turnSchema = z.object({
  at: z.nullable(z.number().check(z.nonnegative())),
  usage: benchRunSchema.shape.usage,
  calls: z.array(
    z.object({
      tool: z.string().check(z.maxLength(200)),
      target: z.nullable(z.string().check(z.maxLength(400))),
      isError: z.boolean(),
    }),
  ),
  text: z.nullable(z.string().check(z.maxLength(2000))),
  isSidechain: z.boolean(),
});

export const keptTrajectorySchema: z.ZodMiniType<StoredTrajectory> = z.object({
  format: z.literal(1),
  driver: z.enum(driverNames),
  by: z.string().check(z.minLength(1), z.maxLength(200)),
  sessionId: z.nullable(z.string().check(z.maxLength(400))),
  turns: z.array(turnSchema),
  changes: z.array(fileChangeSchema),
  checkOutput: z.nullable(z.string().check(z.maxLength(100_000))),
});

/** Parses the file named by `run.trajectory`; null if it is not a trajectory. */
export function readStoredTrajectory(text: string): StoredTrajectory | null {
  return readJson(keptTrajectorySchema, text);
}
