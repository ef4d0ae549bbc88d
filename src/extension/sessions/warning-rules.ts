import { percent } from "../../engine/base/text/format.ts";
import type { Advice } from "../../engine/context/advice.ts";
import type { SessionSnapshot } from "../../engine/context/snapshot.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { sessionLabel, describeTurns, untilCompaction, type Translate } from "../editor/describe.ts";

/** A reason to interrupt the user. Each is given once per session. */
export type WarningKind = Exclude<Advice, "CONTINUE"> | "COMPACTION";

export interface WarningOptions {
  /** Warn when compaction is this many turns away; 0 disables the warning. */
  readonly warnTurns: number;
  /** Earlier activity causes no warning. Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * The current reasons to warn about this session, most urgent first: a person told of that one need not be told of the
 * others. An idle session is not worth an interruption.
 */
export function warningsFor(session: SessionSnapshot, options: WarningOptions): WarningKind[] {
  const { advice, turnsLeft, lastActivity, live } = session;
  if (!live || lastActivity === null || lastActivity < options.since) return [];
  const isNear = turnsLeft.value !== null && turnsLeft.value <= options.warnTurns && options.warnTurns > 0;
  return [
    ...(isNear ? ["COMPACTION" as const] : []),
    ...(advice === null || advice === "CONTINUE" ? [] : [advice]),
  ];
}

/** Names a session among several: by its title, which distinguishes two in one folder. */
export function warnedSession({ agent, title, cwd, model, branch }: SessionSnapshot): string {
  const label = sessionLabel({ model: title === null ? model : null, cwd, branch });
  return [agentNames.of(agent), title ?? "", label].filter((part) => part !== "").join(" · ");
}

/** What happened and what to do, in words. */
export function warningSentence(kind: WarningKind, session: SessionSnapshot, t: Translate): string {
  const full = t("Context is {0} full.", percent(session.percent ?? 0));
  const when =
    session.turnsLeft.value === null
      ? session.headroom.value === null
        ? ""
        : t("Compaction comes {0} tokens.", untilCompaction(session, t))
      : t("Compaction comes in {0}.", describeTurns(session.turnsLeft.value, t));
  const todo =
    kind === "WRAP_UP" ? t("Wrap up this task and start nothing new.") : t("Finish or hand over now.");
  return [full, when, todo].filter((part) => part !== "").join(" ");
}
