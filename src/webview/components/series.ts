/** More cannot be told apart at a glance. */
const mostSeries = 5;

export interface Series {
  readonly name: string;
  /** Which of the theme's chart colours; null is what has no colour of its own, such as all others together. */
  readonly tone: number | null;
}

export interface NamedValues {
  readonly name: string;
  /** One a column. */
  readonly values: readonly number[];
}

/** The largest few each by itself, the largest first, and all others as one. */
export function largestSeries(
  all: readonly NamedValues[],
  otherName: (count: number) => string,
): { readonly series: readonly Series[]; readonly values: readonly (readonly number[])[] } {
  const ranked = all
    .map((one) => ({ ...one, total: sum(one.values) }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total);
  const own = ranked.length <= mostSeries ? ranked : ranked.slice(0, mostSeries);
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
