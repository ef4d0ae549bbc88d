import * as z from "zod";
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

/** Entries that tell whose tokens they were, what filled the window, and what stood out. */

export const subagentEntry = entryOf("subagent", {
  sessionId: id,
  agentId: id,
  type: maybeName,
  description: maybeText(200),
});

/** What one request to the model was made of. Told when it is sent, and again when its response names it. */
export const contextFillEntry = entryOf("context-fill", {
  /** The agent's own id of the request. */
  id,
  sessionId: id,
  agentId: maybeName,
  /** The response's. */
  messageId: maybeName,
  at: maybeTime,
  /** Characters by what they are, as JSON text: `contextParts` reads it. */
  parts: maybeText(20_000),
});

/** How much of a plan's limit was used, as the agent was told by its API. */
export const planLimitEntry = entryOf("plan-limit", {
  program: id,
  /** The agent's own name of the limit. */
  name: id,
  at: time,
  /** 0 to 100. */
  usedPercent: number,
  windowMinutes: maybeCount,
  resetsAt: maybeTime,
});

export const anomalyCauses = ["costly-run", "stall", "cache-fall"] as const;

/** Something out of the ordinary, once however often it is looked at. */
export const anomalyEntry = entryOf("anomaly", {
  /** The cause and what it is about: the same anomaly found again has the same id. */
  id,
  sessionId: id,
  agentId: maybeName,
  cause: choice(anomalyCauses),
  at: maybeTime,
  /** What was measured, and what is usual: processing tokens, or a share from 0 to 1. */
  value: maybeNumber,
  usual: maybeNumber,
  /** The message ids of the responses that caused it, as a JSON list. */
  turns: maybeText(20_000),
  /** When a person was told. */
  shownAt: maybeTime,
});

/** What the characters of a request are. A tool's result is `result:` and the tool's name. */
export const contextParts = z.record(z.string().max(200), count);
export type ContextParts = z.infer<typeof contextParts>;
