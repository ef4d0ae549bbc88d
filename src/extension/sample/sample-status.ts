import * as vscode from "vscode";
import { commandLink } from "../sessions/brief.ts";
import { sessionTooltip } from "../sessions/tooltip.ts";
import { statusText, type BudgetBadge } from "../sessions/status-text.ts";
import type { WindowSessions } from "../sessions/in-window.ts";
import type { HandoverLinks } from "../handover/links.ts";
import type { RelaySavings } from "../handover/relay-savings.ts";
import { readViewSettings } from "../editor/settings.ts";
import type { SamplePlay } from "./play.ts";
import { t } from "../../engine/base/language.ts";

interface StatusPorts {
  readonly sessions: Pick<WindowSessions, "find" | "onChange" | "all">;
  readonly handovers: Pick<HandoverLinks, "of" | "onChange">;
  readonly savings: Pick<RelaySavings, "of">;
  readonly play: SamplePlay;
  readonly budget: () => BudgetBadge;
}

/** The commands that its tooltip may run: none of them touches the user's sessions. */
const commands = ["purser.openSample", "purser.playSample", "purser.stopSample", "purser.closeSample"];

/** The status item of the sample: beside the user's own, and named as the sample's. */
export function registerSampleStatus({
  sessions,
  handovers,
  savings,
  play,
  budget,
}: StatusPorts): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("purser.sample", vscode.StatusBarAlignment.Right, 99);
  item.name = t("Context Purser: sample");
  let last = "";
  const render = () => {
    const session = sessions.find(play.shownId);
    if (session === undefined) return;
    const now = Date.now();
    const badge = budget();
    const shown = statusText(session, { ...readViewSettings(), now, t, saved: savings.of(session) });
    const rows = badge.rows.map(({ cells }) => cells);
    const options = { now, t, isPinned: false, isMuted: false, budgets: rows, saved: savings.of(session) };
    // The last part has links to what can be done with the user's own sessions.
    const parts = sessionTooltip(session, options).split("\n\n").slice(0, -1);
    const control = play.isPlaying
      ? `[${t("Stop Playing")}](command:purser.stopSample)`
      : `[${t("Play Again")}](command:purser.playSample)`;
    const tooltip = [
      `**${t("Sample data. Nothing here is yours.")}**`,
      ...parts.map((part) => part.replaceAll("command:purser.handOverSession", "command:purser.openSample")),
      [
        `[${t("Open Session")}](${commandLink("purser.openSample", session.id)})`,
        control,
        `[${t("Close Sample")}](command:purser.closeSample)`,
      ].join(" · "),
    ].join("\n\n");
    const text = `${t("Sample")} ${shown.text}`;
    const isSame = JSON.stringify([text, tooltip, shown.severity]);
    if (isSame === last) return;
    last = isSame;
    item.text = text;
    item.command = { command: "purser.openSample", title: t("Open Session"), arguments: [session.id] };
    item.backgroundColor =
      shown.severity === "default"
        ? undefined
        : new vscode.ThemeColor(`statusBarItem.${shown.severity}Background`);
    item.accessibilityInformation = { label: `${t("Sample")}: ${shown.spoken}`, role: "button" };
    const markdown = new vscode.MarkdownString(tooltip, true);
    markdown.isTrusted = { enabledCommands: commands };
    item.tooltip = markdown;
    item.show();
  };
  render();
  return vscode.Disposable.from(
    item,
    sessions.onChange(render),
    handovers.onChange(render),
    play.onChange(render),
  );
}
