import { t } from "../../engine/base/language.ts";
import type { Overview } from "../../engine/ledger/ledger-answers.ts";
import { largestSeries, type Series } from "../components/charts/series.ts";
import { amount, type Metric } from "./describe-ledger.ts";

export type Unit = "day" | "week" | "month";

export interface Bin {
  /** The bin's first and last day. */
  readonly from: string;
  readonly to: string;
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
 * Makes a series for each model from the overview's days: one bar per day, or per week or month if there are many days.
 * Days without a response are included, empty.
 */
export function daySeries(
  { days }: Pick<Overview, "days">,
  { since, until, metric }: { since: string | null; until: string | null; metric: Metric },
): DaySeries {
  const first = since ?? days[0]?.day;
  const last = until ?? days.at(-1)?.day;
  if (first === undefined || last === undefined || first > last)
    return { unit: "day", bins: [], series: [], values: [] };
  const { unit, bins } = makeBins(first, last);
  const models = new Map<string, number[]>();
  let at = 0;
  for (const { day, models: parts } of days) {
    while (at < bins.length - 1 && day > (bins[at]?.to ?? "")) at += 1;
    for (const part of parts) {
      const key = part.key ?? t("unknown");
      const values = models.get(key) ?? bins.map(() => 0);
      values[at] = (values[at] ?? 0) + amount(part, metric);
      models.set(key, values);
    }
  }
  const named = [...models].map(([name, values]) => ({ name, values }));
  return { unit, bins, ...largestSeries(named, (count) => t("{0} other models", count)) };
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
