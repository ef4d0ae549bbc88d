import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { ledgerFilter, overview } from "./ledger-answers.ts";

/**
 * Why something cost what it did. Its clauses and the rest add up to the whole: each dollar is in exactly one of them.
 * Money is USD at list prices.
 */

/** Days, of all projects and agents or of one, or a single session. */
export const whyQuestion = z.object({
  ...ledgerFilter.shape,
  /** A session's id, or a beginning that no other session's id has. */
  session: z.nullable(z.string().check(z.minLength(1), z.maxLength(1000))),
});
export type WhyQuestion = z.infer<typeof whyQuestion>;

export const whyCauses = [
  /** Golden tasks ran. */
  "benchmark",
  /** The same tool failed, or was called alike, again and again. */
  "loop",
  /** A context was written to the cache again. */
  "cache-rebuilt",
  "read-after-compaction",
  "read-again",
  /** One output stayed in the context for many calls. */
  "long-output",
  "large-context",
  "subagents",
  /** A model that costs more than the usual one. Only what it costs more. */
  "dearer-model",
  /** An agent's work on a project, at a multiple of its usual cost. */
  "more-than-usual",
  /** One of several days, at a multiple of the others. Only what is above their median. */
  "spike",
  /** An agent's work on a project where it did not work in the weeks before. */
  "new-work",
] as const;
export type WhyCause = (typeof whyCauses)[number];

const session = z.pick(overview.shape.sessions.def.element, {
  id: true,
  program: true,
  title: true,
  cwd: true,
  branch: true,
  firstAt: true,
  lastAt: true,
});
export type WhySession = z.infer<typeof session>;

/** A session that proves a clause. */
const proof = z.object({
  session,
  usd: z.number(),
  /** Its dearest responses, the dearest first. */
  turns: z.array(
    z.object({
      messageId: z.string(),
      /** Its place in the main conversation, from 1; null in a subagent's. */
      number: z.nullable(z.number()),
    }),
  ),
});
export type WhyProof = z.infer<typeof proof>;

const clause = z.object({
  cause: z.enum(whyCauses),
  usd: z.number(),
  /** Percent of the whole. Those of all clauses and of the rest add up to 100. */
  percent: z.int(),
  text: sentenceSchema,
  /** The dearest first, at most 3. */
  proofs: z.array(proof),
  /** Number of sessions that it is about. */
  sessions: z.number(),
});
export type WhyClause = z.infer<typeof clause>;

export const why = z.object({
  since: ledgerFilter.shape.since,
  until: ledgerFilter.shape.until,
  project: ledgerFilter.shape.project,
  program: ledgerFilter.shape.program,
  /** Null for days. */
  session: z.nullable(session),
  /** Null if no call has a known price. */
  usd: z.nullable(z.number()),
  calls: z.number(),
  /** Calls without a known price, which are left out. */
  unpriced: z.number(),
  /** The median before; null with too little to compare. */
  usual: z.nullable(
    z.object({
      usd: z.number(),
      /** Basis of comparison: the same weekday, any days with usage, or sessions of the same agent. */
      of: z.enum(["weekday", "days", "sessions"]),
      /** Number of these days or sessions. */
      count: z.number(),
      /** Days with usage that are explained, for which the figure is; 1 for a session. */
      days: z.number(),
      text: sentenceSchema,
    }),
  ),
  /** In order of money; none if nothing stands out. */
  clauses: z.array(clause),
  /** The cost outside of all clauses. */
  rest: z.object({ usd: z.number(), percent: z.int(), text: sentenceSchema }),
  /** The change that would have saved most; null if none would have saved much. */
  change: z.nullable(
    z.object({
      kind: z.enum(["rule", "guard", "handover", "budget", "model"]),
      /** Saving of the change, estimated. */
      usd: z.number(),
      text: sentenceSchema,
      /** How this is known. */
      basis: sentenceSchema,
    }),
  ),
});
export type Why = z.infer<typeof why>;
export type WhyChange = NonNullable<Why["change"]>;
