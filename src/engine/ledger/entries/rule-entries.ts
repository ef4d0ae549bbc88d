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
  flag,
  maybeChoice,
  time,
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

/** Entries for rules' histories and for the evidence behind verdicts. None of them ever changes. */

const at = z.int();

/** One step of a rule's life. */
export const ruleStepEntry = entryOf("rule-step", {
  id,
  ruleId: id,
  /** Milliseconds since the epoch. */
  at,
  /** `user`, `purser`, or the name of another actor. */
  who: id,
  /** Null when the rule was created, or when its status stayed: then `toStatus` names the event. */
  fromStatus: z._default(z.nullable(name), null),
  toStatus: id,
  /** A sentence, see `storedSentence`. */
  why: z.string().check(z.maxLength(maxSentenceLength)),
});

export const receiptEntry = entryOf("receipt", {
  id,
  /** The kind of subject (`rule`, `comparison`, …) and its id. */
  subject: id,
  subjectId: id,
  at,
  verdict: id,
  json: z.string().check(z.maxLength(2_000_000)),
});

/** The text of a MEMORY.md as written. */
export const memoryEntry = entryOf("memory", {
  agent: id,
  version: id,
  at,
  text: z.string().check(z.maxLength(30_000)),
  /** Comma-separated, in the text's order. */
  ruleIds: z.string().check(z.maxLength(100_000)),
  /** Its author: `purser`, `version …` for a restored one, or `the user`. */
  madeBy: id,
});

/** Entries for trials of rules in real work. */

/** A list of rule ids, as JSON text. */
const ruleIds = z.string().check(z.maxLength(10_000));

export const trialEntry = entryOf("trial", {
  id,
  /** The agent with the tried rules: `main`, or the name of an agent that sessions are started as. */
  agent: id,
  /** Only sessions in this folder take part; null for all. */
  project: maybeName,
  ruleIds,
  /** Sessions after which most of the error may be spent. */
  planned: count,
  startedAt: time,
  /** The first stop counts. */
  stoppedAt: maybeTime,
  /** Approver of the trial. */
  approvedBy: id,
  /** Share of sessions that go on without a rule that saves, where chances are adapted. Null where all chances are one half. */
  holdOut: maybeNumber,
  /** Whether its owner agreed that a harmful rule is switched off. */
  switchesOff: maybeFlag,
});

/**
 * Rules given to a session by lot, with the facts known before. Later entries of the same draw only add later facts.
 */
export const drawEntry = entryOf("draw", {
  trialId: id,
  sessionId: id,
  /**
   * The session before this one's context was cleared: both count as one session of the trial, with that one's draw.
   */
  continues: maybeName,
  at: maybeTime,
  given: z._default(z.nullable(ruleIds), null),
  withheld: z._default(z.nullable(ruleIds), null),
  /** Probability of each rule by its id, as JSON text. Null if all were one half. */
  chances: z._default(z.nullable(ruleIds), null),
  program: maybeName,
  project: maybeName,
  branchKind: maybeChoice(["trunk", "feature", "none"]),
  /** Local hour. */
  hour: maybeCount,
  /** Length of the first prompt, which follows the draw. */
  promptChars: maybeCount,
  /** When the answer was sent to the agent, even without rules. */
  deliveredAt: maybeTime,
});

/** A prompt in a session with a draw, as its hook reported it. Its text is not stored. */
export const trialPromptEntry = entryOf("trial-prompt", {
  sessionId: id,
  /** The agent's own id for it, so that a repeated hook counts once; else derived from its time. */
  id,
  at: time,
  /** Whether it asks the agent to correct its work, judged by its first words. */
  corrects: flag,
});
