import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../../engine/base/language.ts";
import type { FamilyMode, GuardFamily, GuardMode, GuardView } from "../../engine/guard/guard-answers.ts";
import { sum } from "../components/charts/series.ts";
import "../components/section.ts";
import { numberCell, column, numberColumn, extra } from "../components/table/table-cells.ts";
import { dataTable } from "../components/table/table.ts";
import { inSentence } from "../components/sentences.ts";
import type { RenderContext } from "./guard-model.ts";
import { canBeRequired, isNotJudged } from "../../engine/guard/guard-answers.ts";
import { familyNames, familySentences, isFamily, modeNames, modeSentences, notes } from "./describe-guard.ts";

const modes: readonly FamilyMode[] = ["observe", "on", "required", "off"];
/** For families that only advise agents, and for all families together. */
const plainModes = modes.filter((mode) => mode !== "required");

/** Lists families with their modes, which can be changed in place, and explains each mode. */
export function modeSection(context: RenderContext, view: GuardView): TemplateResult {
  const { all, families } = view.modes;
  const rows = Object.keys(familyNames)
    .filter(isFamily)
    .map((family) => ({
      key: family,
      cells: [
        {
          content: () =>
            html`${familyNames[family]} <span class="quiet about">${familySentences[family]}</span>`,
          sort: familyNames[family],
        },
        {
          content: () =>
            modeSelect(context, {
              label: t("Mode of {0}", familyNames[family]),
              family,
              now: families[family] ?? null,
              all,
            }),
          sort: families[family] ?? all,
        },
        numberCell(rulesOf(context, family)),
        numberCell(
          sum(
            view.counts
              .filter((each) => each.family === family && !isNotJudged(each))
              .map(({ count }) => count),
          ),
        ),
      ],
    }));
  const headings = [
    column(t("Family")),
    column(t("Mode")),
    extra(numberColumn(t("Rules"))),
    numberColumn(t("Fired"), t("Calls on which a rule of the family fired in this time")),
  ];
  return html`<purser-section heading=${t("Modes")} note=${notes.modes}>
    <div slot="actions">
      <label class="filter"
        >${t("All families")}
        ${modeSelect(context, { label: t("Mode of all families"), family: null, now: all, all })}</label
      >
    </div>
    <dl class="modes">
      ${modes.map(
        (mode) =>
          html`<div>
            <dt>${modeNames[mode]}</dt>
            <dd>${modeSentences[mode]}</dd>
          </div>`,
      )}
    </dl>
    ${dataTable({ label: t("Modes of families"), headings, rows })}
  </purser-section>`;
}

function rulesOf({ model }: RenderContext, family: GuardFamily): number | null {
  return model.rules?.book.rules.filter((rule) => rule.family === family).length ?? null;
}

interface Choice {
  /** The name for screen readers. */
  readonly label: string;
  /** Null for all. */
  readonly family: GuardFamily | null;
  /** Null for the mode of all. */
  readonly now: FamilyMode | null;
  readonly all: GuardMode;
}

function modeSelect({ actions }: RenderContext, { label, family, now, all }: Choice): TemplateResult {
  const own = family !== null && canBeRequired(family) ? modes : plainModes;
  const choices = family === null ? own : [null, ...own];
  return html`<select
    aria-label=${family === null ? nothing : label}
    @change=${({ currentTarget }: Event) => {
      if (currentTarget instanceof HTMLSelectElement)
        actions.setMode(family, choices[currentTarget.selectedIndex] ?? null);
    }}
  >
    ${choices.map(
      (mode) =>
        // The editor's settings decide what is chosen, not the click: a change may fail.
        html`<option .selected=${live(mode === now)}>
          ${mode === null ? t("Default ({0})", inSentence(modeNames[all])) : modeNames[mode]}
        </option>`,
    )}
  </select>`;
}
