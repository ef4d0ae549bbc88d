import { html, nothing, type TemplateResult } from "lit";
import { shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { HistoryPoint, JobView } from "../../engine/jobs/bench-answers.ts";
import "../components/charts/dot.ts";
import { outsideText, saidText } from "../components/outside.ts";
import "../components/section.ts";
import { tableToggle } from "../components/table/table.ts";
import { moment, shortDay } from "../components/times.ts";
import type { RenderContext } from "./bench-model.ts";
import { difference, notes } from "./describe-bench.ts";

/** Charts processing tokens per completed run, bench by bench. Each bench's name includes its agent's rules. */
export function historySection(context: RenderContext, view: JobView): TemplateResult | typeof nothing {
  const agents = [...new Set(view.sides.map(({ agent }) => agent))];
  const charts = agents.flatMap((agent) => {
    const points = view.history.filter((point) => point.agent === agent);
    return points.length < 2 ? [] : [chart(context, view, { agent, points, isNamed: agents.length > 1 })];
  });
  return charts.length === 0 ? nothing : html`${charts}`;
}

function chart(
  { now, tables, actions }: RenderContext,
  view: JobView,
  { agent, points, isNamed }: { agent: string; points: readonly HistoryPoint[]; isNamed: boolean },
): TemplateResult {
  const heading = isNamed ? t("History of {0}", outsideText(agent, 40)) : t("History");
  const label = t("New tokens per completed run, by benchmark");
  const key = `history ${agent}`;
  const isTable = tables.has(key);
  const columns = points.map(({ at, label: name, benchId, figures }) => {
    const share = figures.run1 === null ? "" : ` · ${t("{0} vs. baseline", difference(figures.run1.share))}`;
    const isThis = benchId === view.id ? ` · ${t("this benchmark")}` : "";
    const passed = ` · ${t("{0} of {1} passed", wholeNumber(figures.passed), wholeNumber(figures.runs))}`;
    return {
      name: `${moment(at, now)} · ${saidText(name, 40)}${passed}${share}${isThis}`,
      tick: `${shortDay(new Date(at))}, ${saidText(name, 12)}`,
      values: [figures.tokens ?? 0],
    };
  });
  const whiskers = points.map(({ figures }) => figures.interval);
  const [first] = points;
  const run1 =
    first?.figures.run1 === undefined || first.figures.run1 === null || first.figures.tokens === null
      ? null
      : first.figures.tokens / first.figures.run1.share;
  const lines = run1 === null ? [] : [{ name: t("Baseline"), value: run1 }];
  const last = columns.at(-1);
  return html`<purser-section heading=${heading} note=${notes.history}>
    <div slot="actions">${tableToggle(isTable, label, () => actions.toggleTable(key))}</div>
    <purser-dot-chart
      label=${label}
      columnHeading=${t("Benchmark")}
      .series=${[{ name: t("New tokens per completed run"), tone: 0 }]}
      .columns=${columns}
      .whiskers=${whiskers}
      .lines=${lines}
      .summary=${{ name: last?.name ?? "", values: last?.values ?? [] }}
      .format=${wholeNumber}
      .axisFormat=${shortNumber}
      ?isTable=${isTable}
      isNewestFirst
    ></purser-dot-chart>
  </purser-section>`;
}
