import * as z from "zod/mini";
import {
  choice,
  choiceOr,
  count,
  entryOf,
  flag,
  id,
  maybeChoice,
  maybeCount,
  maybeFlag,
  maybeName,
  maybeNumber,
  maybeText,
  maybeTime,
  name,
  time,
  number,
} from "./fields.ts";
import { withCheck, isCount, isFlag, isNumber, isObjectOf, isRecord, maybe } from "./plain-value.ts";

/** Entries for facts from transcripts and hooks. */

export const sessionEntry = entryOf("session", {
  id,
  /** The coding agent: `claude-code`, `codex`, … */
  program: maybeName,
  /** The folder it began in: its project. */
  cwd: maybeName,
  branch: maybeName,
  title: maybeText(200),
  firstAt: maybeTime,
  lastAt: maybeTime,
  /** The parent session of a fork. */
  parentId: maybeName,
  /** The agent's own running total. USD. */
  officialUsd: maybeNumber,
});

const tokens = {
  input: count,
  output: count,
  cacheCreation5m: count,
  cacheCreation1h: count,
  cacheRead: count,
};
const tokenUsage = withCheck(
  z.object(tokens),
  isObjectOf({
    input: isCount,
    output: isCount,
    cacheCreation5m: isCount,
    cacheCreation1h: isCount,
    cacheRead: isCount,
  }),
);

/** One copy of an API response. Copies are appended as they are found; the ledger counts each response once. */
export const responseEntry = entryOf("response", {
  messageId: id,
  requestId: maybeName,
  sessionId: id,
  /** The subagent whose transcript it is in, or null for a session's main file. */
  agentId: maybeName,
  model: name,
  at: maybeTime,
  cwd: maybeName,
  branch: maybeName,
  isSidechain: flag,
  /** A fork's copy of a row in its parent session. */
  isCopy: withCheck(z._default(z.boolean(), false), (value) => value === undefined || isFlag(value)),
  usage: tokenUsage,
  /** The agent's own counters by its own names, where they differ from `usage`. */
  raw: withCheck(
    z._default(z.nullable(z.record(z.string().check(z.maxLength(100)), z.number())), null),
    maybe(
      (value) =>
        isRecord(value) && Object.entries(value).every(([key, each]) => key.length <= 100 && isNumber(each)),
    ),
  ),
  /** The terms behind its price besides its tokens, as text from `textOfTerms`; null for the standard. */
  priceTerms: maybeName,
  /** Tokens of the last call, where `usage` sums up several: its context, 0 where unknown, and its answer. */
  lastContext: maybeCount,
  lastOutput: maybeCount,
});

export const toolCallEntry = entryOf("tool-call", {
  id,
  sessionId: id,
  agentId: maybeName,
  messageId: maybeName,
  at: maybeTime,
  tool: maybeName,
  /** The MCP server and the skill that the tool belongs to. */
  server: maybeName,
  skill: maybeName,
  inputChars: maybeCount,
  resultChars: maybeCount,
  durationMs: maybeCount,
  isError: maybeFlag,
});

export const fileReadEntry = entryOf("file-read", {
  /** The tool call's id. */
  id,
  sessionId: id,
  agentId: maybeName,
  at: maybeTime,
  path: maybeName,
  chars: maybeCount,
});

export const compactionEntry = entryOf("compaction", {
  id,
  sessionId: id,
  agentId: maybeName,
  at: maybeTime,
  trigger: choice(["auto", "manual", "unknown"]),
  isSidechain: flag,
  model: maybeName,
  /** Whether a million-token window had been proved before it. */
  longContext: flag,
  preTokens: maybeCount,
  postTokens: maybeCount,
});

/** A finished turn, or a golden task's run. */
export const runEntry = entryOf("run", {
  id,
  sessionId: id,
  /** The subagent's type, or `main`. */
  agent: id,
  project: maybeName,
  branch: maybeName,
  model: maybeName,
  startedAt: maybeTime,
  endedAt: maybeTime,
  durationMs: maybeCount,
  input: count,
  output: count,
  cacheCreation: count,
  cacheRead: count,
  toolCalls: maybeCount,
  /** Files read more than once. */
  filesReread: maybeCount,
  completed: flag,
  /** The golden task's hash, or null for real work. */
  taskHash: maybeName,
  config: choiceOr(["real", "active", "candidate", "audit"], "real"),
  sessionReused: maybeFlag,
  taskSessionReused: maybeFlag,
  freshSession: maybeFlag,
  rotated: maybeFlag,
  rotationReason: maybeName,
  promptChars: maybeCount,
  instructionsChars: maybeCount,
  hasInstructionsFile: maybeFlag,
  skillSetHash: maybeName,
  skillCount: maybeCount,
  contextFetchMode: choiceOr(["full", "delta", "summary", "unknown"], "unknown"),
  /** Set only for a golden task's run, like every later member: its bench. */
  benchId: maybeName,
  taskId: maybeName,
  suiteHash: maybeName,
  fixtureHash: maybeName,
  configurationHash: maybeName,
  driver: maybeChoice(["claude", "codex", "replay"]),
  /** How a replayed recording was made: a model's name, or `script`. */
  recordedBy: maybeName,
  outcome: maybeChoice(["passed", "failed", "limit", "environment", "cancelled"]),
  round: maybeCount,
  turns: maybeCount,
});

export const hookEventEntry = entryOf("hook-event", {
  id,
  sessionId: id,
  agentId: maybeName,
  at: maybeTime,
  event: id,
  tool: maybeName,
  /** The id of the call that it precedes, as transcripts have it. */
  call: maybeName,
  handler: maybeName,
  /** The handler's answer: `allow`, `deny`, `advise`, … */
  outcome: maybeName,
  rule: maybeName,
  durationMs: maybeNumber,
  injectedChars: maybeCount,
});

/** How far a transcript has been read. Appended after the entries read up to it. */
export const positionEntry = entryOf("position", {
  path: id,
  /** Device and inode, or anything else that shows when the file has been replaced. */
  identity: name,
  /** Bytes. */
  offset: count,
  size: maybeCount,
  modifiedAt: maybeNumber,
  /** The reader's state to resume from: a small JSON text in its own format. */
  state: maybeText(100_000),
});

/** Replaces the single hook events before a time with their counts. */
export const sumHooksEntry = entryOf("sum-hooks", {
  before: time,
});

/**
 * Replaces the hits of guard rules before a time with their sums, or removes the packets or scorecards of sessions
 * before it.
 */
export const ageOutEntry = entryOf("age-out", {
  of: choice(["guard", "packets", "scorecards"]),
  before: time,
});

/** Written by earlier versions: the responses of a session were removed, before its transcript was read again. */
export const forgetResponsesEntry = entryOf("forget-responses", { sessionId: id });

/**
 * Sessions with responses were counted by an earlier version. The first response that is read again ends this state; in
 * a session with running totals it also replaces all counted responses.
 */
export const countAnewEntry = entryOf("count-anew", {});

/** Every transcript is read again from its beginning. */
export const forgetPositionsEntry = entryOf("forget-positions", {});

/** Entries that attribute tokens, and entries for the window's content, the used part of a plan, and anomalies. */

export const subagentEntry = entryOf("subagent", {
  sessionId: id,
  agentId: id,
  type: maybeName,
  description: maybeText(200),
});

/** The parts of one request to the model. Appended when it is sent, and again when a response refers to it. */
export const contextFillEntry = entryOf("context-fill", {
  /** The agent's own id for the request. */
  id,
  sessionId: id,
  agentId: maybeName,
  /** Id of the response. */
  messageId: maybeName,
  at: maybeTime,
  /** Characters by part, as JSON text; `contextParts` reads it. */
  parts: maybeText(20_000),
});

/** How much of a plan's limit was used, as reported to the agent by its API. */
export const planLimitEntry = entryOf("plan-limit", {
  program: id,
  /** The agent's own name for the limit. */
  name: id,
  at: time,
  /** From 0 up; more than 100 where a limit can be passed. */
  usedPercent: number,
  windowMinutes: maybeCount,
  resetsAt: maybeTime,
});

export const anomalyCauses = ["costly-run", "stall", "cache-fall"] as const;

/** An anomaly. It is recorded once, however often it is found. */
export const anomalyEntry = entryOf("anomaly", {
  /** Derived from the cause and its subject, so that the same anomaly found again has the same id. */
  id,
  sessionId: id,
  agentId: maybeName,
  cause: choice(anomalyCauses),
  at: maybeTime,
  /** The measured and the usual value: processing tokens, or a share from 0 to 1. */
  value: maybeNumber,
  usual: maybeNumber,
  /** The message ids of the responses that caused it, as a JSON list. */
  turns: maybeText(20_000),
  /** When it was shown to the user. */
  shownAt: maybeTime,
});

/** Characters of a request by part. A tool's results are under `result:` and the tool's name. */
export const contextParts = z.record(z.string().check(z.maxLength(200)), count);
export type ContextParts = z.infer<typeof contextParts>;
