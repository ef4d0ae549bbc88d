import * as z from "zod";
import type { GoldenBook } from "./questions/golden-book.ts";

const text = z.string();
const tokens = z.number();

/** The ledger's answer about golden runs. */
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
