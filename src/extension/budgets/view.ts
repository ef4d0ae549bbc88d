import * as vscode from "vscode";
import { budgetNodeText, levelTooltip } from "./node-text.ts";
import { budgetNodeId, childNodes, rootNodes, type BudgetNode } from "./tree.ts";
import { modeInWords } from "./words.ts";
import { hasBudgets } from "./state.ts";
import { projectsOf, textOptions, type BudgetsDesk } from "./context.ts";

const { t } = vscode.l10n;

/** Registers a tree of this window's budgets and the state of each limit. */
export function registerBudgetsView(desk: BudgetsDesk): vscode.Disposable {
  const provider = new BudgetsProvider(desk);
  const view = vscode.window.createTreeView("purser.budgets", { treeDataProvider: provider });
  const label = () => {
    const modes = new Set(
      projectsOf(desk)
        .filter(hasBudgets)
        .map(({ mode }) => mode),
    );
    const [mode] = modes;
    view.description = modes.size === 1 && mode !== undefined ? modeInWords(mode, t) : "";
    view.message =
      modes.size === 1 && mode === "off"
        ? t("Budgets are off: what is used is counted, and nobody is warned or stopped.")
        : "";
  };
  label();
  return vscode.Disposable.from(view, provider, desk.feed.onChange(label));
}

class BudgetsProvider implements vscode.TreeDataProvider<BudgetNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #desk: BudgetsDesk;
  readonly #owned: vscode.Disposable;
  #last = "";

  constructor(desk: BudgetsDesk) {
    this.#desk = desk;
    this.#last = this.#looks();
    const refresh = () => this.#refresh();
    this.#owned = vscode.Disposable.from(
      desk.feed.onChange(refresh),
      desk.mutes.onChange(refresh),
      // A session gets its title after its first tokens.
      desk.services.sessions.onChange(refresh),
    );
  }

  getChildren(node?: BudgetNode): BudgetNode[] {
    return node === undefined ? rootNodes(projectsOf(this.#desk)) : childNodes(node);
  }

  getTreeItem(node: BudgetNode): vscode.TreeItem {
    const text = budgetNodeText(node, textOptions(this.#desk, t));
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
      item.tooltip = new vscode.MarkdownString(levelTooltip(node, textOptions(this.#desk, t)));
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** A refresh redraws the whole tree and drops its tooltips: fire only when an item looks different. */
  #refresh(): void {
    const looks = this.#looks();
    if (looks === this.#last) return;
    this.#last = looks;
    this.#changes.fire();
  }

  #looks(): string {
    const options = textOptions(this.#desk, t);
    const lines = (nodes: readonly BudgetNode[]): unknown[] =>
      nodes.map((node) => [budgetNodeId(node), budgetNodeText(node, options), lines(childNodes(node))]);
    return JSON.stringify(lines(this.getChildren()));
  }
}
