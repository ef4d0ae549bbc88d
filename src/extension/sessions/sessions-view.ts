import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { Scorecard } from "../../engine/continuity/answers.ts";
import { remoteChatNote, type ChatWindow } from "../service/chat-facts.ts";
import { problemSentence, wrongThings } from "./describe-problem.ts";
import { linkTexts } from "../handover/describe-handover.ts";
import { nodeText, type NodeText } from "./sessions-node-text.ts";
import type { Services } from "../services.ts";
import { childrenOf, nodeId, projectNodes, type TreeNode } from "./sessions-tree.ts";
import { trustedMarkdown } from "../editor/trusted-markdown.ts";
import { sessionTooltip } from "./tooltip.ts";

const { t } = vscode.l10n;

/**
 * Registers a tree of projects, sessions and subagents, with the same figures as the status bar.
 *
 * @param rules number of rules that wait for the user, shown as the view's badge
 */
export function registerSessionsView(services: Services, rules: Observable<number>): vscode.Disposable {
  const provider = new SessionsProvider(services);
  const view = vscode.window.createTreeView("purser.sessions", { treeDataProvider: provider });
  const reveal = async (id?: unknown) => {
    await vscode.commands.executeCommand("purser.sessions.focus");
    const session = typeof id === "string" ? services.sessions.find(id) : services.sessions.shown;
    if (session !== undefined) await view.reveal({ kind: "session", session }, { select: true, focus: true });
  };
  const showWaiting = () => {
    const { value } = rules;
    const tooltip = value === 1 ? t("One rule waits for you") : t("{0} rules wait for you", value);
    view.badge = value === 0 ? undefined : { value, tooltip };
  };
  const showNote = () => {
    const { state } = services.link;
    const [problem] = state.kind === "ready" ? wrongThings(state.snapshot) : [];
    const note =
      problem?.kind === "ledger"
        ? problemSentence(problem, t)
        : (remoteChatNote(chatWindow(services), vscode.UIKind.Desktop, t) ?? "");
    if (view.message !== note) view.message = note;
  };
  return vscode.Disposable.from(
    rules.onChange(showWaiting),
    services.sessions.onChange(showNote),
    view,
    provider,
    vscode.commands.registerCommand("purser.showSessions", reveal),
  );
}

function chatWindow({ sessions }: Services): ChatWindow {
  return {
    remoteName: vscode.env.remoteName,
    uiKind: vscode.env.uiKind,
    hasCopilot: vscode.extensions.getExtension("GitHub.copilot-chat") !== undefined,
    logged: sessions.all.filter(({ agent }) => agent === "vscode-chat").length,
  };
}

class SessionsProvider implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #services: Services;
  readonly #owned: vscode.Disposable;
  #last = "";

  constructor(services: Services) {
    this.#services = services;
    this.#last = this.#rendered();
    this.#owned = vscode.Disposable.from(
      services.sessions.onChange(() => this.#refresh()),
      services.mutes.onChange(() => this.#refresh()),
      services.handovers.onChange(() => this.#refresh()),
      services.offers.onChange(() => this.#refresh()),
    );
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const { sessions } = this.#services;
    return node === undefined
      ? projectNodes(sessions.all, (session) => sessions.isHere(session))
      : this.#children(node);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node.kind === "project") return undefined;
    if (node.kind !== "session") return { kind: "session", session: node.session };
    return this.getChildren().find(
      (project) => project.kind === "project" && project.cwd === (node.session.cwd ?? ""),
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const text = this.#describe(node);
    const item = new vscode.TreeItem(text.label, collapsible(node, this.#children(node)));
    item.id = nodeId(node);
    item.description = text.description;
    item.iconPath = new vscode.ThemeIcon(
      text.icon,
      text.color === undefined ? undefined : new vscode.ThemeColor(text.color),
    );
    item.contextValue = text.contextValue;
    if (node.kind === "offer")
      item.command = {
        command: "purser.continueFrom",
        title: t("Continue From Last Session…"),
        arguments: [node.session.id],
      };
    if (node.kind === "session")
      item.command = {
        command: "purser.openLedger",
        title: t("Open Ledger"),
        arguments: [node.session.id],
      };
    if (text.tooltip !== undefined) item.tooltip = text.tooltip;
    if (text.spoken !== undefined) item.accessibilityInformation = { label: text.spoken };
    return item;
  }

  /** Builds a tooltip only for the hovered item. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (node.kind !== "session") return item;
    const { sessions, mutes, offers } = this.#services;
    const { id } = node.session;
    const session = sessions.find(id) ?? node.session;
    const scorecard = session.live ? null : await this.#scorecardOf(id);
    const tooltip = sessionTooltip(session, {
      scorecard,
      offer: offers.of(session),
      now: Date.now(),
      t,
      adviceOf: (each) => sessions.adviceOf(each),
      isPinned: sessions.pinned === id,
      isMuted: mutes.has(id),
    });
    item.tooltip = trustedMarkdown(tooltip);
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** The scorecard of an ended session. A service without a ledger has none. */
  async #scorecardOf(session: string): Promise<Scorecard | null> {
    const asked = await this.#services.service.ask("sessionScorecard", { session });
    return asked.ok ? asked.value.scorecard : null;
  }

  /** A refresh redraws the whole tree and drops its tooltips: fire only when an item looks different. */
  #refresh(): void {
    const rendered = this.#rendered();
    if (rendered === this.#last) return;
    this.#last = rendered;
    this.#changes.fire();
  }

  /** A tooltip has more figures than its item; some of them change with every response. */
  #rendered(): string {
    const lines = (nodes: readonly TreeNode[]): unknown[] =>
      nodes.map((node) => [
        nodeId(node),
        this.#describe(node),
        node.kind === "session" ? [node.session.turns, node.session.compactions] : [],
        lines(this.#children(node)),
      ]);
    return JSON.stringify(lines(this.getChildren()));
  }

  #children(node: TreeNode): TreeNode[] {
    return childrenOf(node, (session) => this.#services.offers.of(session));
  }

  #describe(node: TreeNode): NodeText {
    const { sessions, mutes, handovers } = this.#services;
    return nodeText(node, {
      now: Date.now(),
      t,
      isPinned: (id) => sessions.pinned === id,
      isMuted: (id) => mutes.has(id),
      adviceOf: (each) => sessions.adviceOf(each),
      linksOf: (id) => linkTexts(handovers.of(id), t),
      namesAgents: new Set(sessions.all.map(({ agent }) => agent)).size > 1,
    });
  }
}

/**
 * The initial state; afterwards the editor remembers by the item's id what the user expanded or collapsed.
 */
function collapsible(node: TreeNode, children: readonly TreeNode[]): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case "project":
      return node.isHere || node.sessions.some(({ live }) => live) ? Expanded : Collapsed;
    case "session":
      if (children.some(({ kind }) => kind === "offer")) return Expanded;
      return children.length > 0 ? Collapsed : None;
    case "offer":
    case "subagent":
      return None;
  }
}
