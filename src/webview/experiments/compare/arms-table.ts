import { confidenceLevel } from "../../../engine/base/confidence.ts";
import { inWords, plural, t } from "../../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { dollarAmount, percent, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import type { ArmView, ComparisonView } from "../../../engine/jobs/compare-answers.ts";
import { differencePlot } from "../../components/charts/difference-plot.ts";
import { againstBefore } from "../../components/figures.ts";
import { icon } from "../../components/icon.ts";
import { outside } from "../../components/outside.ts";
import "../../components/section.ts";
import { absentCell, textCell, column, numberColumn, extra } from "../../components/table/table-cells.ts";
import type { Cell } from "../../components/table/table-rows.ts";
import { tableToggle, type Heading, dataTable } from "../../components/table/table.ts";
import type { RenderContext } from "../experiments-model.ts";
import { decisions, endSentence, notes, shareAgainstBefore } from "./describe-compare.ts";
import { differencesOf } from "./differences.ts";
import { sidesTable } from "./sides-table.ts";
import { verdictSentence } from "../../components/sentences.ts";

const label = t("New tokens of a completed run with each change, compared with the unchanged agent");

/** Shows a row an arm, and what each settled one is based on. */
export function armsSections({ tables, actions }: RenderContext, arms: readonly ArmView[]): TemplateResult {
  const key = "arms";
  const isPlot = tables.has(key);
  return html`<purser-section heading=${t("Changes")} note=${notes.arms}>
      <div slot="actions">${tableToggle(!isPlot, t("changes"), () => actions.toggleTable(key))}</div>
      ${isPlot ? differencePlot(label, arms.map(plotRow)) : armTable(arms)}
    </purser-section>
    ${arms.map(({ label: name, result }) =>
      result === null
        ? nothing
        : html`<purser-section heading=${inWords(name)} note=${notes.sides}
            >${evidence(result)}</purser-section
          >`,
    )}`;
}

function plotRow(arm: ArmView) {
  const saved = savedOf(arm);
  return {
    name: inWords(arm.label),
    saved,
    why: t("nothing is comparable yet"),
    flag: null,
    isWhole: false,
  };
}

function savedOf({ looks, result }: ArmView): ComparisonView["saving"] {
  return result === null ? (looks.at(-1)?.saving ?? null) : result.saving;
}

function armTable(arms: readonly ArmView[]): TemplateResult {
  const headings: Heading[] = [
    column(t("Change")),
    column(t("Verdict")),
    column(t("State")),
    numberColumn(t("USD a run"), t("At list prices, compared with the unchanged agent")),
    numberColumn(t("Tokens a run"), label),
    numberColumn(t("From")),
    numberColumn(t("To")),
    numberColumn(t("Share")),
    extra(numberColumn(t("Passed"), t("Runs whose check passed, with the change"))),
    extra(numberColumn(t("Tokens spent"), t("Of its own runs, and its part of the unchanged agent's runs"))),
  ];
  const rows = arms.map((arm, index) => {
    const { looks, result } = arm;
    const name = inWords(arm.label);
    const last = looks.at(-1);
    const decision = result?.decision ?? last?.decision ?? "undecided";
    const { word, icon: drawing, tone } = decisions[decision];
    const saved = savedOf(arm);
    const share = result?.savingShare ?? null;
    const after = result?.sides[1].passed ?? null;
    const spent = result?.spent.tokens ?? last?.tokens ?? null;
    return {
      key: String(index + 1),
      cells: [
        textCell(name),
        { content: () => html`<span class="with-icon ${tone}">${icon(drawing)}${word}</span>`, sort: word },
        textCell(stateOf(arm)),
        moneyCell(result),
        ...[saved?.value, saved?.high, saved?.low].map((value) =>
          value === undefined ? none : { content: () => againstBefore(value), sort: -value },
        ),
        share === null ? none : { content: () => shareAgainstBefore(share.value), sort: -share.value },
        after === null
          ? none
          : {
              content: () => t("{0} of {1}", wholeNumber(after.passed), wholeNumber(after.runs)),
              sort: after.runs === 0 ? null : after.passed / after.runs,
            },
        spent === null ? none : { content: () => shortNumber(spent), sort: spent },
      ],
    };
  });
  return dataTable({ label: t("Changes"), headings, rows, most: 8 });
}

const none: Cell = absentCell(t("Nothing to compare yet"));

/** What a run costs more than without the change; less is negative. */
function moneyCell(result: ComparisonView | null): Cell {
  const usd = result?.sides[0].figures?.usd ?? null;
  const share = result?.costShare ?? null;
  if (usd === null || share === null) return none;
  const more = -usd * share.value;
  return { content: () => dollarAmount(more), sort: more };
}

/** Whether it is run on, or why not. */
function stateOf({ state, looks, result }: ArmView): string {
  const rounds = result?.rounds.own ?? looks.length;
  if (state === "measuring")
    return looks.length === 0
      ? t("Begins")
      : plural(rounds, t("Goes on after 1 round"), t("Goes on after {0} rounds", rounds));
  const stop = result?.stop ?? null;
  if (stop === "futile")
    return plural(rounds, t("Given up after 1 round"), t("Given up after {0} rounds", rounds));
  return stop === "cap"
    ? plural(rounds, t("Ended after 1 round"), t("Ended after {0} rounds", rounds))
    : plural(rounds, t("Decided after 1 round"), t("Decided after {0} rounds", rounds));
}

function evidence(result: ComparisonView): TemplateResult {
  const { tone } = decisions[result.decision];
  return html`<div class="verdict ${tone}">
      <p>${outside(verdictSentence(result), 700)}</p>
      <p class="quiet">
        ${outside(endSentence(result), 400)}${result.saving === null ? nothing : ` ${t("Intervals of {0}.", percent(100 * confidenceLevel))}`}
      </p>
    </div>
    <details>
      <summary>${t("Both sides, and differences by task")}</summary>
      ${sidesTable(result)} ${differencesOf(result)}
    </details>`;
}
