import { percent, shortNumber } from "../../../engine/base/text/local-format.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import { agentNames } from "../../../engine/transcripts/agents.ts";
import { describeTurns, type Translate } from "../../editor/describe-editor.ts";
import { inMessage } from "../../editor/outside-text.ts";
import type { WarningKind } from "./reasons.ts";

/** The command behind the links of a notification: closes it, and does what was chosen. */
export const answerCommand = "purser.answerWarning";
/** Keeps the notification at two lines. Characters. */
const longestName = 24;

export interface NoticeOptions {
  readonly t: Translate;
  readonly canHandOver: boolean;
  /** Whether the text tells which of several sessions it is about. */
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
    ? `${inMessage(session.title ?? agentNames.of(session.agent), longestName)} · `
    : "";
  return `${name}${warningSentence(kind, session, { t, canHandOver })} ${links.join(" · ")}`;
}

/** What to do and what it is good for, before the figure that is the reason. */
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
