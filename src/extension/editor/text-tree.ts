import * as vscode from "vscode";
import type { NodeText } from "./node-text.ts";

type Tooltip = vscode.MarkdownString | undefined;

export interface TreeParts<Node> {
  readonly rootsOf: () => readonly Node[];
  readonly childrenOf: (node: Node) => readonly Node[];
  /** Stays the same while figures change, so that the view keeps its selection and expanded nodes. */
  readonly idOf: (node: Node) => string;
  readonly textOf: (node: Node) => NodeText;
  readonly commandOf: (node: Node) => vscode.Command | undefined;
  /** Whether a node with children is expanded at first; the editor remembers what the user changes. */
  readonly isExpanded: (node: Node) => boolean;
  /** Builds a tooltip only for the hovered item. */
  readonly tooltipOf?: (node: Node) => Tooltip | Promise<Tooltip>;
  /** Figures of the tooltip: the item is drawn again when they change. */
  readonly tooltipKey?: (node: Node) => unknown;
  /** Needed to reveal a node. */
  readonly parentOf?: (node: Node) => Node | undefined;
}

/** The tree of a view with text items. */
export class TextTree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  /** Absent where no item has a tooltip of its own: the editor then shows the label. */
  readonly resolveTreeItem?: (item: vscode.TreeItem, node: Node) => Promise<vscode.TreeItem>;
  readonly #parts: TreeParts<Node>;
  #last: string;

  constructor(parts: TreeParts<Node>) {
    this.#parts = parts;
    const { tooltipOf } = parts;
    if (tooltipOf !== undefined)
      this.resolveTreeItem = async (item, node) => {
        const tooltip = await tooltipOf(node);
        if (tooltip !== undefined) item.tooltip = tooltip;
        return item;
      };
    this.#last = this.#rendered();
  }

  getChildren(node?: Node): Node[] {
    return [...(node === undefined ? this.#parts.rootsOf() : this.#parts.childrenOf(node))];
  }

  getParent(node: Node): Node | undefined {
    return this.#parts.parentOf?.(node);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { childrenOf, textOf, idOf, commandOf, isExpanded } = this.#parts;
    const { label, description, icon, color, contextValue, tooltip, spoken } = textOf(node);
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const opened = isExpanded(node) ? Expanded : Collapsed;
    const item = new vscode.TreeItem(label, childrenOf(node).length === 0 ? None : opened);
    item.id = idOf(node);
    item.description = description;
    item.iconPath = new vscode.ThemeIcon(
      icon,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
    item.contextValue = contextValue;
    if (tooltip !== undefined) item.tooltip = tooltip;
    if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
    const command = commandOf(node);
    if (command !== undefined) item.command = command;
    return item;
  }

  /** Redrawing drops the tree's tooltips, so it is done only when an item looks different. */
  refresh(): void {
    const rendered = this.#rendered();
    if (rendered === this.#last) return;
    this.#last = rendered;
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #rendered(): string {
    const { childrenOf, idOf, textOf, tooltipKey, rootsOf } = this.#parts;
    const lines = (nodes: readonly Node[]): unknown[] =>
      nodes.map((node) => [idOf(node), textOf(node), tooltipKey?.(node), lines(childrenOf(node))]);
    return JSON.stringify(lines(rootsOf()));
  }
}
