import * as z from "zod/mini";
import { driverNames } from "../../bench/run-facts.ts";
import type { Interval } from "../../verdict/verdict.ts";

export const count = z.int().check(z.nonnegative());
export const name = z.string().check(z.minLength(1), z.maxLength(200));

/** A golden suite: the one bundled with purser, or a workspace's own, which only a trusted window may name. */
export const suiteChoice = z.discriminatedUnion("origin", [
  z.object({ origin: z.literal("built-in") }),
  z.object({ origin: z.literal("workspace"), folder: z.string().check(z.minLength(1), z.maxLength(4096)) }),
]);

export const runFields = {
  /** Null for the model in the agent's definition. */
  model: z.nullable(name),
  effort: z.nullable(z.string().check(z.minLength(1), z.maxLength(50))),
  driver: z.enum(driverNames),
  /** Concurrent runs. */
  parallel: z.int().check(z.minimum(1), z.maximum(16)),
  /** Maximum processing tokens; null for no cap. */
  tokenCap: z.nullable(z.int().check(z.positive())),
};

export const interval: z.ZodMiniType<Interval> = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
});
