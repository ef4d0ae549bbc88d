import * as vscode from "vscode";
import { budgetNodeText, levelTooltip } from "./budgets-node-text.ts";
import { budgetNodeId, childNodes, rootNodes, type BudgetNode } from "./budgets-tree.ts";
import { describeMode } from "./describe-budgets.ts";
import { hasBudgets } from "./budgets-state.ts";
import { TextTree } from "../editor/text-tree.ts";
import { projectsOf, textOptions, type BudgetsContext } from "./budgets-context.ts";
import { t } from "../../engine/base/language.ts";

/** Registers a tree of this window's budgets and the state of each limit. */
export function registerBudgetsView(context: BudgetsContext): vscode.Disposable {
  const tree = budgetsTree(context);
  const view = vscode.window.createTreeView("purser.budgets", { treeDataProvider: tree });
  const refresh = () => tree.refresh();
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
  return vscode.Disposable.from(
    view,
    tree,
    context.feed.onChange(label),
    context.feed.onChange(refresh),
    context.mutes.onChange(refresh),
    // A session gets its title after its first tokens.
    context.services.sessions.onChange(refresh),
  );
}

function budgetsTree(context: BudgetsContext): TextTree<BudgetNode> {
  return new TextTree<BudgetNode>({
    rootsOf: () => rootNodes(projectsOf(context)),
    childrenOf: childNodes,
    idOf: budgetNodeId,
    textOf: (node) => budgetNodeText(node, textOptions(context, t)),
    commandOf,
    isExpanded: () => true,
    tooltipOf: (node) =>
      node.kind === "budget-level"
        ? new vscode.MarkdownString(levelTooltip(node, textOptions(context, t)))
        : undefined,
  });
}

function commandOf(node: BudgetNode): vscode.Command | undefined {
  if (node.kind === "budget-not-held") return { command: "purser.installHooks", title: t("Install Hooks…") };
  return node.kind === "budget-fault" && node.fault.file !== null
    ? { command: "purser.openBudgetFile", title: t("Open Budget File"), arguments: [node] }
    : undefined;
}
