import { html, nothing, type TemplateResult } from "lit";
import { aboutDollars, decimalNumber, percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { Overview } from "../../engine/ledger/ledger-answers.ts";
import { cards, describeCost, standardTierSentence } from "../components/figures.ts";
import { sum } from "../components/charts/series.ts";
import { stateView } from "../components/states.ts";
import { tableToggle, dataTable } from "../components/table/table.ts";
import { dayDate, daySpan, hourName, longDay, month, shortDay } from "../components/times.ts";
import { responseCount, sessionCount as sessionsText, filled } from "../components/sentences.ts";
import type { RenderContext } from "./ledger-model.ts";
import { breakdown } from "./breakdown.ts";
import { whySection } from "./why-section.ts";
import { daySeries, type Bin, type Unit } from "./days.ts";
import { anomalyList, anomalyPlace, rereadTable, sessionTable } from "./lists.ts";
import {
  amount,
  amountText,
  processingTokens,
  shortAmount,
  notes,
  planLimitName,
  type Metric,
} from "./describe-ledger.ts";
import type { OverviewMessage } from "./ledger-protocol.ts";
import { agentNames } from "../components/page-agents.ts";
import { shareCell, textCell, timeCell, column, numberColumn } from "../components/table/table-cells.ts";
import "../components/charts/bar.ts";
import "../components/section.ts";

/** Shows everything below the filters. */
export function overviewPage(context: RenderContext, message: OverviewMessage): TemplateResult {
  const { overview } = message;
  if (overview.totals.responses === 0) return nothingThere(context, message);
  const { anomalies, rereads, planLimits } = overview;
  return html`${totals(context, message)} ${overTime(context, message)} ${whySection(context)}
    ${
      planLimits.length === 0
        ? nothing
        : html`<purser-section heading=${t("Plan limits")} note=${notes.limits}
            >${limitsTable(overview, context.now)}</purser-section
          >`
    }
    ${
      anomalies.length === 0
        ? nothing
        : html`<purser-section heading=${t("Anomalies")} note=${notes.anomalies}
            >${anomalyList(context, anomalies, (anomaly) => anomalyPlace(context, anomaly, overview))}</purser-section
          >`
    }
    <purser-section heading=${t("Breakdown")} note=${notes.breakdown}
      >${breakdown(context, message)}</purser-section
    >
    <purser-section heading=${t("Sessions")} note=${notes.sessions}>
      ${sessionTable(context, overview)}
      ${
        overview.sessionCount > overview.sessions.length
          ? html`<p class="quiet nothing">
              ${t("The {0} most recent of {1}. Narrow the time or the project to see others.", wholeNumber(overview.sessions.length), wholeNumber(overview.sessionCount))}
            </p>`
          : nothing
      }
    </purser-section>
    <purser-section heading=${t("Files read again")} note=${notes.rereads}>
      ${
        rereads.length === 0
          ? html`<p class="quiet nothing">${t("No session read a file more than once in this time.")}</p>`
          : rereadTable(context, rereads, overview.sessions, true)
      }
    </purser-section>`;
}

/** Shows the main figure, and the others below it. */
function totals({ model }: RenderContext, { overview, previous }: OverviewMessage): TemplateResult {
  const { totals: all, sessionCount, undated } = overview;
  const { usage } = all;
  const { metric } = model.kept;
  const isTokens = metric === "tokens";
  const compared = previous === null ? null : comparison(all, previous, metric);
  const tokens = t("{0} new tokens", wholeNumber(processingTokens(usage)));
  return html`<div class="totals">
    <p class="one">
      ${
        isTokens
          ? filled(
              t("{0} new tokens (not from cache)"),
              html`<span class="number">${wholeNumber(processingTokens(usage))}</span>`,
            )
          : filled(
              pricedSentence(all.unpriced),
              html`<span class="number"
                >${all.usd === null ? t("unknown") : describeCost({ ...all, unpriced: 0 })}</span
              >`,
              wholeNumber(all.unpriced),
            )
      }
    </p>
    <p class="quiet number">
      ${isTokens ? t("{0} at list prices", describeCost(all)) : tokens} · ${responseCount(all.responses)} ·
      ${sessionsText(sessionCount)}${
        compared === null ? nothing : html` · <span title=${compared.title}>${compared.text}</span>`
      }
    </p>
    ${isTokens ? tokenCards(usage) : costCards(overview.costByKind)}
    ${all.standardTier > 0 ? html`<p class="quiet">${standardTierSentence(all.standardTier)}</p>` : nothing}
    ${
      undated > 0
        ? html`<p class="quiet">
            ${plural(undated, t("1 response has no readable time and is left out."), t("{0} responses have no readable time and are left out.", wholeNumber(undated)))}
          </p>`
        : nothing
    }
  </div>`;
}

function tokenCards({ input, output, cacheRead, ...writes }: Overview["totals"]["usage"]): TemplateResult {
  return cards(
    [
      [t("Input"), input],
      [t("Cache writes"), writes.cacheCreation5m + writes.cacheCreation1h],
      [t("Output"), output],
      [t("Cache reads"), cacheRead],
    ],
    "kinds",
  );
}

/** The parts of a cost are estimated. */
function costCards(costs: Overview["costByKind"]): TemplateResult {
  const whole = sum(Object.values(costs));
  const part = (name: string, usd: number) =>
    [name, aboutDollars(usd), whole > 0 ? percent((usd / whole) * 100) : ""] as const;
  return cards(
    [
      part(t("Input"), costs.input),
      part(t("Cache writes"), costs.cacheWrites),
      part(t("Output"), costs.output),
      part(t("Cache reads"), costs.cacheReads),
    ],
    "kinds",
  );
}

/** Below this, a change is not worth a figure. */
const leastChange = 0.05;

/** Compares with the days before, such as `1.4× the week before`; null where they have nothing to compare with. */
function comparison(
  now: Overview["totals"],
  { since, until, totals: before }: NonNullable<OverviewMessage["previous"]>,
  metric: Metric,
): { readonly text: string; readonly title: string } | null {
  const [is, was] = [amount(now, metric), amount(before, metric)];
  if (was <= 0) return null;
  const ratio = is / was;
  const days = Math.round((Date.parse(until) - Date.parse(since)) / dayMs) + 1;
  const period =
    days === 1
      ? t("the day before")
      : days === 7
        ? t("the week before")
        : t("the {0} days before", wholeNumber(days));
  return {
    text:
      Math.abs(ratio - 1) < leastChange
        ? t("about as much as {0}", period)
        : t("{0}× {1}", ratio < 10 ? decimalNumber(ratio, 1) : wholeNumber(ratio), period),
    title: `${daySpan(since, until)}: ${amountText(was, metric)}`,
  };
}

const dayMs = 86_400_000;

function pricedSentence(unpriced: number): string {
  if (unpriced === 0) return t("{0} at list prices");
  return plural(
    unpriced,
    t("{0} at list prices, without {1} response of no known price"),
    t("{0} at list prices, without {1} responses of no known price"),
  );
}

const overTimeNames = {
  tokens: {
    hour: { heading: t("New tokens by hour"), label: t("New tokens by hour and model") },
    day: { heading: t("New tokens by day"), label: t("New tokens by day and model") },
    week: { heading: t("New tokens by week"), label: t("New tokens by week and model") },
    month: { heading: t("New tokens by month"), label: t("New tokens by month and model") },
  },
  cost: {
    hour: { heading: t("Cost at list prices by hour"), label: t("Cost at list prices by hour and model") },
    day: { heading: t("Cost at list prices by day"), label: t("Cost at list prices by day and model") },
    week: { heading: t("Cost at list prices by week"), label: t("Cost at list prices by week and model") },
    month: { heading: t("Cost at list prices by month"), label: t("Cost at list prices by month and model") },
  },
} as const;

function overTime(context: RenderContext, { overview, since, until }: OverviewMessage): TemplateResult {
  const { metric } = context.model.kept;
  const { unit, bins, series, values } = daySeries(overview, { since, until, metric });
  const { heading, label } = overTimeNames[metric][unit];
  const isTable = context.tables.has("days");
  const columns = bins.map((bin, index) => ({
    name: binName(bin, unit),
    tick: tickName(bin, unit),
    values: values.map((one) => one[index] ?? 0),
  }));
  const [first, last] = [bins[0], bins.at(-1)];
  const span = first === undefined || last === undefined ? "" : daySpan(first.from, last.to);
  return html`<purser-section heading=${heading} note=${notes.overTime}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("days"))}</div>
    <purser-bar-chart
      label=${label}
      columnHeading=${unitNames[unit]}
      pickHint=${unit === "hour" ? "" : t("Enter shows only this.")}
      @pick=${({ detail }: CustomEvent<number>) => {
        const bin = bins[detail];
        if (bin !== undefined) context.actions.pickDays(bin.from, bin.to);
      }}
      .series=${series}
      .columns=${columns}
      .summary=${{ name: span, values: values.map(sum) }}
      .format=${(value: number) => amountText(value, metric)}
      .axisFormat=${(value: number) => shortAmount(value, metric)}
      ?isTable=${isTable}
      isNewestFirst
    ></purser-bar-chart>
  </purser-section>`;
}

const unitNames: Readonly<Record<Unit, string>> = {
  hour: t("Hour"),
  day: t("Day"),
  week: t("Week"),
  month: t("Month"),
};

function tickName({ from, hour }: Bin, unit: Unit): string {
  if (hour !== undefined) return hourName(hour);
  return unit === "month" ? month(dayDate(from)) : shortDay(dayDate(from));
}

function binName({ from, to, hour }: Bin, unit: Unit): string {
  if (hour !== undefined) return `${shortDay(dayDate(from))}, ${hourName(hour)}`;
  if (unit === "month") return month(dayDate(from));
  return from === to ? longDay(dayDate(from)) : `${shortDay(dayDate(from))} – ${longDay(dayDate(to))}`;
}

/** Explains why there are no figures: no usage ever, none read yet, or none that matches the filters. */
function nothingThere(
  { model, actions }: RenderContext,
  { overview, freshness }: OverviewMessage,
): TemplateResult {
  const { choices } = overview;
  const everSeen = choices.projects.length + choices.programs.length > 0;
  if (everSeen)
    return stateView({
      icon: "search",
      heading: t("Nothing in this time"),
      text: t("No response fits the filter. Take more time, or all projects and agents."),
      actions: [
        {
          label: t("Show All"),
          run: () => actions.ask({ range: { kind: "all" }, project: null, program: null }),
        },
      ],
    });
  if (freshness.asOf === null && model.trouble === null)
    return stateView({
      icon: "inbox",
      heading: t("Reading transcripts for the first time"),
      text: t("What your coding agents used appears here as it is read."),
      actions: [],
    });
  return stateView({
    icon: "inbox",
    heading: t("No usage yet"),
    text: t(
      "Your agents' usage will show up here: tokens and cost by day, project, model and tool, and each session's context. It begins with the first answer of Claude Code, Codex, Copilot CLI or Gemini CLI.",
    ),
    actions: [{ label: t("Get Started"), run: () => actions.getStarted() }],
  });
}

/** Shows how much of each plan limit was used when the agent last reported it. */
function limitsTable({ planLimits }: Overview, now: number): TemplateResult {
  const rows = planLimits.map(({ program, name, windowMinutes, at, usedPercent, resetsAt }) => ({
    key: `${program} ${name}`,
    cells: [
      textCell(`${agentNames.of(program)} · ${planLimitName({ name, windowMinutes })}`),
      shareCell(usedPercent, 100, true),
      resetsAt === null ? textCell(null) : timeCell(resetsAt, now),
      timeCell(at, now),
    ],
  }));
  const headings = [
    column(t("Limit")),
    column(t("Used")),
    numberColumn(t("Resets")),
    numberColumn(t("Reported")),
  ];
  return dataTable({ label: t("Plan limits"), headings, rows });
}
