import * as z from "zod/mini";
import {
  count,
  entryOf,
  id,
  maxSentenceLength,
  maybeCount,
  maybeFlag,
  maybeName,
  maybeNumber,
  maybeText,
  maybeTime,
  name,
} from "./fields.ts";

/** Entries for learned, measured and decided facts. */

export const ruleEntry = entryOf("rule", {
  id,
  agent: id,
  body: z.string().check(z.maxLength(2000)),
  status: id,
  /** When the rule applies, in its own words. */
  scope: maybeName,
  measuredDelta: maybeNumber,
  /** Its rent. Tokens. */
  contextCost: maybeCount,
  sourceRun: maybeName,
  createdAt: maybeTime,
  decidedAt: maybeTime,
  /** A sentence, see `storedSentence`. */
  decidedReason: maybeText(maxSentenceLength),
  isProtected: maybeFlag,
  /** Strikes from re-audits. */
  probation: maybeCount,
  replaces: maybeName,
  /** How it was created: `distilled`, `model`, `hand` or `import`. */
  origin: maybeName,
  /** Its evidence as JSON: the session and turns, or the file and line it is from. */
  source: z._default(z.nullable(z.string().check(z.maxLength(20_000))), null),
  /** When it was last measured. */
  auditedAt: maybeTime,
});

export const baselineEntry = entryOf("baseline", {
  agent: id,
  taskHash: id,
  /** Empty when not reported. */
  model: z._default(name, ""),
  suiteHash: z._default(name, ""),
  driver: z._default(name, ""),
  taskId: maybeName,
  /** The first run's tokens, frozen forever. */
  run1Tokens: count,
  /** Only ratchets down. Tokens. */
  bestTokens: count,
  at: maybeTime,
});

export const questionEntry = entryOf("question", {
  id,
  agent: id,
  sessionId: maybeName,
  at: maybeTime,
  body: z.string().check(z.maxLength(2000)),
  status: id,
  answeredAt: maybeTime,
  /** The agent asked, and the question's length in characters. */
  toAgent: maybeName,
  chars: maybeCount,
});

export const comparisonEntry = entryOf("comparison", {
  id,
  agent: id,
  /** `model`, `prompt`, `setting`, … */
  subject: id,
  one: name,
  other: name,
  at: maybeTime,
  status: id,
  verdict: maybeName,
  deltaTokens: maybeNumber,
  standardError: maybeNumber,
  runsOne: maybeCount,
  runsOther: maybeCount,
  passedOne: maybeCount,
  passedOther: maybeCount,
  suiteHash: maybeName,
  decidedAt: maybeTime,
});
