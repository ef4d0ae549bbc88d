import path from "node:path";
import type { DrawnSession, PromptCounts, TrialSessions } from "../../ledger/rule-questions.ts";
import type { TriedSession } from "./analyse.ts";
import { everyAgent, isIn, type SessionFolders } from "./trial.ts";
import { chancesIn, ruleIdsIn } from "./trial-rows.ts";

export type LeftOut = "no_prompt" | "late" | "running" | "golden" | "no_hook" | "fork" | "not_drawn";

/** A session of a trial, with those that went on after its context was cleared. */
export interface Participant {
  readonly id: string;
  readonly at: number;
  readonly program: string | null;
  readonly project: string | null;
  readonly given: readonly string[];
  readonly withheld: readonly string[];
  readonly prompts: PromptCounts;
  readonly leftOut: LeftOut | null;
  /** When its end was known. Milliseconds since the epoch. */
  readonly overAt: number;
  /**
   * Null if it is left out, unless it only lacks a completed prompt: its prompts still count for how prompts
   * end.
   */
  readonly tried: TriedSession | null;
}

export interface Bystander {
  readonly id: string;
  readonly at: number;
  readonly program: string;
  readonly project: string | null;
  readonly leftOut: LeftOut;
}

/** A session without activity for this long is over, with or without an end. Milliseconds. */
const quiet = 60 * 60_000;

/** Sorts a trial's sessions into those that figures rest on and those left out, in the order of their draws. @param now milliseconds since the epoch */
export function participantsOf({ drawn }: Pick<TrialSessions, "drawn">, now: number): Participant[] {
  const later = new Map<string, DrawnSession[]>();
  for (const each of drawn)
    if (each.continues !== null) later.set(each.continues, [...(later.get(each.continues) ?? []), each]);
  const fresh = drawn.filter(({ continues }) => continues === null);
  return fresh.map((first) => {
    const parts = [first, ...(later.get(first.sessionId) ?? [])];
    const prompts = parts.map((part) => part.prompts).reduce(together);
    const given = ruleIdsIn(first.given);
    const withheld = ruleIdsIn(first.withheld);
    const { sessionId: id, at, program, project } = first;
    const over = endOf(parts);
    const leftOut = whyLeftOut(parts, prompts, now < over.at && !over.isReported);
    const isCounted =
      leftOut === null || (leftOut === "no_prompt" && prompts.interrupted + prompts.failed > 0);
    const tried = isCounted ? triedOf(first, prompts, { given, withheld }) : null;
    return { id, at, program, project, given, withheld, prompts, leftOut, overAt: over.at, tried };
  });
}

/**
 * Sessions for the figures, in the order of their ends. A long session must not change the order of an
 * earlier look, which would be another look.
 */
export function triedIn(participants: readonly Participant[]): TriedSession[] {
  return participants.toSorted((one, other) => one.overAt - other.overAt).flatMap(({ tried }) => tried ?? []);
}

/**
 * Sessions without a draw. No transcript records how a session was started, so only those of `main` are
 * known.
 * @param foldersOf the folders of a session that started in one, as for a draw
 */
export function bystandersOf(
  { trial: { agent, project }, undrawn }: Pick<TrialSessions, "trial" | "undrawn">,
  foldersOf: (cwd: string) => SessionFolders,
): Bystander[] {
  if (agent !== "main" && agent !== everyAgent) return [];
  const known = new Map<string, boolean>();
  const takesPart = (cwd: string | null) => {
    if (project === null) return true;
    // Another system's path cannot be resolved here.
    if (cwd === null || !path.isAbsolute(cwd)) return false;
    const isHere = known.get(cwd) ?? isIn(foldersOf(cwd), project);
    known.set(cwd, isHere);
    return isHere;
  };
  return undrawn
    .filter(({ cwd }) => takesPart(cwd))
    .map(({ id, firstAt, program, cwd, hasHooks, isFork }) => ({
      id,
      at: firstAt,
      program,
      project: cwd,
      leftOut: isFork ? "fork" : hasHooks ? "not_drawn" : "no_hook",
    }));
}

/** When a session was over, and whether a hook reported it. */
function endOf(parts: readonly DrawnSession[]): { readonly at: number; readonly isReported: boolean } {
  const isReported = parts.at(-1)?.hasEnded === true;
  const seen = Math.max(...parts.map(({ at, lastAt }) => Math.max(at, lastAt ?? 0)));
  return { at: isReported ? seen : seen + quiet, isReported };
}

function whyLeftOut(
  parts: readonly DrawnSession[],
  prompts: PromptCounts,
  isRunning: boolean,
): LeftOut | null {
  if (parts.some(({ isGolden }) => isGolden)) return "golden";
  if (parts.some(({ deliveredAt }) => deliveredAt === null)) return "late";
  if (isRunning) return "running";
  return prompts.completed === 0 ? "no_prompt" : null;
}

function triedOf(
  first: DrawnSession,
  { completed, interrupted, failed, meanLog, squares, tokens, heard, corrections }: PromptCounts,
  drawn: { readonly given: readonly string[]; readonly withheld: readonly string[] },
): TriedSession {
  const { program, project, branchKind, promptChars, hour } = first;
  return {
    known: {
      place: `${program ?? ""} ${project ?? ""}`,
      branchKind: branchKind ?? "none",
      promptChars,
      hour,
    },
    completed,
    meanLog: meanLog ?? 0,
    squares,
    logTotal: Math.log(Math.max(1, tokens)),
    chances: chancesIn(first),
    undone: interrupted + failed,
    heard,
    corrections,
    given: new Set(drawn.given),
    withheld: new Set(drawn.withheld),
  };
}

/** The counts of two sessions as if they were one. */
function together(one: PromptCounts, other: PromptCounts): PromptCounts {
  const counts = {
    completed: one.completed + other.completed,
    interrupted: one.interrupted + other.interrupted,
    failed: one.failed + other.failed,
    heard: one.heard + other.heard,
    corrections: one.corrections + other.corrections,
    tokens: one.tokens + other.tokens,
  };
  if (one.meanLog === null || other.meanLog === null)
    return { ...counts, meanLog: one.meanLog ?? other.meanLog, squares: one.squares + other.squares };
  const meanLog = (one.meanLog * one.completed + other.meanLog * other.completed) / counts.completed;
  const between =
    one.completed * (one.meanLog - meanLog) ** 2 + other.completed * (other.meanLog - meanLog) ** 2;
  return { ...counts, meanLog, squares: one.squares + other.squares + between };
}
