import type { RotationCause, WakeReason } from "../../ledger/woken.ts";
import type { SessionState } from "./recurring-wake-state.ts";

export interface SessionWanted {
  readonly task: string;
  readonly program: string;
  readonly model: string;
  /** Absolute. */
  readonly folder: string;
  readonly isForced: boolean;
}

export interface SessionChoice {
  /** Null for a new session. */
  readonly resume: SessionState | null;
  /** Summed up for the new session. Null for none. */
  readonly replaced: SessionState | null;
  readonly reason: WakeReason;
  readonly cause: RotationCause | null;
}

/**
 * A new session starts if requested, if none exists for this task, program, folder and model, if its files are gone, or if it is rotated. `sessions`
 * are by task. `exists`: the program still has a session. `rotates` returns why a session is replaced.
 */
export function chooseSession(
  wanted: SessionWanted,
  sessions: Readonly<Record<string, SessionState>>,
  exists: (session: SessionState) => boolean,
  rotates: (session: SessionState) => RotationCause | null,
): SessionChoice {
  const own = Object.hasOwn(sessions, wanted.task) ? sessions[wanted.task] : undefined;
  const fresh = (reason: WakeReason, replaced: SessionState | null = null): SessionChoice => ({
    resume: null,
    replaced,
    reason,
    cause: null,
  });
  if (wanted.isForced) return fresh("forced");
  if (own === undefined) return fresh(Object.keys(sessions).length === 0 ? "first" : "other_task");
  if (own.program !== wanted.program) return fresh("other_program", own);
  if (own.folder !== wanted.folder) return fresh("other_folder", own);
  if (own.model !== wanted.model) return fresh("other_model", own);
  if (!exists(own)) return fresh("invalid_resume");
  const cause = rotates(own);
  if (cause !== null) return { resume: null, replaced: own, reason: "rotated", cause };
  return { resume: own, replaced: null, reason: "reused", cause: null };
}
