import * as z from "zod";
import { driverNames } from "../../bench/run-facts.ts";
import type { Interval } from "../../verdict/verdict.ts";

/** Fields that requests of every job kind share, and the shape of their figures. */

export const count = z.int().nonnegative();
export const name = z.string().min(1).max(200);

/** A golden suite: the one bundled with purser, or a workspace's own, which only a trusted window may name. */
export const suiteChoice = z.discriminatedUnion("origin", [
  z.object({ origin: z.literal("built-in") }),
  z.object({ origin: z.literal("workspace"), folder: z.string().min(1).max(4096) }),
]);

/** Settings of the runs. */
export const runFields = {
  /** Null for the model in the agent's definition. */
  model: name.nullable(),
  effort: z.string().min(1).max(50).nullable(),
  driver: z.enum(driverNames),
  /** Concurrent runs. */
  parallel: z.int().min(1).max(16),
  /** Maximum processing tokens; null for no cap. */
  tokenCap: z.int().positive().nullable(),
};

/** A figure with its confidence interval. */
export const interval: z.ZodType<Interval> = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
});
