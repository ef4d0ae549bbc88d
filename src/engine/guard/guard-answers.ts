import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { netView } from "./net/net-answers.ts";
import { familyModes, guardFamilies, guardModes } from "../settings/guard.ts";

/** Net savings of shortened outputs. */
export {
  netView,
  type NetFigures,
  type NetRow,
  type NetView,
  type RestingFormat,
} from "./net/net-answers.ts";
export { netViewOf, restingFormats } from "./net/net-figures.ts";

/**
 * Answers about guard rules for clients. Times are milliseconds since the epoch; `null` means "not reported".
 */

const family = z.enum(guardFamilies);
export { countNotJudged, describeNotJudged, isNotJudged } from "./unjudged-calls.ts";
export { canBeRequired } from "../settings/guard.ts";
export type { FamilyMode, GuardFamily, GuardMode } from "../settings/guard.ts";
const mode = z.enum(guardModes);
/** Action of a rule while its family is on. */
const action = z.enum(["advise", "ask", "deny"]);

const text = z.nullable(z.string());
const time = z.nullable(z.number());

/** How often a rule fired, by outcome. */
const ruleCount = z.object({
  rule: z.string(),
  family: z.string(),
  action: z.string(),
  done: z.string(),
  count: z.number(),
  lastAt: time,
  /** Bytes that it saved, or would have saved. */
  savedBytes: z.number(),
});
export type GuardRuleCount = z.infer<typeof ruleCount>;

/** A family's hits of one local calendar day, by outcome. */
const familyDay = z.object({
  /** `2026-11-21` */
  day: z.string(),
  family: z.string(),
  done: z.string(),
  count: z.number(),
  savedBytes: z.number(),
  /** Estimated from the bytes. */
  savedTokens: z.number(),
});

/** One call on which a rule fired. */
const hit = z.object({
  id: z.string(),
  sessionId: z.string(),
  /** The session's title. */
  title: text,
  at: time,
  program: text,
  tool: text,
  rule: z.string(),
  family: z.string(),
  action: z.string(),
  done: z.string(),
  /** The part of the call on which it fired, without secrets. */
  excerpt: text,
  folder: text,
  savedBytes: z.nullable(z.number()),
});
export type GuardHit = z.infer<typeof hit>;

/** The ledger's records about guard rules. */
const guardBook = z.object({
  /** The most frequent first. */
  counts: z.readonly(z.array(ruleCount)),
  /** The newest first. */
  hits: z.readonly(z.array(hit)),
  /** Oldest first, only days with hits. */
  days: z.readonly(z.array(familyDay)),
  /** How tokens were estimated: characters per token, the median of so many requests; 0 requests if assumed. */
  scale: z.object({ charactersPerToken: z.number(), requests: z.number() }),
});

export const guardExceptionScopes = ["here", "command", "folder", "everywhere"] as const;
export type GuardExceptionScope = (typeof guardExceptionScopes)[number];

const exception = z.object({
  rule: z.string(),
  /** Linear regular expression that matches a part of the call. */
  like: z.optional(z.string()),
  folder: z.optional(z.string()),
  /** It applies before this day: `2026-12-31`. */
  until: z.optional(z.string()),
});
export type GuardExceptionView = z.infer<typeof exception>;

/** A rule for panels and commands. */
const rule = z.object({
  id: z.string(),
  family,
  action,
  message: z.string(),
  remedy: z.string(),
  /** Calls on which it fires, and similar calls on which it does not. */
  fires: z.readonly(z.array(z.string())),
  passes: z.readonly(z.array(z.string())),
  isOff: z.boolean(),
  isOwn: z.boolean(),
  /** Whether the user's file sets it, so it never becomes silent. */
  isChosen: z.boolean(),
});
export type GuardRuleView = z.infer<typeof rule>;

export const guardRuleBook = z.object({
  rules: z.readonly(z.array(rule)),
  /** The user's `guard.yaml`, which may be missing. */
  file: z.string(),
  /** Why the file is not used, with the line; null if it is used or missing. */
  problem: z.nullable(sentenceSchema),
  exceptions: z.readonly(z.array(exception)),
});
export type GuardRuleBook = z.infer<typeof guardRuleBook>;

/** The mode of all families, and of those with a separate one. */
const guardModeBook = z.object({
  all: mode,
  families: z.partialRecord(family, z.enum(familyModes)),
});
export type GuardModeBook = z.infer<typeof guardModeBook>;

/** Outcomes of a rule's messages since a time. */
const effect = z.object({
  rule: z.string(),
  /** How often it advised, asked or denied. */
  told: z.number(),
  followed: z.number(),
  progress: z.number(),
  ignored: z.number(),
  overridden: z.number(),
  mistaken: z.number(),
  /** Whether its advice rarely helped over all time, so it becomes silent unless the user's file sets it. */
  helpsTooLittle: z.boolean(),
});
export type GuardEffectView = z.infer<typeof effect>;

/** Recent actions of guard rules. */
export const guardView = z.object({
  modes: guardModeBook,
  since: z.number(),
  ...guardBook.shape,
  effects: z.array(effect),
  /** Net savings of shortened outputs: without the cost of the calls that followed. */
  net: netView,
});
export type GuardView = z.infer<typeof guardView>;

export const addedException = z.object({
  /** Identifies the exception for an undo. */
  id: z.string(),
  exception,
  file: z.string(),
  /** Lines begin with 1. */
  line: z.number(),
});
export type AddedException = z.infer<typeof addedException>;

const count = z.int().check(z.nonnegative());

const pastHit = z.object({
  at: z.nullable(z.number()).check(z.describe("Milliseconds since the epoch.")),
  agent: z.string(),
  session: z.string(),
  folder: z.nullable(z.string()),
  excerpt: z
    .string()
    .check(z.describe("The part of the call that the rule fired on, without what looks like a secret.")),
});

/** Tokens that were written to the context once, and read by every later call until the next compaction. */
const carriedTokens = z.object({
  written: count.check(z.describe("Tokens that the context would have had less.")),
  read: count.check(z.describe("The same tokens, once for each later call that read them again.")),
  usd: z
    .nullable(z.number())
    .check(z.describe("List price of both, where the model's price is known; else null.")),
  unpriced: count.check(z.describe("Outputs of models without a known price, which are not in usd.")),
});

/** The guard rules that would have fired in the past, and the tokens that shorter outputs would have saved. */
export const guardReplay = z.object({
  since: z.string().check(z.describe("ISO time from which on files count.")),
  files: count,
  sessions: count,
  calls: count.check(z.describe("Tool calls that were judged.")),
  leftOut: z.object({
    files: count.check(z.describe("Files that are compressed, of an old form, or cannot be read.")),
    families: z.array(z.string()).check(z.describe("Families that cannot be judged afterwards.")),
  }),
  rules: z.array(
    z.object({
      rule: z.string(),
      family: z.string(),
      action: z.string().check(z.describe("What the rule does where its family is on.")),
      count,
      sessions: count,
      newest: z.array(pastHit).check(z.describe("The newest calls that it fires on.")),
    }),
  ),
  outputs: z.object({
    total: z.extend(carriedTokens, { outputs: count }),
    byRule: z.array(z.extend(carriedTokens, { rule: z.string(), outputs: count })),
    how: sentenceSchema.check(z.describe("How tokens were estimated.")),
  }),
});
export type GuardReplay = z.infer<typeof guardReplay>;
