import type { ProjectBudgets } from "../engine/service/budget-protocol.ts";
import type { BudgetMutes } from "./budget-mutes.ts";
import type { BudgetTextOptions } from "./budget-node-text.ts";
import { distinctProjects } from "./budget-state.ts";
import type { BudgetsFeed } from "./budgets-feed.ts";
import type { Services } from "./services.ts";
import type { Translate } from "./words.ts";

/** What everything about budgets shares in a window. */
export interface BudgetsDesk {
  readonly services: Services;
  readonly feed: BudgetsFeed;
  readonly mutes: BudgetMutes;
}

/** Each project of the window once. */
export function projectsOf({ feed }: BudgetsDesk): ProjectBudgets[] {
  return distinctProjects(feed.projects ?? []);
}

export function textOptions({ services, mutes }: BudgetsDesk, t: Translate): BudgetTextOptions {
  return {
    t,
    titleOf: (id) => services.sessions.find(id)?.title ?? undefined,
    isMuted: (project, convoyId) => mutes.isMuted(project, convoyId),
  };
}
