import { html, type TemplateResult } from "lit";
import { shortNumber, wholeNumber } from "../../engine/base/format.ts";
import type { LearnedView, ReportView } from "../../engine/service/rules-view.ts";
import { numberCell, textCell, timeCell } from "../components/cells.ts";
import "../components/dot-chart.ts";
import { outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { tableToggle } from "../components/table.ts";
import type { Scene } from "./actions.ts";
import { learnedInWords, notes, versionName } from "./words.ts";

const longestAgent = 40; // characters

/** What a run of real work took, version after version of each agent's memory. */
export function learningSections(scene: Scene, { agents }: ReportView): TemplateResult {
  // An agent whose memory never changed has nothing to compare.
  const learning = agents.filter(({ learned }) => learned.some(({ version }) => version !== null));
  if (learning.length === 0)
    return html`<purser-section heading="Learning" note=${notes.learning}>
      <p class="quiet nothing">
        No run has begun with a memory of measured rules yet. Once a rule is let in, what real work takes
        before and after it is compared here.
      </p>
    </purser-section>`;
  return html`${learning.map((agent) => learningOf(scene, agent))}`;
}

function learningOf(scene: Scene, { agent, learned }: ReportView["agents"][number]): TemplateResult {
  const { model, actions, now } = scene;
  const name = outsideText(agent, longestAgent);
  const label = `Learning of ${name}: processing tokens per completed run`;
  const isTable = model.kept.tables.includes(agent);
  return html`<purser-section heading="Learning of ${name}" note=${notes.learning}>
    <div slot="actions">${tableToggle(isTable, `learning of ${name}`, () => actions.toggleTable(agent))}</div>
    ${isTable ? learningTable(learned, label, now) : learningChart(learned, label, now)}
  </purser-section>`;
}

function learningChart(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const columns = learned.map((each) => ({
    name: learnedInWords(each, now),
    tick: each.version === null ? "before" : `v${outsideText(each.version, 10)}`,
    values: [each.median],
  }));
  const last = columns.at(-1);
  return html`<p class="quiet caption">
      Median processing tokens per completed run, and the middle half of the runs
    </p>
    <purser-dot-chart
      label=${label}
      columnHeading="Memory"
      .series=${[{ name: "Median", tone: 0 }]}
      .columns=${columns}
      .whiskers=${learned.map(({ p25, p75 }) => ({ low: p25, high: p75 }))}
      .summary=${{ name: last?.name ?? "", values: last?.values ?? [] }}
      .format=${wholeNumber}
      .axisFormat=${shortNumber}
    ></purser-dot-chart>`;
}

function learningTable(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const rows = learned.map((each, index) => ({
    key: String(index),
    cells: [
      { content: () => versionName(each), sort: index },
      each.at === null ? textCell(null, "-") : timeCell(each.at, now),
      each.rules === null ? textCell(null, "-") : numberCell(each.rules),
      ...[each.runs, each.median, each.p25, each.p75, each.mean].map(numberCell),
    ],
  }));
  const headings = [
    { text: "Memory" },
    { text: "Since", isNumber: true, isExtra: true },
    { text: "Rules", isNumber: true, isExtra: true },
    { text: "Runs", isNumber: true },
    { text: "Median", isNumber: true, title: "Processing tokens per completed run" },
    { text: "p25", isNumber: true, isExtra: true, title: "One of four runs took no more" },
    { text: "p75", isNumber: true, title: "Three of four runs took no more" },
    { text: "Mean", isNumber: true, isExtra: true },
  ];
  return html`<purser-table label=${label} .headings=${headings} .rows=${rows} most="14"></purser-table>`;
}
