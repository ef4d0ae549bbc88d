import { sha256 } from "./sha256.ts";

/** What a fixture's files are: the SHA-256 of each by its path below the fixture's folder, with `/`. */
export type FixtureManifest = ReadonlyMap<string, string>;

/** SHA-256 over a fixture's paths and hashes, in the order of their bytes. */
export function manifestHash(manifest: FixtureManifest): string {
  const lines = [...manifest].map(([path, hash]) => `${hash}  ${path}\n`);
  return sha256(lines.toSorted((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1)).join(""));
}

/** Paths of a fixture that differ from its manifest. */
export interface FixtureDifference {
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

/** How a fixture differs from its manifest, or null. */
export function compareManifest(wanted: FixtureManifest, found: FixtureManifest): FixtureDifference | null {
  const changed = [...wanted].flatMap(([path, hash]) => {
    const is = found.get(path);
    return is === undefined || is === hash ? [] : [path];
  });
  const missing = [...wanted.keys()].filter((path) => !found.has(path));
  const extra = [...found.keys()].filter((path) => !wanted.has(path));
  const isSame = changed.length + missing.length + extra.length === 0;
  return isSame ? null : { changed, missing, extra };
}

/** The difference in words, each file by its name. */
export function differenceInWords({ changed, missing, extra }: FixtureDifference): string {
  return [["changed", changed] as const, ["missing", missing] as const, ["not of it", extra] as const]
    .filter(([, paths]) => paths.length > 0)
    .map(([what, paths]) => `${what}: ${named(paths)}`)
    .join("; ");
}

const mostNamed = 10;

function named(paths: readonly string[]): string {
  const names = paths.toSorted().slice(0, mostNamed).join(", ");
  return paths.length > mostNamed ? `${names} and ${paths.length - mostNamed} more` : names;
}
