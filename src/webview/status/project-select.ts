import { html, nothing, type TemplateResult } from "lit";
import type { ReportView } from "../../engine/service/rules-view.ts";
import { outsideText } from "../components/outside.ts";
import { shortPaths } from "../components/paths.ts";

const longestOption = 60; // characters

/** Whose runs are shown. Where there is one project there is nothing to choose. */
export function projectSelect(
  { project, projects }: ReportView,
  choose: (project: string | null) => void,
): TemplateResult | typeof nothing {
  const known = projects.map((each) => each.project).filter((each) => each !== "unknown");
  const all = project === null || known.includes(project) ? known : [project, ...known];
  if (all.length < 2 && project === null) return nothing;
  const names = shortPaths(all);
  return html`<label class="narrow"
    >Project
    <select
      @change=${({ currentTarget }: Event) => {
        // The first option is all of them.
        if (currentTarget instanceof HTMLSelectElement) choose(all[currentTarget.selectedIndex - 1] ?? null);
      }}
    >
      <option .selected=${project === null}>All</option>
      ${all.map(
        (value) =>
          html`<option .selected=${value === project}>
            ${outsideText(names.get(value) ?? value, longestOption)}
          </option>`,
      )}
    </select></label
  >`;
}
