/** Numbers under the names used by their agent. */
export type Counters = Readonly<Record<string, number>>;

export interface Increase {
  readonly delta: Counters;
  /** Whether the counters started over: then `delta` is all they have counted since. */
  readonly isReset: boolean;
}

/**
 * Returns the increase of cumulative counters since `previous`. Counters of one source start over together, so if one
 * went back, all of `current` is new. This never applies per field, which would mix two sources' numbers. A counter
 * that only one side has is not evidence of a reset: a new one counts from zero, a missing one not at all.
 */
export function increaseOf(previous: Counters | null, current: Counters): Increase {
  if (previous === null) return { delta: current, isReset: false };
  if (Object.entries(current).some(([name, value]) => value < (previous[name] ?? 0)))
    return { delta: current, isReset: true };
  return { delta: mapCounters(current, (value, name) => value - (previous[name] ?? 0)), isReset: false };
}

/** Adds counters by name; a missing one counts as zero. */
export function addCounters(one: Counters, other: Counters): Counters {
  return mapCounters({ ...one, ...other }, (_, name) => (one[name] ?? 0) + (other[name] ?? 0));
}

/** Picks the named counters of an agent's fields that are numbers. */
export function pickCounters<Name extends string>(
  fields: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): Counters {
  const counters: Record<string, number> = {};
  for (const name of names) {
    const value = fields[name];
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

/** Whether counters are equal; a missing one counts as zero. */
export function isSame(one: Counters, other: Counters): boolean {
  return Object.keys({ ...one, ...other }).every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}
