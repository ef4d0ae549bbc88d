import * as vscode from "vscode";
import { agentTooltip, wakeTooltip } from "./hover-text.ts";
import type { RecurringTextOptions } from "./describe-economy-agents.ts";
import { recurringNodeText } from "./economy-agents-node-text.ts";
import { childNodes, recurringNodeId, rootNodes, type RecurringNode } from "./economy-agents-tree.ts";
import type { RecurringFeed } from "./economy-agents-feed.ts";

const { t } = vscode.l10n;
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
  const { feed, as } = ports;
  const provider = new RecurringProvider(ports);
  const view = vscode.window.createTreeView(as?.id ?? "purser.agents", { treeDataProvider: provider });
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
    provider,
  );
}

class RecurringProvider implements vscode.TreeDataProvider<RecurringNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #feed: RecurringFeed;
  readonly #options: () => RecurringTextOptions;
  readonly #commandOf: (node: RecurringNode) => vscode.Command | undefined;
  readonly #owned: vscode.Disposable;
  #last = "";

  constructor({ feed, options, onChange, as }: RecurringViewPorts) {
    this.#feed = feed;
    this.#commandOf = as?.commandOf ?? commandOf;
    this.#options = options;
    const refresh = () => this.#refresh();
    this.#owned = vscode.Disposable.from(feed.onChange(refresh), onChange(refresh));
  }

  getChildren(node?: RecurringNode): RecurringNode[] {
    return node === undefined ? rootNodes(this.#feed.projects ?? []) : childNodes(node);
  }

  getTreeItem(node: RecurringNode): vscode.TreeItem {
    const text = recurringNodeText(node, this.#options());
    const item = new vscode.TreeItem(text.label, collapsible(node));
    item.id = recurringNodeId(node);
    item.description = text.description;
    item.iconPath = new vscode.ThemeIcon(
      text.icon,
      text.color === undefined ? undefined : new vscode.ThemeColor(text.color),
    );
    item.contextValue = text.contextValue;
    if (text.tooltip !== undefined) item.tooltip = text.tooltip;
    if (text.spoken !== undefined) item.accessibilityInformation = { label: text.spoken };
    const command = this.#commandOf(node);
    if (command !== undefined) item.command = { arguments: [node], ...command };
    return item;
  }

  /** Builds a tooltip only for the hovered item. */
  resolveTreeItem(item: vscode.TreeItem, node: RecurringNode): vscode.TreeItem {
    if (node.kind === "recurring-agent")
      item.tooltip = new vscode.MarkdownString(agentTooltip(node.overview, this.#options()));
    if (node.kind === "recurring-wake")
      item.tooltip = new vscode.MarkdownString(wakeTooltip(node.wake, this.#options()));
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** A refresh redraws the whole tree and drops its tooltips: fire only when an item looks different. */
  #refresh(): void {
    const rendered = this.#rendered();
    if (rendered === this.#last) return;
    this.#last = rendered;
    this.#changes.fire();
  }

  #rendered(): string {
    const lines = (nodes: readonly RecurringNode[]): unknown[] =>
      nodes.map((node) => [
        recurringNodeId(node),
        recurringNodeText(node, this.#options()),
        lines(childNodes(node)),
      ]);
    return JSON.stringify(lines(this.getChildren()));
  }
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

/** The initial state; afterwards the editor remembers by the item's id what the user expanded or collapsed. */
function collapsible(node: RecurringNode): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (childNodes(node).length === 0) return None;
  return node.kind === "recurring-agent" ? Collapsed : Expanded;
}
