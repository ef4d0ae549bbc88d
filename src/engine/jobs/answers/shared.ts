import * as z from "zod";
import { driverNames } from "../../bench/run-facts.ts";
import type { Interval } from "../../verdict/verdict.ts";

/** What jobs of every kind are asked, and how figures of theirs are told. */

export const count = z.int().nonnegative();
export const name = z.string().min(1).max(200);

/** A golden suite: the one that comes with purser, or a workspace's own, which only a trusted window may name. */
export const suiteChoice = z.discriminatedUnion("origin", [
  z.object({ origin: z.literal("built-in") }),
  z.object({ origin: z.literal("workspace"), folder: z.string().min(1).max(4096) }),
]);

/** What it is run with. */
export const runFields = {
  /** Null for what the agent's definition names. */
  model: name.nullable(),
  effort: z.string().min(1).max(50).nullable(),
  driver: z.enum(driverNames),
  /** Runs at a time. */
  parallel: z.int().min(1).max(16),
  /** Processing tokens it may spend; null for no cap. */
  tokenCap: z.int().positive().nullable(),
};

/** A figure with what it may be besides. */
export const interval: z.ZodType<Interval> = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
});
