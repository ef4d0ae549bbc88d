import { nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import type { ReportView } from "../../engine/rules/answers.ts";
import { filterSelect, projectOptions } from "../components/filter-select.ts";

const longestOption = 60; // characters

/** Chooses the project whose runs are shown. Hidden when there is only one. */
export function projectSelect(
  { project, projects }: ReportView,
  choose: (project: string | null) => void,
): TemplateResult | typeof nothing {
  const known = projects.map((each) => each.project).filter((each) => each !== "unknown");
  const all = project === null || known.includes(project) ? known : [project, ...known];
  if (all.length < 2 && project === null) return nothing;
  return filterSelect(t("Project"), project, projectOptions(all, longestOption), choose);
}
