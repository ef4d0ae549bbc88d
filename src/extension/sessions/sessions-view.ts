import * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { TextTree } from "../editor/text-tree.ts";
import { remoteChatNote, type ChatWindow } from "../service/chat-facts.ts";
import { problemSentence, wrongThings } from "./describe-problem.ts";
import { linkTexts } from "../handover/describe-handover.ts";
import { nodeText } from "./sessions-node-text.ts";
import type { Services } from "../services.ts";
import { byUrgency } from "./urgency.ts";
import { childrenOf, nodeId, projectNodes, type TreeNode } from "./sessions-tree.ts";
import { trustedMarkdown } from "./status-bar.ts";
import { sessionTooltip } from "./tooltip.ts";
import { t } from "../../engine/base/language.ts";

/**
 * Registers a tree of projects, sessions and subagents, with the same figures as the status bar.
 *
 * @param rules number of rules that wait for the user, shown as the view's badge
 */
export function registerSessionsView(services: Services, rules: Observable<number>): vscode.Disposable {
  const tree = sessionsTree(services);
  const refresh = () => tree.refresh();
  const view = vscode.window.createTreeView("purser.sessions", { treeDataProvider: tree });
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
    tree,
    services.sessions.onChange(refresh),
    services.mutes.onChange(refresh),
    services.handovers.onChange(refresh),
    services.offers.onChange(refresh),
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

function sessionsTree(services: Services): TextTree<TreeNode> {
  const { sessions, mutes, handovers, offers } = services;
  const rootsOf = () => {
    const urgent = { now: Date.now(), isMuted: ({ id }: SessionSnapshot) => mutes.has(id) };
    return projectNodes(byUrgency(sessions.all, urgent), (session) => sessions.isHere(session));
  };
  const childrenIn = (node: TreeNode) => childrenOf(node, (session) => offers.of(session));
  return new TextTree<TreeNode>({
    rootsOf,
    childrenOf: childrenIn,
    idOf: nodeId,
    textOf: (node) =>
      nodeText(node, {
        now: Date.now(),
        t,
        isPinned: (id) => sessions.pinned === id,
        isMuted: (id) => mutes.has(id),
        linksOf: (id) => linkTexts(handovers.of(id), t),
        namesAgents: new Set(sessions.all.map(({ agent }) => agent)).size > 1,
      }),
    commandOf,
    isExpanded: (node) =>
      node.kind === "project"
        ? node.isHere || node.sessions.some(({ live }) => live)
        : childrenIn(node).some(({ kind }) => kind === "offer"),
    tooltipOf: (node) => (node.kind === "session" ? tooltipOf(node.session, services) : undefined),
    // Some figures of a tooltip change with every response.
    tooltipKey: (node) => (node.kind === "session" ? [node.session.turns, node.session.compactions] : []),
    parentOf: (node) => {
      if (node.kind === "project") return undefined;
      const { session } = node;
      if (node.kind !== "session") return { kind: "session", session };
      return rootsOf().find((project) => project.kind === "project" && project.cwd === (session.cwd ?? ""));
    },
  });
}

function commandOf(node: TreeNode): vscode.Command | undefined {
  if (node.kind !== "offer" && node.kind !== "session") return undefined;
  const command =
    node.kind === "offer"
      ? { command: "purser.continueFrom", title: t("Continue From Last Session…") }
      : { command: "purser.openLedger", title: t("Open Session") };
  return { ...command, arguments: [node.session.id] };
}

async function tooltipOf(
  shown: SessionSnapshot,
  { service, sessions, mutes, offers }: Services,
): Promise<vscode.MarkdownString> {
  const { id } = shown;
  const session = sessions.find(id) ?? shown;
  const asked = session.live ? undefined : await service.ask("sessionScorecard", { session: id });
  const tooltip = sessionTooltip(session, {
    // A service without a ledger has none.
    scorecard: asked?.ok === true ? asked.value.scorecard : null,
    offer: offers.of(session),
    now: Date.now(),
    t,
    isPinned: sessions.pinned === id,
    isMuted: mutes.has(id),
  });
  return trustedMarkdown(tooltip);
}
