import * as vscode from "vscode";
import { percent, shortNumber } from "../engine/base/format.ts";
import { cleanText, cutMiddle } from "../engine/base/text.ts";
import type { ContextSnapshot, SessionSnapshot, SubagentSnapshot } from "../engine/context/snapshot.ts";
import type { Services } from "./services.ts";
import { childrenOf, nodeId, projectNodes, type TreeNode } from "./sessions-tree.ts";
import { statusText } from "./status-text.ts";
import { sessionTooltip, tooltipCommands } from "./tooltip.ts";
import { ago, cost, turns } from "./words.ts";

const { t } = vscode.l10n;
const longestLabel = 60;

/** A tree of projects, sessions and subagents, with the same figures as the status bar. */
export function registerSessionsView(services: Services): vscode.Disposable {
  const provider = new SessionsProvider(services);
  const view = vscode.window.createTreeView("purser.sessions", { treeDataProvider: provider });
  const reveal = async (id?: unknown) => {
    await vscode.commands.executeCommand("purser.sessions.focus");
    const session = typeof id === "string" ? services.sessions.find(id) : services.sessions.shown;
    if (session !== undefined) await view.reveal({ kind: "session", session }, { select: true, focus: true });
  };
  return vscode.Disposable.from(
    view,
    provider,
    vscode.commands.registerCommand("purser.showSessions", reveal),
  );
}

class SessionsProvider implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #services: Services;
  readonly #owned: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    this.#owned = vscode.Disposable.from(
      services.sessions.onChange(() => this.#changes.fire()),
      services.mutes.onChange(() => this.#changes.fire()),
    );
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const { sessions } = this.#services;
    return node === undefined
      ? projectNodes(sessions.all, (session) => sessions.isHere(session))
      : childrenOf(node);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node.kind === "project") return undefined;
    if (node.kind === "subagent") return { kind: "session", session: node.session };
    return this.getChildren().find(
      (project) => project.kind === "project" && project.cwd === (node.session.cwd ?? ""),
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = this.#describe(node);
    item.id = nodeId(node);
    return item;
  }

  /** A tooltip is made only for the line that is hovered. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind !== "session") return item;
    const { sessions, mutes } = this.#services;
    const { id } = node.session;
    const tooltip = sessionTooltip(node.session, {
      now: Date.now(),
      t,
      isPinned: sessions.pinned === id,
      isMuted: mutes.has(id),
    });
    const markdown = new vscode.MarkdownString(tooltip, true);
    markdown.isTrusted = { enabledCommands: tooltipCommands };
    item.tooltip = markdown;
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  #describe(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case "project":
        return projectItem(node);
      case "session":
        return this.#sessionItem(node.session);
      case "subagent":
        return subagentItem(node.subagent);
    }
  }

  #sessionItem(session: SessionSnapshot): vscode.TreeItem {
    const { sessions, mutes } = this.#services;
    const now = Date.now();
    const folded = session.subagents.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : undefined;
    const item = new vscode.TreeItem(sessionLabel(session), folded);
    const { spoken } = statusText(session, { percentOf: "window", now, t });
    const isPinned = sessions.pinned === session.id;
    const isMuted = mutes.has(session.id);
    const parts = [
      session.live && session.turnsLeft.value !== null ? turns(session.turnsLeft.value, t) : "",
      session.cost.value === null ? "" : cost(session.cost, t),
      isPinned ? t("pinned") : "",
      session.lastActivity === null || session.live ? "" : ago(session.lastActivity, now, t),
    ];
    item.description = joined(parts);
    item.iconPath = sessionIcon(session);
    item.contextValue = ["session", isPinned ? "pinned" : "unpinned", isMuted ? "muted" : "unmuted"].join(
      " ",
    );
    item.accessibilityInformation = { label: joined([sessionLabel(session), spoken, ...parts.slice(1)]) };
    return item;
  }
}

function projectItem({ cwd, isHere, sessions }: TreeNode & { kind: "project" }): vscode.TreeItem {
  const name = cwd.split(/[\\/]/u).findLast((part) => part !== "") ?? t("unknown folder");
  const open = isHere || sessions.some(({ live }) => live);
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(shown(name), open ? Expanded : Collapsed);
  item.description = isHere ? t("this window") : shown(cwd);
  item.tooltip = cleanText(cwd);
  item.iconPath = new vscode.ThemeIcon(isHere ? "root-folder" : "folder");
  item.contextValue = "project";
  return item;
}

function subagentItem(subagent: SubagentSnapshot): vscode.TreeItem {
  const item = new vscode.TreeItem(
    shown(joined([gauge(subagent), subagent.description ?? subagent.type ?? t("subagent")])),
  );
  const state = subagent.running ? t("running") : t("done");
  item.description = joined([
    subagent.type === null ? "" : shown(subagent.type),
    t("{0} tokens", shortNumber(subagent.tokens)),
    state,
  ]);
  item.iconPath = new vscode.ThemeIcon(subagent.running ? "loading~spin" : "check");
  item.contextValue = "subagent";
  return item;
}

/** How full it is comes first: a narrow view cuts off the rest. */
function sessionLabel(session: SessionSnapshot): string {
  const { title, model, id } = session;
  return shown(joined([gauge(session), title ?? joined([model ?? "", id.slice(0, 8)])]));
}

function sessionIcon({ live, advice }: SessionSnapshot): vscode.ThemeIcon {
  if (!live) return new vscode.ThemeIcon("history");
  if (advice === "END_TURN")
    return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  if (advice === "WRAP_UP")
    return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  return new vscode.ThemeIcon("dashboard");
}

function gauge({ percent: share, occupancy }: ContextSnapshot): string {
  if (share !== null) return percent(share);
  return occupancy.value === null ? "" : shortNumber(occupancy.value);
}

function shown(text: string): string {
  return cutMiddle(cleanText(text), longestLabel);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
