import type { ProjectBudgets } from "../../engine/budgets/budgets-answers.ts";
import { noBadge, type BudgetBadge } from "../sessions/status-text.ts";
import { levelLabel } from "./budgets-node-text.ts";
import { distinctProjects, presentLevels, worst, type HeldLevel } from "./budgets-state.ts";
import { limitPercent } from "../../engine/base/local-format.ts";
import { levelFigures, levelName, spokenFigures } from "./describe-budgets.ts";
import { inMarkdown } from "../editor/outside-text.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** Nobody reads a longer tooltip; the view lists every limit. */
const maxRows = 3;
const maxLength = 60;

export interface StatusBarOptions {
  readonly t: Translate;
  readonly isLive: (sessionId: string) => boolean;
  readonly titleOf: (sessionId: string) => string | undefined;
}

/**
 * What the status bar shows about budgets: a colour for the worst limit, and a row for each limit that is
 * near. If none is near, it shows the fullest.
 */
export function budgetBadge(ofFolders: readonly ProjectBudgets[], options: StatusBarOptions): BudgetBadge {
  const { t, isLive } = options;
  const projects = distinctProjects(ofFolders);
  const foldersOf = (project: string) =>
    ofFolders.filter((each) => each.project === project).map(({ folder }) => folder);
  const levels = presentLevels(projects, isLive);
  const first = worst(levels);
  const faults = projects.filter(({ mode, faults: each }) => mode !== "off" && each.length > 0);
  if (first === undefined && faults.length === 0) return noBadge;
  const rows = projects.flatMap(({ project }) => {
    const own = levels.filter((held) => held.project.project === project);
    const near = own.filter(({ level }) => level.state !== "ok");
    const shown = near.length > 0 ? inOrder(near).slice(0, maxRows) : inOrder(own).slice(0, 1);
    return shown.map((held) => ({ folders: foldersOf(project), cells: rowOf(held, options) }));
  });
  const broken = faults.map(({ project }) => ({
    folders: foldersOf(project),
    cells: [t("Budget"), t("unknown"), t("one of its files cannot be read")] as const,
  }));
  const severity =
    faults.length > 0 || first?.level.state === "exceeded"
      ? "error"
      : first?.level.state === "warning"
        ? "warning"
        : "default";
  return {
    severity,
    text: shortText(first, faults.length > 0, options),
    spoken: spoken(first, faults.length > 0, options),
    rows: [...broken, ...rows],
  };
}

function shortText(first: HeldLevel | undefined, isBroken: boolean, { t }: StatusBarOptions): string {
  if (isBroken) return t("budget unreadable");
  if (first === undefined || first.level.state === "ok") return "";
  return t("{0} of the budget", limitPercent(first.level.percent));
}

function inOrder(levels: readonly HeldLevel[]): HeldLevel[] {
  const rest = [...levels];
  const sorted: HeldLevel[] = [];
  for (let next = worst(rest); next !== undefined; next = worst(rest)) {
    sorted.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return sorted;
}

function rowOf({ convoy, level }: HeldLevel, options: StatusBarOptions): readonly [string, string, string] {
  const { t } = options;
  const label =
    level.level === "convoy" ? `${levelName("convoy", t)} ${convoy.convoyId}` : levelLabel(level, options);
  return [t("Budget"), levelFigures(level, t), inMarkdown(label, maxLength)];
}

function spoken(first: HeldLevel | undefined, isBroken: boolean, options: StatusBarOptions): string {
  const { t } = options;
  if (isBroken) return t("a budget cannot be read");
  if (first === undefined || first.level.state === "ok") return "";
  return t("budget: {0}, {1}", levelLabel(first.level, options), spokenFigures(first.level, t));
}
