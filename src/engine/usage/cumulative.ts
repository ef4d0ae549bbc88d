/** Numbers by the names their agent gives them. */
export type Counters = Readonly<Record<string, number>>;

export interface Increase {
  readonly delta: Counters;
  /** The counters began anew: `delta` is all they have counted since. */
  readonly isReset: boolean;
}

/**
 * What cumulative counters have counted since `previous`. Counters of one source begin anew together, so one that went
 * back makes the whole of `current` new: never per field, which would mix two sources' numbers. A counter that only one
 * of the two names is no evidence of a reset: it counts from zero when it is new, and not at all when it is gone.
 */
export function increaseOf(previous: Counters | null, current: Counters): Increase {
  if (previous === null) return { delta: current, isReset: false };
  if (Object.entries(current).some(([name, value]) => value < (previous[name] ?? 0)))
    return { delta: current, isReset: true };
  return { delta: mapCounters(current, (value, name) => value - (previous[name] ?? 0)), isReset: false };
}

/** The sum of the counters both name, and of those only one does. */
export function addCounters(one: Counters, other: Counters): Counters {
  return mapCounters({ ...one, ...other }, (_, name) => (one[name] ?? 0) + (other[name] ?? 0));
}

/** Those of an agent's fields that are counters and have a number. */
export function pickCounters<Name extends string>(
  reported: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): Counters {
  const counters: Record<string, number> = {};
  for (const name of names) {
    const value = reported[name];
    if (typeof value === "number") counters[name] = value;
  }
  return counters;
}

function mapCounters(counters: Counters, change: (value: number, name: string) => number): Counters {
  return Object.fromEntries(
    Object.entries(counters).map(([name, value]): [string, number] => [name, change(value, name)]),
  );
}

export function isZero(counters: Counters): boolean {
  return Object.values(counters).every((value) => value === 0);
}

/** The same numbers under the same names; a counter that is not named is zero. */
export function isSame(one: Counters, other: Counters): boolean {
  return Object.keys({ ...one, ...other }).every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}
