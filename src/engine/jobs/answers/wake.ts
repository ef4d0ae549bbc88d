import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { wakePlanView } from "../../recurring/recurring-answers.ts";
import { wakeRow } from "../../ledger/woken.ts";
import { count, name } from "./shared.ts";

/** A wake waits for others of the same agent, and for no measurement. */

export const wakeAsk = z.object({
  kind: z.literal("wake"),
  /** Folder with the agent's definition. */
  project: z.string().check(z.minLength(1), z.maxLength(4096)),
  agent: name,
  /** Start a new session although the last one could continue. */
  isFresh: z.boolean(),
  /** Scheduled time; null for a person's request. Milliseconds since the epoch. */
  slot: z.nullable(z.int()),
});
export type WakeAsk = z.infer<typeof wakeAsk>;

export const wakeProgress = z.object({
  /** Null until it is planned. */
  plan: z.nullable(wakePlanView),
  /** Responses of the main chain, and processing tokens. */
  used: z.object({ turns: count, tokens: count }),
  /** Null before the end. */
  row: z.nullable(wakeRow),
  said: z.array(sentenceSchema),
  /** Why nothing was started; null if something was. */
  skipped: z.nullable(z.object({ reason: z.string(), detail: sentenceSchema })),
});
export type WakeProgress = z.infer<typeof wakeProgress>;
