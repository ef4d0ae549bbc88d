import * as z from "zod/mini";
import type { GoldenBook } from "./rule-questions.ts";

const text = z.string();
const tokens = z.number();

/** The ledger's answer about golden runs. */
export const goldenBook: z.ZodMiniType<GoldenBook> = z.object({
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
      taskId: z.nullable(text),
      taskHash: text,
      model: text,
      suiteHash: text,
      driver: text,
      run1Tokens: tokens,
      bestTokens: tokens,
      at: z.nullable(z.number()),
    }),
  ),
  spent: z.object({ realWork: tokens, benches: tokens }),
});
