import { percent, shortNumber } from "../../../engine/base/text/local-format.ts";
import type { SessionSnapshot } from "../../../engine/context/snapshot.ts";
import { agentNames } from "../../../engine/transcripts/agents.ts";
import { turns, type Translate } from "../../editor/describe.ts";
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
    link(t("Turn Off"), "never"),
  ];
  const name = namesSession
    ? `${inMessage(session.title ?? agentNames.of(session.agent), longestName)}: `
    : "";
  return `${name}${warningSentence(kind, session, t)} ${links.join(" · ")}`;
}

export function warningSentence(kind: WarningKind, session: SessionSnapshot, t: Translate): string {
  const { turnsLeft, headroom } = session;
  const full = percent(session.percent ?? 0);
  if (kind === "WRAP_UP") return t("{0} full, wrap up.", full);
  if (kind === "END_TURN") return t("{0} full, end the turn.", full);
  if (turnsLeft.value !== null) return t("{0} full, {1} left.", full, turns(turnsLeft.value, t));
  return t("{0} full, ~{1} tokens left.", full, shortNumber(headroom.value ?? 0));
}
