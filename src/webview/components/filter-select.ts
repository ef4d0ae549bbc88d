import { html, type TemplateResult } from "lit";
import { outsideText } from "./outside.ts";
import { shortPaths } from "./paths.ts";

interface Option {
  readonly value: string;
  /** Shown in its place. */
  readonly name: string;
}

/** A list to choose one of, or all. @param now what is chosen; null for all */
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
        // The index tells the first option, all of them, from a project without a name.
        if (currentTarget instanceof HTMLSelectElement)
          choose(options[currentTarget.selectedIndex - 1]?.value ?? null);
      }}
    >
      <option .selected=${now === null}>All</option>
      ${options.map(({ value, name }) => html`<option .selected=${value === now}>${name}</option>`)}
    </select></label
  >`;
}

/** Projects by the shortest ends of their paths that tell them apart. @param longest characters of a name */
export function projectOptions(paths: readonly string[], longest: number): readonly Option[] {
  const names = shortPaths(paths);
  return paths.map((path) => ({ value: path, name: outsideText(names.get(path) ?? path, longest) }));
}
