import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { wakePlanView } from "../../recurring/answers.ts";
import { wakeRow } from "../../ledger/woken.ts";
import { count, name } from "./shared.ts";

/** Wakes of recurring agents as jobs: each waits for others of the same agent, and for no measurement. */

export const wakeAsk = z.object({
  kind: z.literal("wake"),
  /** The folder with the file that defines the agent. */
  project: z.string().check(z.minLength(1), z.maxLength(4096)),
  agent: name,
  /** Whether to start a new session although the last one could continue. */
  isFresh: z.boolean(),
  /** The scheduled time it is for. Null for a wake that a person requests. Milliseconds since the epoch. */
  slot: z.nullable(z.int()),
});
export type WakeAsk = z.infer<typeof wakeAsk>;

/** A wake that runs, or is over. */
export const wakeProgress = z.object({
  /** Null until it is planned. */
  plan: z.nullable(wakePlanView),
  /** Used so far: responses of the main chain, and processing tokens. */
  used: z.object({ turns: count, tokens: count }),
  /** The recorded row. Null before the end. */
  row: z.nullable(wakeRow),
  /** Sentences that a person should read. */
  said: z.array(sentenceSchema),
  /** Why nothing was started, such as a lack of work. Null if something was. */
  skipped: z.nullable(z.object({ reason: z.string(), detail: sentenceSchema })),
});
export type WakeProgress = z.infer<typeof wakeProgress>;
