import type { Advice } from "../../../engine/sessions/advice.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import { agentNames } from "../../../engine/transcripts/agents.ts";
import { sessionLabel } from "../../editor/describe-editor.ts";
import type { ColourRule } from "../urgency/act-now.ts";

/** A reason to interrupt the user. Each is given once per session. */
export type WarningKind = Exclude<Advice, "CONTINUE"> | "COMPACTION";

export interface WarningOptions {
  readonly colours: ColourRule;
  /** What the person should do now about a session. */
  readonly adviceOf: (session: SessionSnapshot) => Advice;
  /** Warn when compaction is this many turns away; 0 disables the warning. */
  readonly warnTurns: number;
  /** Earlier activity causes no warning. Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * The current reasons to warn about this session, most urgent first: a person told of that one need not be told of the
 * others. An idle session is not worth an interruption. Where colours stand for what is left, only compaction at hand is:
 * the yellow bar says the rest.
 */
export function warningsFor(session: SessionSnapshot, options: WarningOptions): WarningKind[] {
  const { turnsLeft, lastActivity, live } = session;
  const { warnTurns } = options;
  if (!live || lastActivity === null || lastActivity < options.since) return [];
  const advice = options.adviceOf(session);
  const isNear = turnsLeft.value !== null && turnsLeft.value <= warnTurns;
  if (options.colours === "left")
    return warnTurns > 0 && (isNear || advice === "END_TURN") ? ["COMPACTION"] : [];
  return [
    ...(warnTurns > 0 && isNear ? ["COMPACTION" as const] : []),
    ...(advice === "CONTINUE" ? [] : [advice]),
  ];
}
/** Names a session among several: by its title, which distinguishes two in one folder. */
export function warnedSession({ agent, title, cwd, model, branch }: SessionSnapshot): string {
  const label = sessionLabel({ model: title === null ? model : null, cwd, branch });
  return [agentNames.of(agent), title ?? "", label].filter((part) => part !== "").join(" · ");
}
