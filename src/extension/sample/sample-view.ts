import * as vscode from "vscode";
import { nodeText } from "../sessions/sessions-node-text.ts";
import { childrenOf, nodeId, projectNodes, type TreeNode } from "../sessions/sessions-tree.ts";
import type { WindowSessions } from "../sessions/in-window.ts";

const { t } = vscode.l10n;

/** The sample's sessions, in a separate view: they are never among the user's. */
export function registerSampleView(sessions: WindowSessions): vscode.Disposable {
  const provider = new SampleSessions(sessions);
  const view = vscode.window.createTreeView("purser.sampleSessions", { treeDataProvider: provider });
  view.message = t("Sample data. Nothing here is yours.");
  return vscode.Disposable.from(view, provider);
}

class SampleSessions implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #sessions: WindowSessions;
  readonly #listening: vscode.Disposable;

  constructor(sessions: WindowSessions) {
    this.#sessions = sessions;
    this.#listening = sessions.onChange(() => this.#changes.fire());
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const { all } = this.#sessions;
    return node === undefined
      ? projectNodes(all, (session) => this.#sessions.isHere(session))
      : childrenOf(node);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const { label, description, icon, color, tooltip, spoken } = nodeText(node, {
      now: Date.now(),
      t,
      isPinned: () => false,
      isMuted: () => false,
      adviceOf: (session) => this.#sessions.adviceOf(session),
      namesAgents: true,
    });
    const hasParts = childrenOf(node).length > 0;
    const item = new vscode.TreeItem(
      label,
      hasParts ? (node.kind === "project" ? Expanded : Collapsed) : None,
    );
    item.id = `sample ${nodeId(node)}`;
    item.description = description;
    item.iconPath = new vscode.ThemeIcon(
      icon,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
    if (tooltip !== undefined) item.tooltip = tooltip;
    if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
    if (node.kind === "session")
      item.command = {
        command: "purser.openSample",
        title: t("Open in Ledger"),
        arguments: [node.session.id],
      };
    return item;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }
}
