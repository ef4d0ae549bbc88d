import * as vscode from "vscode";
import { agentTooltip, wakeTooltip } from "./hover-text.ts";
import { TextTree } from "../../editor/text-tree.ts";
import type { RecurringTextOptions } from "./describe-economy-agents.ts";
import { recurringNodeText } from "./economy-agents-node-text.ts";
import { childNodes, recurringNodeId, rootNodes, type RecurringNode } from "./economy-agents-tree.ts";
import type { RecurringFeed } from "./economy-agents-feed.ts";
import { t } from "../../../engine/base/language.ts";
/** Times in words grow old, and a file's change may not be reported. Milliseconds. */
const renewal = 30_000;

export interface RecurringViewPorts {
  readonly feed: RecurringFeed;
  /** Read each time that something is shown. */
  readonly options: () => RecurringTextOptions;
  /** Listens for other changes of texts than those of the agents' files. */
  readonly onChange: (listener: () => void) => vscode.Disposable;
  /** The view's id, what a click on a node does, and a message above all; those of the window's own agents by default. */
  readonly as?: {
    readonly id: string;
    readonly commandOf: (node: RecurringNode) => vscode.Command | undefined;
    readonly message: string;
  };
}

/** Registers a tree of this window's recurring agents. */
export function registerRecurringView(ports: RecurringViewPorts): vscode.Disposable {
  const { feed, as, options } = ports;
  const { commandOf: act = commandOf } = as ?? {};
  const tree = new TextTree<RecurringNode>({
    rootsOf: () => rootNodes(feed.projects ?? []),
    childrenOf: childNodes,
    idOf: recurringNodeId,
    textOf: (node) => recurringNodeText(node, options()),
    commandOf: (node) => {
      const command = act(node);
      return command && { arguments: [node], ...command };
    },
    isExpanded: ({ kind }) => kind !== "recurring-agent",
    tooltipOf: (node) => tooltipOf(node, options()),
  });
  const refresh = () => tree.refresh();
  const view = vscode.window.createTreeView(as?.id ?? "purser.agents", { treeDataProvider: tree });
  if (as !== undefined) view.message = as.message;
  let clock: NodeJS.Timeout | undefined;
  const follow = (isVisible: boolean) => {
    clearInterval(clock);
    clock = isVisible ? setInterval(() => feed.soon(), renewal) : undefined;
  };
  follow(view.visible);
  return vscode.Disposable.from(
    { dispose: () => follow(false) },
    view.onDidChangeVisibility(({ visible }) => {
      follow(visible);
      if (visible) feed.soon();
    }),
    view,
    tree,
    feed.onChange(refresh),
    ports.onChange(refresh),
  );
}

function tooltipOf(node: RecurringNode, options: RecurringTextOptions): vscode.MarkdownString | undefined {
  if (node.kind === "recurring-agent") return new vscode.MarkdownString(agentTooltip(node.overview, options));
  return node.kind === "recurring-wake"
    ? new vscode.MarkdownString(wakeTooltip(node.wake, options))
    : undefined;
}

/** Returns the command that a click runs. */
function commandOf(node: RecurringNode): vscode.Command | undefined {
  switch (node.kind) {
    case "recurring-fault":
      return { command: "purser.openAgentFile", title: t("Open Agent File") };
    case "recurring-session":
    case "recurring-wake":
      return { command: "purser.openAgentSession", title: t("Open Agent Session") };
    case "recurring-project":
    case "recurring-agent":
    case "recurring-sessions":
    case "recurring-wakes":
      return undefined;
  }
}
