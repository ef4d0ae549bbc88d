import { recordedAt, timesIn } from "./renaming.ts";
import type { Renaming } from "./renaming.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const whole = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Renames Codex's ids, which begin with their time, in the same order, so that comparisons of earlier and later still
 * hold. Times become seconds apart, starting at `recordedAt`.
 *
 * @param texts all files of the recording
 * @param seed a number that makes the ids unique to this recording
 */
export function makeCodexRenaming(
  texts: readonly string[],
  folders: readonly (readonly [string, string])[],
  seed: number,
): Renaming {
  const all = texts.join("\n");
  const moments = new Map(
    [...new Set(timesIn(all))]
      .sort()
      .map((time, rank): [string, string] => [time, new Date(recordedAt + rank * 1000).toISOString()]),
  );
  const ids = new Map(
    [...new Set(all.match(uuid) ?? [])].sort().map((id, rank): [string, string] => [id, timedId(rank, seed)]),
  );
  return {
    rename: (text) => moments.get(text) ?? ids.get(text) ?? (whole.test(text) ? timedId(0, seed) : null),
    relocate: (text) =>
      folders
        .reduce((moved, [from, to]) => moved.replaceAll(from, to), text)
        .replace(uuid, (id) => ids.get(id) ?? id),
  };
}

/** A version 7 UUID: 48 bits of milliseconds, then arbitrary bits. */
function timedId(rank: number, seed: number): string {
  const time = (recordedAt + rank * 1000).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(seed * 10_000 + rank).padStart(12, "0")}`;
}
