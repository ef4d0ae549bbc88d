import { percent, shortNumber, decimalNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import { agentNames } from "../../../engine/transcripts/agents.ts";
import { describeTurns, type Translate, sessionLabel } from "../../editor/describe-editor.ts";
import { inMessage } from "../../editor/outside-text.ts";
import type { Advice } from "../../../engine/sessions/advice.ts";
import type { ColourRule } from "../status-colours.ts";
import type { Anomaly } from "../../../engine/ledger/ledger-answers.ts";

/** The command behind the links of a notification: closes it, and does what was chosen. */
export const answerCommand = "purser.answerWarning";
/** Keeps the notification at two lines. Characters. */
const maxNameLength = 24;

export interface NoticeOptions {
  readonly t: Translate;
  readonly canHandOver: boolean;
  /** Whether the text names the session. */
  readonly namesSession: boolean;
}

/**
 * The warning and its answers. These are links, since the notification's only button closes it: the editor gives one that code can
 * close no others.
 */
export function noticeText(
  kind: WarningKind,
  session: SessionSnapshot,
  { t, canHandOver, namesSession }: NoticeOptions,
): string {
  const link = (label: string, answer: string) =>
    `[${label}](command:${answerCommand}?${encodeURIComponent(JSON.stringify([session.id, answer]))})`;
  const links = [
    ...(canHandOver ? [link(t("Hand Over…"), "handOver")] : []),
    link(t("Open"), "open"),
    link(t("Mute"), "mute"),
    link(t("Stop Warnings"), "never"),
  ];
  const name = namesSession
    ? `${inMessage(session.title ?? agentNames.of(session.agent), maxNameLength)} · `
    : "";
  return `${name}${warningSentence(kind, session, { t, canHandOver })} ${links.join(" · ")}`;
}

/** What to do and its benefit, before the figure that is the reason. */
export function warningSentence(
  kind: WarningKind,
  { turnsLeft, headroom, percent: share }: SessionSnapshot,
  { t, canHandOver }: Pick<NoticeOptions, "t" | "canHandOver">,
): string {
  const full = percent(share ?? 0);
  if (kind === "WRAP_UP") return t("Finish this task, start nothing new: the context is {0} full.", full);
  if (kind === "END_TURN")
    return canHandOver
      ? t("Keep the details: hand over now. The context is {0} full.", full)
      : t("Keep the details: end the turn now. The context is {0} full.", full);
  const left =
    turnsLeft.value === null
      ? t("~{0} tokens", shortNumber(headroom.value ?? 0))
      : describeTurns(turnsLeft.value, t);
  return canHandOver
    ? t("Keep the details: hand over now. Compaction comes in {0}.", left)
    : t("Keep the details: end the turn now. Compaction comes in {0}.", left);
}

/** A reason to interrupt the user. Each is given once per session. */
export type WarningKind = Exclude<Advice, "CONTINUE"> | "COMPACTION";

interface WarningOptions {
  readonly colours: ColourRule;
  /** What the person should do now about a session. */
  readonly adviceOf: (session: SessionSnapshot) => Advice;
  /** Warn when compaction is this many turns away; 0 disables the warning. */
  readonly warnTurns: number;
  /** Earlier activity causes no warning. Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * The current reasons to warn about this session, most urgent first: the user need not read the others. An
 * idle session is not worth an interruption. Where colours show what is left, only a near compaction is: the
 * yellow bar shows the rest.
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

/** A notification's sentence about an anomaly: what it is, and what to do. */
export function anomalySentence(anomaly: Pick<Anomaly, "cause" | "value" | "usual">, t: Translate): string {
  const { cause, value, usual } = anomaly;
  switch (cause) {
    case "costly-run": {
      const todo = t("Check what it did before you start the next one.");
      if (value === null || usual === null || usual <= 0)
        return `${t("A run took far more tokens than its agent's runs usually do.")} ${todo}`;
      const times = decimalNumber(value / usual, 1);
      return `${t("A run took {0} tokens, {1} times what is usual.", wholeNumber(value), times)} ${todo}`;
    }
    case "stall":
      return t("The context grows with almost no output. Stop the agent and check what it reads.");
    case "cache-fall": {
      const todo = t("Each call costs more until the cache is warm again.");
      if (value === null || usual === null)
        return `${t("Less of the context comes from the cache than before.")} ${todo}`;
      const [now, before] = [percent(value * 100), percent(usual * 100)];
      return `${t("Only {0} of the context comes from the cache; before it was {1}.", now, before)} ${todo}`;
    }
  }
}
