import type { WakeRow } from "../ledger/entries/woken.ts";
import type { LintFinding } from "./lint/found-text.ts";
import type { StandingFile } from "./standing-file.ts";

/** A wake, as far as it tells what was sent. */
export type SendingWake = Pick<WakeRow, "agent" | "project" | "reason" | "outcome">;

/**
 * Counts the wakes that sent a part of a recurring agent's file: each sends the prompt of a wake, those with a new session also the rest.
 * @param wakes of any agents, of the time that is counted
 */
export function wakesThatSend(
  { prompt }: Pick<LintFinding, "prompt">,
  { name, folder }: Pick<StandingFile, "name" | "folder">,
  wakes: readonly SendingWake[],
): number {
  return wakes.filter(
    ({ agent, project, reason, outcome }) =>
      agent === name &&
      project === folder &&
      outcome !== "environment" &&
      (prompt === "wake" || reason !== "reused"),
  ).length;
}
