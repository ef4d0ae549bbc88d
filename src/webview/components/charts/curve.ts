import { html, type TemplateResult } from "lit";
import { shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { LearnedView } from "../../../engine/rules/answers.ts";
import { ruleCount, runCount } from "../text/counts.ts";
import { absentCell, numberCell, timeCell } from "../table/table-cells.ts";
import "./dot.ts";
import { outsideText } from "../outside.ts";
import "../table/table.ts";
import { moment } from "../times.ts";

/** The note of every learning curve. */
export const learningNote = t(
  "Real work's new tokens per completed run, by the version of the agent's memory that the run began with. A dot is the median, its bar holds the middle half of the runs. Other work may take other tokens: this shows a trend, a receipt is the proof.",
);

/** Charts what real work used with each version of an agent's memory. @param now milliseconds since the epoch */
export function learningChart(learned: readonly LearnedView[], label: string, now: number): TemplateResult {
  const columns = learned.map((each) => ({
    name: describeLearned(each, now),
    tick: each.version === null ? t("before") : `v${outsideText(each.version, 10)}`,
    values: [each.median],
  }));
  const last = columns.at(-1);
  return html`<p class="quiet caption">
      ${t("Median new tokens per completed run, and the middle half of the runs")}
    </p>
    <purser-dot-chart
      label=${label}
      columnHeading=${t("Memory")}
      .series=${[{ name: t("Median"), tone: 0 }]}
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
    { text: t("Memory") },
    { text: t("Since"), isNumber: true, isExtra: true },
    { text: t("Rules"), isNumber: true, isExtra: true },
    { text: t("Runs"), isNumber: true },
    { text: t("Median"), isNumber: true, title: t("New tokens per completed run") },
    { text: "p25", isNumber: true, isExtra: true, title: t("One of four runs took no more") },
    { text: "p75", isNumber: true, title: t("Three of four runs took no more") },
    { text: t("Mean"), isNumber: true, isExtra: true },
  ];
  return html`<purser-table label=${label} .headings=${headings} .rows=${rows} most="14"></purser-table>`;
}

function versionName({ version }: Pick<LearnedView, "version">): string {
  return version === null ? t("No memory yet") : t("Version {0}", outsideText(version, 24));
}

/** `Version 3 · Nov 20, 14:02 · 2 rules · 5 runs`. */
function describeLearned(learned: LearnedView, now: number): string {
  const { at, rules, runs } = learned;
  return [
    versionName(learned),
    ...(at === null ? [] : [moment(at, now)]),
    ...(rules === null ? [] : [ruleCount(rules)]),
    runCount(runs),
  ].join(" · ");
}
