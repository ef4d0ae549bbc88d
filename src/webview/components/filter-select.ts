import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { outsideText, shortPaths } from "./outside.ts";

interface Option {
  readonly value: string;
  /** The text of the option. */
  readonly name: string;
}

/** A drop-down list of one value, or all. @param now the chosen value; null for all */
export function filterSelect(
  label: string,
  now: string | null,
  options: readonly Option[],
  choose: (value: string | null) => void,
): TemplateResult {
  return html`<label class="filter"
    >${label}
    <select
      @change=${({ currentTarget }: Event) => {
        // Identify the first option, "All", by its index: a project's name may be empty.
        if (currentTarget instanceof HTMLSelectElement)
          choose(options[currentTarget.selectedIndex - 1]?.value ?? null);
      }}
    >
      <option .selected=${now === null}>${t("All")}</option>
      ${options.map(({ value, name }) => html`<option .selected=${value === now}>${name}</option>`)}
    </select></label
  >`;
}

/** Names projects by the shortest unique path ends. @param longest characters of a name */
export function projectOptions(paths: readonly string[], longest: number): readonly Option[] {
  const names = shortPaths(paths);
  return paths.map((path) => ({ value: path, name: outsideText(names.get(path) ?? path, longest) }));
}
