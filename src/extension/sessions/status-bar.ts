import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import { placesByAgent, type LiveSnapshot } from "../../engine/sessions/session-requests.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import {
  type BenchBadge,
  type BudgetBadge,
  compactionShown,
  justCompacted,
  othersSentence,
  statusText,
} from "./status-text.ts";
import { adviceNow, type Severity } from "./status-colours.ts";
import type { ContextFills } from "./context-fill.ts";
import type { GuardRow } from "../guard/guard-feed.ts";
import { briefSessions, commandLink } from "./brief.ts";
import type { Services } from "../services.ts";
import { RelaySavings } from "../handover/relay-savings.ts";
import { onSettingsChange, readViewSettings } from "../editor/settings.ts";
import { inMarkdown } from "../editor/outside-text.ts";
import { problemSentence, wrongThings } from "./describe-problem.ts";
import { sessionTooltip, tooltipCommands } from "./tooltip.ts";
import { t } from "../../engine/base/language.ts";
/** Sessions shown in full: a longer tooltip would not fit into the window. */
const maxInFull = 1;
/** Sessions shown as one row each after those; the view lists all. */
const maxInBrief = 12;
const maxSentenceLength = 400;

/** Everything the item shows, so that it is updated only on a change. */
interface Shown {
  readonly text: string;
  readonly severity: Severity;
  readonly spoken: string;
  readonly tooltip: string;
  readonly command: string;
}

/** Registers the status bar item: how full the context is, when it will be compacted, what to do. A running job has its own. */
export function registerStatusBar(
  services: Services,
  {
    budgets: budgetBadge,
    bench: benchBadge,
    guard: guardRow,
    fills,
  }: {
    readonly budgets: Observable<BudgetBadge>;
    readonly bench: Observable<BenchBadge | undefined>;
    readonly guard: Observable<GuardRow>;
    readonly fills: ContextFills;
  },
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("purser.status", vscode.StatusBarAlignment.Right, 100);
  item.name = t("Context Purser");
  const savings = new RelaySavings(services);
  let last = "";
  let again: NodeJS.Timeout | undefined;

  const render = () => {
    const shown = describe(services, { badge: budgetBadge.value, guard: guardRow.value, fills, savings });
    const text = JSON.stringify(shown);
    if (text !== last) apply(item, shown);
    last = text;
    clearTimeout(again);
    const since = justCompacted(services.sessions.shown, Date.now());
    if (since !== undefined) again = setTimeout(render, compactionShown - since);
  };
  render();
  item.show();
  return vscode.Disposable.from(
    item,
    jobItem(benchBadge),
    services.sessions.onChange(render),
    services.mutes.onChange(render),
    services.offers.onChange(render),
    services.handovers.onChange(render),
    budgetBadge.onChange(render),
    guardRow.onChange(render),
    fills.onChange(render),
    onSettingsChange(render),
    { dispose: () => clearTimeout(again) },
  );
}

function apply(item: vscode.StatusBarItem, { text, severity, spoken, tooltip, command }: Shown): void {
  item.text = text;
  item.command = command;
  item.backgroundColor =
    severity === "default" ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
  item.accessibilityInformation = { label: `Context Purser: ${spoken}`, role: "button" };
  item.tooltip = trustedMarkdown(tooltip);
}

interface Parts {
  readonly savings: Pick<RelaySavings, "of">;
  readonly badge: BudgetBadge;
  readonly guard: GuardRow;
  readonly fills: Pick<ContextFills, "of">;
}

function describe(services: Services, parts: Parts): Shown {
  const { state } = services.link;
  switch (state.kind) {
    case "starting":
      return quiet(t("Looking for agent sessions…"));
    case "failed":
      return trouble(t("Reading transcripts stopped. Click to see why and try again."));
    case "ready":
      return describeSessions(services, state.snapshot, parts);
  }
}

function describeSessions(services: Services, snapshot: LiveSnapshot, parts: Parts): Shown {
  const { badge, guard, fills, savings } = parts;
  const { sessions, mutes, offers } = services;
  const { shown, others, othersInNeed } = sessions;
  const now = Date.now();
  if (shown === undefined) {
    const unreadable = snapshot.sessions.length === 0 && snapshot.problems.length > 0;
    if (unreadable) return trouble(t("Transcripts were found but cannot be read. Click to see why."));
    const [lost] = wrongThings(snapshot).filter(({ kind }) => kind === "ledger");
    if (lost !== undefined) return trouble(problemSentence(lost, t));
    return guarded(quiet(waiting(snapshot, vscode.workspace.workspaceFolders !== undefined)), badge);
  }
  const all = [shown, ...others];
  const brief = all.slice(maxInFull, maxInFull + maxInBrief);
  const more = all.length - maxInFull - brief.length;
  const tables = all.slice(0, maxInFull).map((session, index) =>
    sessionTooltip(session, {
      // It is about all sessions.
      guard: index === 0 ? guard : null,
      fill: fills.of(session),
      offer: offers.of(session),
      saved: savings.of(session),
      now,
      t,
      isPinned: sessions.pinned === session.id,
      isMuted: mutes.has(session.id),
      budgets: badge.rows
        .filter(({ folders }) => session.folder !== null && folders.includes(session.folder))
        .map(({ cells }) => cells),
    }),
  );
  const tail = [
    ...(brief.length > 0 ? [briefSessions(brief, { t, namesAgents: sessions.hasSeveralAgents })] : []),
    ...ledgerLine(snapshot),
    ...(more > 0 ? [`[${t("{0} more in the Sessions view", more)}](command:purser.showSessions)`] : []),
    ...(snapshot.problems.length > 0
      ? [`[${t("Something cannot be read")}](command:purser.showProblems)`]
      : []),
    ...(snapshot.settingProblems.length > 0
      ? [`[${t("A setting is ignored")}](command:purser.showProblems)`]
      : []),
  ];
  return {
    ...statusText(shown, {
      ...readViewSettings(),
      namesAgent: sessions.hasSeveralAgents,
      now,
      t,
      others: {
        count: othersInNeed.length,
        advice: othersInNeed[0] === undefined ? "CONTINUE" : adviceNow(othersInNeed[0]),
      },
      budget: badge,
      saved: savings.of(shown),
      isLedgerLost: snapshot.ledgerProblem !== undefined,
    }),
    tooltip: [...needing(othersInNeed), ...tables, ...tail].join("\n\n---\n\n"),
    command: "purser.showSessions",
  };
}

/** Says why nothing is recorded, and what to do. */
function ledgerLine(snapshot: LiveSnapshot): string[] {
  return wrongThings(snapshot)
    .filter(({ kind }) => kind === "ledger")
    .map(
      (problem) =>
        `[${inMarkdown(problemSentence(problem, t), maxSentenceLength)}](command:purser.showProblems)`,
    );
}

/** Names those of the other sessions that need the person, before anything else. */
function needing(others: readonly SessionSnapshot[]): string[] {
  if (others.length === 0) return [];
  const names = others.map(
    ({ id, title, model, agent }) =>
      `[${inMarkdown(title ?? model ?? agentNames.of(agent), 40)}](${commandLink("purser.showSessions", id)})`,
  );
  return [`**${othersSentence(others.length, t)}:** ${names.join(" · ")}`];
}

function waiting(snapshot: LiveSnapshot, hasFolder: boolean): string {
  const { files, sessions } = snapshot;
  const elsewhere = sessions.filter(({ live }) => live).length;
  if (!hasFolder && files > 0)
    return elsewhere === 0
      ? t("This window has no folder. Open the one your agent works in to see its context here.")
      : t("This window has no folder. Live elsewhere: {0}. Click to see all sessions.", elsewhere);
  if (elsewhere > 0)
    return t(
      "No live agent session in this window's folders. Live elsewhere: {0}. Click to see all.",
      elsewhere,
    );
  if (files > 0) return t("No live agent session in this window's folders. The next one shows up here.");
  const names = placesByAgent(snapshot).map(({ agent }) => agentNames.of(agent));
  return t("No sessions of {0} yet. Click to see where purser looks, or to open a sample.", names.join(", "));
}

function quiet(sentence: string): Shown {
  return { ...plain(sentence), text: "$(dashboard)", command: "purser.showSessions" };
}

/** A passed budget matters even without a live session: the next one would be stopped. */
function guarded(shown: Shown, { severity, text, spoken }: BudgetBadge): Shown {
  if (severity === "default") return shown;
  const tooltip = `${shown.tooltip}\n\n${inMarkdown(spoken, maxSentenceLength)}`;
  return {
    ...shown,
    text: `$(shield) ${text}`,
    severity,
    spoken: `${shown.spoken}, ${spoken}`,
    tooltip,
    command: "purser.budgets.focus",
  };
}

/** A running job's own item, beside the one of the session. */
function jobItem(badge: Observable<BenchBadge | undefined>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("purser.job", vscode.StatusBarAlignment.Right, 99);
  item.name = t("Context Purser: benchmark");
  const render = () => {
    const job = badge.value;
    if (job === undefined) {
      item.hide();
      return;
    }
    item.text = `$(${job.icon}) ${job.text}`;
    item.tooltip = job.spoken;
    item.command = { title: job.spoken, command: job.command, arguments: [job.target] };
    item.accessibilityInformation = { label: job.spoken, role: "button" };
    item.show();
  };
  render();
  return vscode.Disposable.from(item, badge.onChange(render));
}

function trouble(sentence: string): Shown {
  return { ...plain(sentence), text: "$(warning) Purser", command: "purser.showProblems" };
}

function plain(sentence: string): Pick<Shown, "severity" | "spoken" | "tooltip"> {
  return { severity: "default", spoken: sentence, tooltip: inMarkdown(sentence, maxSentenceLength) };
}

/** A tooltip that may run the commands in its links, and no others. Without icons: `$(name)` stays text. */
export function trustedMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: tooltipCommands };
  // For coloured spans; outside text is escaped, and the editor removes what is not harmless.
  markdown.supportHtml = true;
  return markdown;
}
