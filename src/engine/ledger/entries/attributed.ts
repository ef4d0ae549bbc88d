import * as z from "zod/mini";
import {
  choice,
  count,
  entryOf,
  id,
  maybeCount,
  maybeName,
  maybeNumber,
  maybeText,
  maybeTime,
  number,
  time,
} from "./fields.ts";

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
