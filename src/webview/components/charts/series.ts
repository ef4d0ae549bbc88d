/** Maximum series of a chart: more cannot be distinguished at a glance. */
const maxSeries = 5;

export interface Series {
  readonly name: string;
  /** The theme's chart colour; null for a series without a colour of its own, such as all others together. */
  readonly tone: number | null;
}

export interface NamedValues {
  readonly name: string;
  /** One per column. */
  readonly values: readonly number[];
}

export interface Mark {
  /** The mark is before this column. */
  readonly column: number;
  readonly name: string;
}

/** A value across the whole chart, with its name. */
export interface Level {
  readonly name: string;
  readonly value: number;
}

/** A range of values across the whole chart, with its name. */
export interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly tone: "doubt" | "bad";
}

/** Keeps the largest series, largest first, and sums up all others. */
export function largestSeries(
  all: readonly NamedValues[],
  otherName: (count: number) => string,
): { readonly series: readonly Series[]; readonly values: readonly (readonly number[])[] } {
  const ranked = all
    .map((one) => ({ ...one, total: sum(one.values) }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total);
  const own = ranked.length <= maxSeries ? ranked : ranked.slice(0, maxSeries);
  const others = ranked.slice(own.length);
  const series: Series[] = own.map(({ name }, tone) => ({ name, tone }));
  const values: (readonly number[])[] = own.map((one) => one.values);
  if (others.length > 0) {
    const [only] = others.length === 1 ? others : [];
    series.push({ name: only?.name ?? otherName(others.length), tone: null });
    const columns = Math.max(...others.map((one) => one.values.length));
    values.push(
      Array.from({ length: columns }, (_, index) => sum(others.map((one) => one.values[index] ?? 0))),
    );
  }
  return { series, values };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
