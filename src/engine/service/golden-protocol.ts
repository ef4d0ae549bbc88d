import * as z from "zod";
import { benchRunSchema } from "../bench/bench-run.ts";
import type { GoldenBook } from "../ledger/golden-book.ts";
import { request } from "./protocol.ts";

/** What whoever makes runs of golden tasks tells the ledger of the service, and asks of it. */

const text = z.string();
const tokens = z.number();

const book: z.ZodType<GoldenBook> = z.object({
  runs: z.array(
    z.object({
      agent: text,
      taskId: text,
      model: text,
      suiteHash: text,
      driver: text,
      configurationHash: text,
      processingTokens: tokens,
      cacheRead: tokens,
    }),
  ),
  baselines: z.array(
    z.object({
      agent: text,
      taskId: text.nullable(),
      taskHash: text,
      model: text,
      suiteHash: text,
      driver: text,
      run1Tokens: tokens,
      bestTokens: tokens,
      at: z.number().nullable(),
    }),
  ),
  spent: z.object({ realWork: tokens, benches: tokens }),
});

/** Golden tasks' runs and baselines, and what was spent since a time in milliseconds since the epoch. */
export const goldenRead = request("goldenRead", {
  params: z.object({ since: z.number() }),
  answer: z.object({ book }),
});

/** Writes runs, and what they change of baselines. Answered when it is durable; told twice it is one run. */
export const goldenRecord = request("goldenRecord", {
  params: z.object({ runs: z.array(benchRunSchema).min(1).max(100) }),
  answer: z.object({}),
});

/** A comparison is settled: its receipt, sealed, as JSON. Answered when it is durable; told twice it is one comparison. */
export const comparisonRecord = request("comparisonRecord", {
  params: z.object({ receipt: z.string().max(1_000_000) }),
  answer: z.object({}),
});
