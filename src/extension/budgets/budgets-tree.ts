import type { LevelName } from "../../engine/budgets/budget.ts";
import type { BudgetLevel, ConvoyBudget, ProjectBudgets } from "../../engine/budgets/budgets-answers.ts";
import { kindOf } from "../editor/node-text.ts";
import { hasBudgets } from "./budgets-state.ts";

/** A node of the Budgets view. */
export type BudgetNode =
  | { readonly kind: "budget-project"; readonly project: ProjectBudgets }
  | {
      readonly kind: "budget-fault";
      readonly project: ProjectBudgets;
      readonly fault: ProjectBudgets["faults"][number];
    }
  | {
      readonly kind: "budget-stray";
      readonly project: ProjectBudgets;
      readonly stray: ProjectBudgets["strays"][number];
    }
  | { readonly kind: "budget-not-held"; readonly project: ProjectBudgets }
  | { readonly kind: "budget-convoy"; readonly project: ProjectBudgets; readonly convoy: ConvoyBudget }
  | {
      readonly kind: "budget-level";
      readonly project: ProjectBudgets;
      readonly convoy: ConvoyBudget;
      readonly level: BudgetLevel;
      /** Number of a run, to distinguish runs of one agent with equal names. */
      readonly nth: number;
    };

/** The view passes its own nodes to the commands in its menus. */
export function isBudgetNode(target: unknown): target is BudgetNode {
  return kindOf(target).startsWith("budget-");
}

/** A single project gets no separate node. */
export function rootNodes(projects: readonly ProjectBudgets[]): BudgetNode[] {
  const held = projects.filter(hasBudgets);
  const [only] = held;
  return held.length === 1 && only !== undefined
    ? inProject(only)
    : held.map((project) => ({ kind: "budget-project", project }));
}

/** Widest limit first. */
const order: Readonly<Record<LevelName, number>> = { project: 0, convoy: 1, agent: 2, session: 3 };

export function childNodes(node: BudgetNode): BudgetNode[] {
  switch (node.kind) {
    case "budget-project":
      return inProject(node.project);
    case "budget-convoy": {
      const { project, convoy } = node;
      const levels = convoy.levels.toSorted(
        (one, other) => order[one.level] - order[other.level] || other.percent - one.percent,
      );
      const seen = new Map<string, number>();
      return levels.map((level) => {
        const key = levelKey(level);
        const nth = seen.get(key) ?? 0;
        seen.set(key, nth + 1);
        return { kind: "budget-level", project, convoy, level, nth };
      });
    }
    case "budget-fault":
    case "budget-stray":
    case "budget-not-held":
    case "budget-level":
      return [];
  }
}

/** Damaged files come first: nothing else is known until they are fixed. */
function inProject(project: ProjectBudgets): BudgetNode[] {
  return [
    ...project.faults.map((fault) => ({ kind: "budget-fault" as const, project, fault })),
    ...project.convoys.map((convoy) => ({ kind: "budget-convoy" as const, project, convoy })),
    ...(project.notHeld.length === 0 ? [] : [{ kind: "budget-not-held" as const, project }]),
    ...project.strays.map((stray) => ({ kind: "budget-stray" as const, project, stray })),
  ];
}

/** Stays the same while figures change, so that the view keeps its selection and expanded nodes. */
export function budgetNodeId(node: BudgetNode): string {
  const { project } = node.project;
  switch (node.kind) {
    case "budget-project":
      return `project ${project}`;
    case "budget-fault":
      return `fault ${project} ${node.fault.file ?? node.fault.detail.text}`;
    case "budget-stray":
      return `stray ${project} ${node.stray.file}`;
    case "budget-not-held":
      return `not held ${project}`;
    case "budget-convoy":
      return `convoy ${project} ${node.convoy.convoyId}`;
    case "budget-level":
      return `level ${project} ${node.convoy.convoyId} ${levelKey(node.level)} ${node.nth}`;
  }
}

function levelKey({ level, who, sessionId, period, since }: BudgetLevel): string {
  return [level, who ?? "", sessionId ?? "", period, since ?? ""].join(" ");
}
