import * as z from "zod/mini";
import { sentenceUpTo, storedSentence } from "../base/sentence-schema.ts";
import {
  choice,
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
  time,
} from "./entries/fields.ts";

/** Causes of a wake. */
export const wakeSources = ["timer", "assignment", "mention", "manual"] as const;
export type WakeSource = (typeof wakeSources)[number];

/** Why a wake used its session: the first reason continues one, the others begin a new one. */
export const wakeReasons = [
  "reused",
  "first",
  "forced",
  "other_task",
  "other_folder",
  "other_program",
  "other_model",
  "invalid_resume",
  "rotated",
] as const;
export type WakeReason = (typeof wakeReasons)[number];

/** Why a new session, which begins with a summary of the work, replaced a session. */
export const rotationCauses = ["turns", "input", "age", "cache_hits", "definition"] as const;
export type RotationCause = (typeof rotationCauses)[number];

/**
 * How a wake ended. `environment`: quota, login or network, which is no evidence about the task. `interrupted`: the
 * process that held it was killed.
 */
export const wakeOutcomes = [
  "completed",
  "limit",
  "failed",
  "environment",
  "cancelled",
  "interrupted",
] as const;
export type WakeOutcome = (typeof wakeOutcomes)[number];

/** How much of its task a wake fetched: the largest of its calls. */
const fetchModes = ["none", "summary", "delta", "full"] as const;

const states = ["backlog", "todo", "in_progress", "in_review", "blocked", "done", "cancelled"] as const;

export const wakeEntry = entryOf("wake", {
  id,
  /** The agent's name, and the project whose file defines it. */
  agent: id,
  project: id,
  program: id,
  model: id,
  taskId: maybeName,
  source: choice(wakeSources),
  at: time,
  endedAt: time,
  /** Null if the program began none. */
  sessionId: maybeName,
  reason: choice(wakeReasons),
  cause: maybeChoice(rotationCauses),
  /** Whether resuming was tried and failed. */
  resumeFailed: flag,
  outcome: choice(wakeOutcomes),
  /** The program's message, or ours. */
  detail: maybeText(1000),
  /** Responses of the main chain. */
  turns: count,
  /** Normalized: each response counted once, and the kinds disjoint. Null without a transcript. */
  input: maybeCount,
  output: maybeCount,
  cacheCreation5m: maybeCount,
  cacheCreation1h: maybeCount,
  cacheRead: maybeCount,
  /** Input, cache writes and reads, each at its price in uncached input tokens. */
  normalizedInput: maybeCount,
  /** As printed by the program itself: its own sum of input with cache, and of output. */
  rawInput: maybeCount,
  rawOutput: maybeCount,
  usd: maybeNumber,
  fetchMode: choice(fetchModes),
  /** Number of reads of a whole thread, of its new part, and of a summary. */
  fullFetches: count,
  deltaFetches: count,
  summaryFetches: count,
  /** Characters of the prompt, and of its constant part. */
  promptChars: count,
  instructionsChars: count,
  /** Whether it received an instruction file of the project. */
  hasInstructions: maybeFlag,
  /** Names, separated by commas; their bytes in the session's list, and a hash of both. */
  skills: maybeText(4000),
  skillBytes: maybeCount,
  skillsHash: maybeName,
  /** Hash of the agent's file. */
  definitionHash: maybeName,
  stateBefore: maybeChoice(states),
  stateAfter: maybeChoice(states),
});

/** Maximum length of a wake's stored detail. Characters. */
const maxDetailLength = 1000;

/** A stored wake, as sent in answers. Times are milliseconds since the epoch; money is USD at list prices. */
export const wakeRow = z.extend(z.omit(wakeEntry, { kind: true }), {
  detail: z._default(z.nullable(sentenceUpTo(maxDetailLength)), null),
});
export type WakeRow = z.output<typeof wakeRow>;

export function wakeEntryOf({ detail, ...wake }: WakeRow): z.output<typeof wakeEntry> {
  const stored = detail === null ? null : storedSentence(detail, maxDetailLength).slice(0, maxDetailLength);
  return { kind: "wake", ...wake, detail: stored };
}
