import { inWords, t } from "../../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { dash } from "../../../engine/base/format.ts";
import { aboutDollars, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { isUnderWay } from "../../../engine/jobs/compare-answers.ts";
import type { JobView, HistoryPoint } from "../../../engine/jobs/bench-answers.ts";
import { outside, outsideText, saidText } from "../../components/outside.ts";
import "../../components/section.ts";
import { duration, moment, shortDay } from "../../components/times.ts";
import { runsOf, filled } from "../../components/sentences.ts";
import type { RenderContext } from "../experiments-model.ts";
import { jobPage, underWay } from "../job-page.ts";
import { resultsSection } from "./results.ts";
import { runGrid } from "../runs/run-grid.ts";
import { againstRun1, difference, isBaseline, jobTitle, notes } from "../describe-jobs.ts";
import "../../components/charts/curve.ts";
import { tableToggle } from "../../components/table/table.ts";

/** Shows one bench: its state, its runs, their results, and earlier benches. */
export function benchPage(context: RenderContext, view: JobView): TemplateResult {
  const { actions, now } = context;
  const { ask, done, of, state } = view;
  return jobPage(context, view, {
    title: jobTitle(view),
    recordedBy: view.recordedBy,
    facts: [
      of === 0 ? nothing : runsOf(done, of),
      underWay(view),
      describeSpent(view),
      isUnderWay(state) ? timeLeft(view, now) : nothing,
    ],
    about: asItIs(view),
    formats: view.runs.length === 0 ? [] : ["json"],
    progress: t("Runs made: {0} of {1}", done, of),
    planAgain: ask.kind === "bench" ? () => actions.planAgain(ask) : null,
    found: headline(view),
    grid: runGrid(context, view),
    runsNote: notes.runs,
    further: html`${resultsSection(view)} ${historySection(context, view)}`,
    planNote: notes.plan,
  });
}

/**
 * Notes whether the bench measured the agent as it is, and with which rules: only then do its runs count as
 * baselines.
 */
function asItIs({ ask, sides }: JobView): TemplateResult | typeof nothing {
  const [only] = sides;
  if (ask.kind !== "bench" || ask.driver === "replay" || only === undefined) return nothing;
  const rules = sides.length === 1 ? `, ${inWords(only.label)}` : "";
  return sides.every(({ role }) => role === "active")
    ? html`<span>${t("unchanged agent")}${outside(rules, 40)}</span>`
    : html`<span title=${t("It counts for no baseline")}>${t("changed agent")}${outside(rules, 40)}</span>`;
}

/** `~312k of ~1.1M tokens · ~$0.95 of ~$3.40` */
function describeSpent({ ask, spent, plan }: JobView): string {
  if (ask.driver === "replay") return t("free");
  const tokens =
    plan === null
      ? t("{0} tokens", shortNumber(spent.tokens))
      : t("{0} of ~{1} tokens", shortNumber(spent.tokens), shortNumber(plan.tokens));
  if (spent.usd === null) return t("{0} · unknown price", tokens);
  const planned = plan?.usd ?? null;
  const cost = aboutDollars(spent.usd);
  return `${tokens} · ${planned === null ? cost : t("{0} of {1}", cost, aboutDollars(planned))}`;
}

/** Estimates the time left from the runs that ended. */
function timeLeft({ runs, of, ask }: JobView, now: number): TemplateResult | typeof nothing {
  if (runs.length === 0 || runs.length >= of) return nothing;
  const each =
    runs.reduce((sum, run) => sum + run.durationMs + run.overheadMs + run.checkMs, 0) / runs.length;
  const left = (each * (of - runs.length)) / ask.parallel;
  return html`<span title=${moment(now + left, now)}>${t("~{0} left", duration(left))}</span>`;
}

/** Shows the main figure, as soon as there is one. */
function headline(view: JobView): TemplateResult | typeof nothing {
  const { figures, sides } = view;
  const withRuns = figures.filter(({ runs }) => runs > 0);
  const [only] = withRuns;
  if (only === undefined || withRuns.length > 1 || sides.length > 1) return nothing;
  const isFirst = isBaseline(view);
  const best = only.best === null ? null : t("{0} vs. best", difference(only.best.share));
  const parts = [
    t("{0} of {1} passed", wholeNumber(only.passed), wholeNumber(only.runs)),
    ...(isFirst ? [t("saved as baseline")] : [againstRun1(only), best]),
  ];
  return html`<div class="totals">
    <p class="one">
      ${filled(
        t("{0} tokens a run"),
        html`<span class="number" title=${t("New tokens of a completed run; tasks count by their weight")}
          >${only.tokens === null ? dash : wholeNumber(only.tokens)}</span
        >`,
      )}
    </p>
    <p class="quiet number">${parts.filter((part) => part !== null).join(" · ")}</p>
  </div>`;
}

/** Charts processing tokens per completed run, bench by bench. Each bench's name includes its agent's rules. */
function historySection(context: RenderContext, view: JobView): TemplateResult | typeof nothing {
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
