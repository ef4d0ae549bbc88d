import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { InterimVerdict } from "../../engine/jobs/compare-answers.ts";
import { absentCell, numberCell } from "../components/table/table-cells.ts";
import "../components/section.ts";
import { tableToggle, type Heading } from "../components/table/table.ts";
import type { RenderContext } from "./compare-model.ts";
import { differencePlot } from "../components/charts/difference-plot.ts";
import { againstBefore } from "../components/figures.ts";
import { decisions, notes } from "./describe-compare.ts";

const label = t(
  "New tokens of a completed run with the change, compared with the unchanged agent, after each round",
);

/** Shows how the interval narrowed, round by round. A single interim verdict is already in the sentence above. */
export function looksSection(
  { tables, actions }: RenderContext,
  looks: readonly InterimVerdict[],
): TemplateResult | typeof nothing {
  if (looks.length < 2) return nothing;
  const key = "looks";
  const isTable = tables.has(key);
  const rows = looks.map(({ round, saving }, index) => ({
    name: t("Round {0}", round),
    saved: saving,
    why: t("nothing is comparable yet"),
    flag: null,
    isWhole: index === looks.length - 1,
  }));
  return html`<purser-section heading=${t("Round by round")} note=${notes.looks}>
    <div slot="actions">${tableToggle(isTable, t("round by round"), () => actions.toggleTable(key))}</div>
    ${isTable ? verdictTable(looks) : differencePlot(label, rows)}
  </purser-section>`;
}

function verdictTable(looks: readonly InterimVerdict[]): TemplateResult {
  const headings: Heading[] = [
    { text: t("Round") },
    { text: t("Stands") },
    { text: t("Difference"), isNumber: true, title: label },
    { text: t("From"), isNumber: true },
    { text: t("To"), isNumber: true },
    { text: t("Runs to a decision"), isNumber: true, title: t("Expected, as things looked") },
    { text: t("Tokens so far"), isNumber: true, isExtra: true },
  ];
  const rows = looks.map(({ round, decision, saving, moreRuns, tokens }) => ({
    key: String(round),
    cells: [
      { content: () => wholeNumber(round), sort: round },
      { content: () => decisions[decision].word, sort: decision },
      ...[saving?.value, saving?.high, saving?.low].map((value) =>
        value === undefined
          ? absentCell(t("Nothing to compare yet"))
          : { content: () => againstBefore(value), sort: -value },
      ),
      moreRuns === null
        ? absentCell(t("More runs would not decide it"))
        : { content: () => `~${wholeNumber(moreRuns)}`, sort: moreRuns },
      numberCell(tokens),
    ],
  }));
  return html`<purser-table
    label=${t("Round by round")}
    .headings=${headings}
    .rows=${rows}
    most="14"
  ></purser-table>`;
}
