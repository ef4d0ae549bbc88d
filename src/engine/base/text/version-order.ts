/**
 * Returns a number below 0 if `a` is older than `b`. A text that is not a version of three numbers is older
 * than any.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const differing = left.findIndex((number, index) => number !== right[index]);
  return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

function numbersOf(version: string): number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/u.exec(version)?.slice(1).map(Number);
  return parts ?? [-1, -1, -1];
}

export function isVersionBefore(version: string, other: string): boolean {
  return compareVersions(version, other) < 0;
}
