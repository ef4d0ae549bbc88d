import * as z from "zod";
import { benchRunSchema } from "./run-facts.ts";
import type { GoldenBook } from "../ledger/questions/golden-book.ts";
import { request } from "../protocol/request.ts";

/** Requests by which clients that run golden tasks report to the ledger. */

const text = z.string();
const tokens = z.number();

export const goldenBook: z.ZodType<GoldenBook> = z.object({
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

/** Records runs, and their effect on baselines. Answered once durable; recording a run twice changes nothing. */
const goldenRecord = request("goldenRecord", {
  params: z.object({ runs: z.array(benchRunSchema).min(1).max(100) }),
  answer: z.object({}),
});

/**
 * Records a settled comparison: its sealed receipt, as JSON. Answered once durable; recording it twice changes nothing.
 */
const comparisonRecord = request("comparisonRecord", {
  params: z.object({ receipt: z.string().max(1_000_000) }),
  answer: z.object({}),
});

export const goldenRequests = { goldenRecord, comparisonRecord };
