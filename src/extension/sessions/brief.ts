import { dollars, percent, shortNumber } from "../../engine/base/local-format.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { marked, type Figure } from "../../engine/usage/token-counts.ts";
import { inMarkdown } from "../editor/outside-text.ts";
import { sessionName, turns, type Translate } from "../editor/describe-editor.ts";

/** Between two characters of a script without spaces, where the editor breaks a line anywhere. */
const joint =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])/gu;

/** Keeps words whole where no spaces divide them, as in Japanese. */
export function wholeWords(text: string): string {
  return text.replaceAll(joint, "\u2060");
}

/** Keeps a text, such as a figure or a heading, on one line. Only the text beside it wraps. */
export function unbroken(text: string): string {
  return wholeWords(text.replaceAll(" ", "\u00a0"));
}

/**
 * Sessions as one table row each, for those a tooltip cannot show in full. Figures are marked as in `purser status`, `–` is unknown; a
 * session's own page, which its title leads to, shows more.
 */
export function briefSessions(
  sessions: readonly SessionSnapshot[],
  { t, namesAgents }: { readonly t: Translate; readonly namesAgents: boolean },
): string {
  const titles = [t("Session"), t("Context"), t("Compaction"), t("Next call"), t("Cost"), t("Subagents")];
  const rows = sessions.map((session) => [
    [
      ...(namesAgents ? [agentNames.of(session.agent)] : []),
      `[${inMarkdown(sessionName(session), 28)}](${commandLink("purser.openLedger", session.id)})`,
    ].join(": "),
    context(session),
    wholeWords(compaction(session, t)),
    money(session.nextCall),
    money(session.cost),
    String(session.subagents.filter(({ running }) => running).length),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join("&ensp; | ")} |`;
  return [line(titles.map(unbroken)), "|:--|--:|--:|--:|--:|--:|", ...rows.map(line)].join("\n");
}

function context({ percent: share, occupancy, window }: SessionSnapshot): string {
  if (occupancy.value === null) return "–";
  if (share === null) return shortNumber(occupancy.value);
  return marked(percent(share), window.provenance === "estimated" ? "estimated" : "measured");
}

function compaction({ headroom, turnsLeft }: SessionSnapshot, t: Translate): string {
  if (turnsLeft.value !== null) return turns(turnsLeft.value, t);
  return headroom.value === null ? "–" : t("~{0} tokens", shortNumber(headroom.value));
}

function money(figure: Figure): string {
  if (figure.value === null) return "–";
  return inMarkdown(marked(dollars(figure.value), figure.provenance), 20);
}

/** A Markdown link's target that runs a command on a session. */
export function commandLink(command: string, id: string): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([id]))}`;
}
