import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/text/format.ts";
import type { InterimVerdict } from "../../engine/jobs/answers/compare.ts";
import { absentCell, numberCell } from "../components/table/cells.ts";
import "../components/section.ts";
import { tableToggle, type Heading } from "../components/table/table.ts";
import type { RenderContext } from "./actions.ts";
import { differencePlot } from "../components/charts/difference-plot.ts";
import { againstBefore } from "../components/figures.ts";
import { decisions, notes } from "./describe.ts";

const label =
  "New tokens of a completed run with the change, compared with the unchanged agent, after each round";

/** Shows how the interval narrowed, round by round. A single interim verdict is already in the sentence above. */
export function looksSection(
  { tables, actions }: RenderContext,
  looks: readonly InterimVerdict[],
): TemplateResult | typeof nothing {
  if (looks.length < 2) return nothing;
  const key = "looks";
  const isTable = tables.has(key);
  const rows = looks.map(({ round, saving }, index) => ({
    name: `Round ${round}`,
    saved: saving,
    why: "nothing is comparable yet",
    flag: null,
    isWhole: index === looks.length - 1,
  }));
  return html`<purser-section heading="Round by round" note=${notes.looks}>
    <div slot="actions">${tableToggle(isTable, "round by round", () => actions.toggleTable(key))}</div>
    ${isTable ? verdictTable(looks) : differencePlot(label, rows)}
  </purser-section>`;
}

function verdictTable(looks: readonly InterimVerdict[]): TemplateResult {
  const headings: Heading[] = [
    { text: "Round" },
    { text: "Stands" },
    { text: "Difference", isNumber: true, title: label },
    { text: "From", isNumber: true },
    { text: "To", isNumber: true },
    { text: "Runs to a decision", isNumber: true, title: "Expected, as things looked" },
    { text: "Tokens so far", isNumber: true, isExtra: true },
  ];
  const rows = looks.map(({ round, decision, saving, moreRuns, tokens }) => ({
    key: String(round),
    cells: [
      { content: () => wholeNumber(round), sort: round },
      { content: () => decisions[decision].word, sort: decision },
      ...[saving?.value, saving?.high, saving?.low].map((value) =>
        value === undefined
          ? absentCell("Nothing to compare yet")
          : { content: () => againstBefore(value), sort: -value },
      ),
      moreRuns === null
        ? absentCell("More runs would not decide it")
        : { content: () => `~${wholeNumber(moreRuns)}`, sort: moreRuns },
      numberCell(tokens),
    ],
  }));
  return html`<purser-table
    label="Round by round"
    .headings=${headings}
    .rows=${rows}
    most="14"
  ></purser-table>`;
}
