import * as vscode from "vscode";
import { budgetNodeText, levelTooltip } from "./budgets-node-text.ts";
import { budgetNodeId, childNodes, rootNodes, type BudgetNode } from "./budgets-tree.ts";
import { describeMode } from "./describe-budgets.ts";
import { hasBudgets } from "./budgets-state.ts";
import { projectsOf, textOptions, type BudgetsContext } from "./budgets-context.ts";

const { t } = vscode.l10n;

/** Registers a tree of this window's budgets and the state of each limit. */
export function registerBudgetsView(context: BudgetsContext): vscode.Disposable {
  const provider = new BudgetsProvider(context);
  const view = vscode.window.createTreeView("purser.budgets", { treeDataProvider: provider });
  const label = () => {
    const modes = new Set(
      projectsOf(context)
        .filter(hasBudgets)
        .map(({ mode }) => mode),
    );
    const [mode] = modes;
    view.description = modes.size === 1 && mode !== undefined ? describeMode(mode, t) : "";
    view.message =
      modes.size === 1 && mode === "off"
        ? t("Budgets are off: usage is counted, but nobody is warned or stopped.")
        : "";
  };
  label();
  return vscode.Disposable.from(view, provider, context.feed.onChange(label));
}

class BudgetsProvider implements vscode.TreeDataProvider<BudgetNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #context: BudgetsContext;
  readonly #owned: vscode.Disposable;
  #last = "";

  constructor(context: BudgetsContext) {
    this.#context = context;
    this.#last = this.#rendered();
    const refresh = () => this.#refresh();
    this.#owned = vscode.Disposable.from(
      context.feed.onChange(refresh),
      context.mutes.onChange(refresh),
      // A session gets its title after its first tokens.
      context.services.sessions.onChange(refresh),
    );
  }

  getChildren(node?: BudgetNode): BudgetNode[] {
    return node === undefined ? rootNodes(projectsOf(this.#context)) : childNodes(node);
  }

  getTreeItem(node: BudgetNode): vscode.TreeItem {
    const text = budgetNodeText(node, textOptions(this.#context, t));
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const isOpen = childNodes(node).length > 0;
    const item = new vscode.TreeItem(text.label, isOpen ? Expanded : None);
    item.id = budgetNodeId(node);
    item.description = text.description;
    item.iconPath = new vscode.ThemeIcon(
      text.icon,
      text.color === undefined ? undefined : new vscode.ThemeColor(text.color),
    );
    item.contextValue = text.contextValue;
    if (text.tooltip !== undefined) item.tooltip = text.tooltip;
    if (text.spoken !== undefined) item.accessibilityInformation = { label: text.spoken };
    if (node.kind === "budget-not-held")
      item.command = { command: "purser.installHooks", title: t("Install Hooks…") };
    if (node.kind === "budget-fault" && node.fault.file !== null)
      item.command = { command: "purser.openBudgetFile", title: t("Open Budget File"), arguments: [node] };
    return item;
  }

  /** Builds a tooltip only for the hovered item. */
  resolveTreeItem(item: vscode.TreeItem, node: BudgetNode): vscode.TreeItem {
    if (node.kind === "budget-level")
      item.tooltip = new vscode.MarkdownString(levelTooltip(node, textOptions(this.#context, t)));
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
    const options = textOptions(this.#context, t);
    const lines = (nodes: readonly BudgetNode[]): unknown[] =>
      nodes.map((node) => [budgetNodeId(node), budgetNodeText(node, options), lines(childNodes(node))]);
    return JSON.stringify(lines(this.getChildren()));
  }
}
