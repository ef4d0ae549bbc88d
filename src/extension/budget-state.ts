import type { BudgetLevel, ConvoyBudget, ProjectBudgets } from "../engine/service/budget-protocol.ts";

/** A limit together with whose it is. */
export interface HeldLevel {
  readonly project: ProjectBudgets;
  readonly convoy: ConvoyBudget;
  readonly level: BudgetLevel;
}

/** Two folders of a window may be in one project: each project once. */
export function distinctProjects(projects: readonly ProjectBudgets[]): ProjectBudgets[] {
  return [...new Map(projects.map((each) => [each.project, each])).values()];
}

/** Whether there is anything to show of a project. */
export function hasBudgets({ convoys, faults }: ProjectBudgets): boolean {
  return convoys.length + faults.length > 0;
}

export function heldLevels(projects: readonly ProjectBudgets[]): HeldLevel[] {
  return projects.flatMap((project) =>
    project.convoys.flatMap((convoy) => convoy.levels.map((level) => ({ project, convoy, level }))),
  );
}

const order = { ok: 0, warning: 1, exceeded: 2 };

/** The one that needs a person most: passed before near, then by share; undefined of none. */
export function worst(levels: readonly HeldLevel[]): HeldLevel | undefined {
  return levels.toSorted(
    (one, other) =>
      order[other.level.state] - order[one.level.state] || other.level.percent - one.level.percent,
  )[0];
}

/**
 * The limits that say how things stand now. A session that has ended spends nothing any more, and of runs nobody knows which goes
 * on: those are told in the view.
 */
export function presentLevels(
  projects: readonly ProjectBudgets[],
  isLive: (sessionId: string) => boolean,
): HeldLevel[] {
  return heldLevels(projects.filter(({ mode }) => mode !== "off")).filter(({ level }) => {
    if (level.level === "session") return level.who !== null && isLive(level.who);
    return level.period !== "run";
  });
}
