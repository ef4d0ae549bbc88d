import type { RunSample } from "./verdict.ts";

/** 1 where the first run of a pair has the rule, -1 where the second has it. */
type Sign = 1 | -1;

/** Maximum rules that one design measures together. */
export const maxTogether = 16;

/**
 * Returns the smallest orthogonal array for this many rules: as many rows as columns or a few more, in which any two
 * columns agree as often as they differ (Hadamard 1893; Plackett and Burman 1946). A row is a pair of runs: the first
 * has the rules of sign 1, the second all others. Such mirrored pairs fold the array over, so that two rules that act
 * together are not taken for the effect of a third (Box and Wilson 1951).
 * @param count rules, from 1 to `maxTogether`
 */
export function orthogonalRows(count: number): readonly (readonly Sign[])[] {
  return hadamard(orderFor(count)).map((row) => row.slice(0, count));
}

function orderFor(count: number): 1 | 2 | 4 | 8 | 12 | 16 {
  if (count <= 2) return count <= 1 ? 1 : 2;
  if (count <= 8) return count <= 4 ? 4 : 8;
  return count <= 12 ? 12 : 16;
}

function hadamard(order: number): Sign[][] {
  if (order === 1) return [[1]];
  if (order === 12) return paley(11);
  // Sylvester's doubling.
  const half = hadamard(order / 2);
  return [
    ...half.map((row) => [...row, ...row]),
    ...half.map((row) => [...row, ...row.map((sign): Sign => (sign === 1 ? -1 : 1))]),
  ];
}

/** Paley's first construction, for a prime with remainder 3 when divided by 4: of order prime + 1. */
function paley(prime: number): Sign[][] {
  const squares = new Set(Array.from({ length: prime - 1 }, (_, index) => (index + 1) ** 2 % prime));
  const rows = Array.from({ length: prime }, (_, row) =>
    Array.from({ length: prime }, (__, column): Sign => {
      const difference = (column - row + prime) % prime;
      return difference === 0 || !squares.has(difference) ? -1 : 1;
    }),
  );
  const first: Sign[] = Array.from({ length: prime + 1 }, () => 1);
  return [first, ...rows.map((row): Sign[] => [1, ...row])];
}

/** One run of a round in which several rules are measured. */
export interface JointRun extends Omit<RunSample, "side" | "together"> {
  /** Ids of the rules under trial that the run had. */
  readonly rules: readonly string[];
}

export function samplesOf(rule: string, runs: readonly JointRun[]): RunSample[] {
  return runs.map(({ rules, ...run }) => ({
    ...run,
    side: rules.includes(rule) ? 1 : 0,
    together: rules.filter((other) => other !== rule),
  }));
}
