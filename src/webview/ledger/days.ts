import { t } from "../../engine/base/language.ts";
import type { Overview } from "../../engine/ledger/ledger-answers.ts";
import { largestSeries, tonesOf, type Series } from "../components/charts/series.ts";
import { amount, type Metric } from "./describe-ledger.ts";

export type Unit = "hour" | "day" | "week" | "month";

export interface Bin {
  /** The bin's first and last day. */
  readonly from: string;
  readonly to: string;
  /** The hour that the bin covers of its day, 0 to 23. */
  readonly hour?: number;
}

export interface DaySeries {
  readonly unit: Unit;
  readonly bins: readonly Bin[];
  readonly series: readonly Series[];
  /** For each series, one value per bin. */
  readonly values: readonly (readonly number[])[];
}

/** Maximum bars of the chart: more would be too thin to distinguish. */
const maxDays = 100;
const maxWeeks = 104;
const dayMs = 86_400_000;

/**
 * Makes a series for each model from the overview's days: one bar per day, or per hour of a single day, or per week or month if there are many days.
 * Days without a response are included, empty.
 */
export function daySeries(overview: Pick<Overview, "days" | "hours">, shown: ShownDays): DaySeries {
  const { unit, bins, byName } = hourBins(overview, shown) ?? binned(overview, shown, "models");
  const named = [...byName].map(([name, values]) => ({ name: name ?? t("unknown"), values }));
  const { series, values } = largestSeries(named, (count) => t("{0} other models", count));
  const tones = tonesOf(series.flatMap(({ name, tone }) => (tone === null ? [] : [name])));
  return {
    unit,
    bins,
    series: series.map((each) =>
      each.tone === null ? each : { ...each, tone: tones.get(each.name) ?? null },
    ),
    values,
  };
}

/** The hours of a single day, of each model; null for more days. */
function hourBins({ hours }: Pick<Overview, "hours">, { since, metric }: ShownDays): Bins | null {
  if (hours === null || since === null) return null;
  const bins = Array.from({ length: 24 }, (_, hour) => ({ from: since, to: since, hour }));
  const byName = new Map<string | null, number[]>();
  for (const { hour, models } of hours)
    for (const part of models) {
      const values = byName.get(part.key) ?? bins.map(() => 0);
      values[hour] = (values[hour] ?? 0) + amount(part, metric);
      byName.set(part.key, values);
    }
  return { unit: "hour", bins, byName };
}

interface Bins {
  readonly unit: Unit;
  readonly bins: readonly Bin[];
  readonly byName: ReadonlyMap<string | null, readonly number[]>;
}

interface ShownDays {
  readonly since: string | null;
  readonly until: string | null;
  readonly metric: Metric;
}

/** The same bins as `daySeries`, by the key of each part. */
export function binned(
  { days }: Pick<Overview, "days">,
  { since, until, metric }: ShownDays,
  by: "models" | "programs",
): Bins {
  const first = since ?? days[0]?.day;
  const last = until ?? days.at(-1)?.day;
  if (first === undefined || last === undefined || first > last)
    return { unit: "day", bins: [], byName: new Map() };
  const { unit, bins } = makeBins(first, last);
  const byName = new Map<string | null, number[]>();
  let at = 0;
  for (const each of days) {
    while (at < bins.length - 1 && each.day > (bins[at]?.to ?? "")) at += 1;
    for (const part of each[by]) {
      const values = byName.get(part.key) ?? bins.map(() => 0);
      values[at] = (values[at] ?? 0) + amount(part, metric);
      byName.set(part.key, values);
    }
  }
  return { unit, bins, byName };
}

function makeBins(first: string, last: string): { unit: Unit; bins: Bin[] } {
  const days: string[] = [];
  // In UTC every day has 24 hours.
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs)
    days.push(new Date(at).toISOString().slice(0, 10));
  if (days.length <= maxDays) return { unit: "day", bins: days.map((day) => ({ from: day, to: day })) };
  const isWeekly = days.length <= maxWeeks * 7;
  const bins: { from: string; to: string }[] = [];
  let open: { from: string; to: string } | undefined;
  for (const day of days) {
    const isFirst = isWeekly ? new Date(day).getUTCDay() === 1 : day.endsWith("-01");
    if (open === undefined || isFirst) bins.push((open = { from: day, to: day }));
    else open.to = day;
  }
  return { unit: isWeekly ? "week" : "month", bins };
}
