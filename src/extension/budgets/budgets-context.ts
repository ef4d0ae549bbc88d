import type { ProjectBudgets } from "../../engine/budgets/answers.ts";
import type { BudgetMutes } from "./mutes.ts";
import type { BudgetTextOptions } from "./budgets-node-text.ts";
import { distinctProjects } from "./budgets-state.ts";
import type { BudgetsFeed } from "./budgets-feed.ts";
import type { Services } from "../services.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** Context shared by all budget features of a window. */
export interface BudgetsContext {
  readonly services: Services;
  readonly feed: BudgetsFeed;
  readonly mutes: BudgetMutes;
}

/** The window's projects, without duplicates. */
export function projectsOf({ feed }: BudgetsContext): ProjectBudgets[] {
  return distinctProjects(feed.projects ?? []);
}

export function textOptions({ services, mutes }: BudgetsContext, t: Translate): BudgetTextOptions {
  return {
    t,
    titleOf: (id) => services.sessions.find(id)?.title ?? undefined,
    isMuted: (project, convoyId) => mutes.isMuted(project, convoyId),
  };
}
