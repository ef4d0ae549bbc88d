import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { icon } from "./icon.ts";
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

/** A choice beside the filters, and a cross that takes it back. */
export function chip(text: string, clear: () => void): TemplateResult {
  return html`<button class="chip" aria-label=${t("Stop showing only {0}", text)} @click=${clear}>
    ${text}${icon("close")}
  </button>`;
}

/** Names projects by the shortest unique path ends. @param longest characters of a name */
export function projectOptions(paths: readonly string[], longest: number): readonly Option[] {
  const names = shortPaths(paths);
  return paths.map((path) => ({ value: path, name: outsideText(names.get(path) ?? path, longest) }));
}

/** Maximum length of a project's name in the list. Characters. */
const maxProjectLength = 60;

/** Chooses one of the projects, or all. Hidden if there is only one. @param now the chosen project; null for all */
export function projectSelect(
  now: string | null,
  known: readonly string[],
  choose: (project: string | null) => void,
): TemplateResult | typeof nothing {
  const all = now === null || known.includes(now) ? known : [now, ...known];
  if (all.length < 2 && now === null) return nothing;
  return filterSelect(t("Project"), now, projectOptions(all, maxProjectLength), choose);
}

/** Spans that panels can show. Days, today included. */
const spans = [7, 30, 90] as const;
type Span = (typeof spans)[number];

const spanNames: Readonly<Record<Span, string>> = {
  7: t("7 days"),
  30: t("30 days"),
  90: t("90 days"),
};

export function spanSelect(label: string, now: Span, choose: (days: Span) => void): TemplateResult {
  return html`<label class="filter"
    >${label}
    <select
      @change=${({ currentTarget }: Event) => {
        const chosen =
          currentTarget instanceof HTMLSelectElement ? spans[currentTarget.selectedIndex] : undefined;
        if (chosen !== undefined) choose(chosen);
      }}
    >
      ${spans.map((days) => html`<option .selected=${days === now}>${spanNames[days]}</option>`)}
    </select></label
  >`;
}
