import { html, type TemplateResult } from "lit";
import { shortNumber, wholeNumber } from "../../../engine/base/text/format.ts";
import type { LearnedView } from "../../../engine/rules/answers.ts";
import { absentCell, numberCell, timeCell } from "../table/cells.ts";
import "./dot.ts";
import { plural } from "../figures.ts";
import { outsideText } from "../outside.ts";
import "../table/table.ts";
import { moment } from "../times.ts";

/** The note of every learning curve. */
export const learningNote =
  "Real work's new tokens per completed run, by the version of the agent's memory that the run began with. A dot is the median, " +
  "its bar holds the middle half of the runs. Other work may take other tokens: this shows a trend, a receipt is the proof.";

/** Charts what real work used with each version of an agent's memory. @param now milliseconds since the epoch */
export function learningChart(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const columns = learned.map((each) => ({
    name: describeLearned(each, now),
    tick: each.version === null ? "before" : `v${outsideText(each.version, 10)}`,
    values: [each.median],
  }));
  const last = columns.at(-1);
  return html`<p class="quiet caption">
      Median new tokens per completed run, and the middle half of the runs
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

export function learningTable(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const rows = learned.map((each, index) => ({
    key: String(index),
    cells: [
      { content: () => versionName(each), sort: index },
      each.at === null ? absentCell() : timeCell(each.at, now),
      each.rules === null ? absentCell() : numberCell(each.rules),
      ...[each.runs, each.median, each.p25, each.p75, each.mean].map(numberCell),
    ],
  }));
  const headings = [
    { text: "Memory" },
    { text: "Since", isNumber: true, isExtra: true },
    { text: "Rules", isNumber: true, isExtra: true },
    { text: "Runs", isNumber: true },
    { text: "Median", isNumber: true, title: "New tokens per completed run" },
    { text: "p25", isNumber: true, isExtra: true, title: "One of four runs took no more" },
    { text: "p75", isNumber: true, title: "Three of four runs took no more" },
    { text: "Mean", isNumber: true, isExtra: true },
  ];
  return html`<purser-table label=${label} .headings=${headings} .rows=${rows} most="14"></purser-table>`;
}

function versionName({ version }: Pick<LearnedView, "version">): string {
  return version === null ? "No memory yet" : `Version ${outsideText(version, 24)}`;
}

/** `Version 3 · Nov 20, 14:02 · 2 rules · 5 runs`. */
function describeLearned(learned: LearnedView, now: number): string {
  const { at, rules, runs } = learned;
  return [
    versionName(learned),
    ...(at === null ? [] : [moment(at, now)]),
    ...(rules === null ? [] : [plural(rules, "rule", "rules")]),
    plural(runs, "run", "runs"),
  ].join(" · ");
}
