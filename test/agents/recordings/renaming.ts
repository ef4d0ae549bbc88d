import { createHash } from "node:crypto";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const agentId = /^a[0-9a-f]{16}$/;
const digest = /^(?:[0-9a-f]{16}|[0-9a-f]{64})$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Start time of the recordings: a morning on which today's list prices hold. Milliseconds since the epoch. */
export const recordedAt = Date.parse("2026-11-02T09:00:00.000Z");

/** The gap before the `rank`th moment of a recording. Milliseconds. */
export type Spacing = (rank: number) => number;

/** Gives ids, hashes, times and folders names that are identical in every recording of the same work. */
export interface Renaming {
  /** The new name, or null when the text is none of these. */
  rename(text: string): string | null;
  /** The text with the scratch folders' paths replaced. */
  relocate(text: string): string;
}

/**
 * @param seed goes into every new name, so that two recordings never share an id
 * @param times every timestamp of the recording; their order and equality are preserved
 * @param folders pairs of a real path and its replacement, longest real path first
 */
export function makeRenaming(
  seed: string,
  times: Iterable<string>,
  folders: readonly (readonly [string, string])[],
  spacing: Spacing,
): Renaming {
  const moments = new Map<string, string>();
  let at = recordedAt;
  for (const [rank, moment] of [...new Set(times)].sort().entries()) {
    at += spacing(rank);
    moments.set(moment, new Date(at).toISOString());
  }
  const names = new Map<string, string>();
  const nth = (text: string, name: (serial: number) => string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const given = name(names.size + 1);
    names.set(text, given);
    return given;
  };
  const hash = (serial: number): string => createHash("sha256").update(`${seed} ${serial}`).digest("hex");
  return {
    rename: (text) => {
      if (uuid.test(text)) {
        return nth(text, (n) => `${hash(n).slice(0, 8)}-0000-4000-8000-${String(n).padStart(12, "0")}`);
      }
      if (agentId.test(text)) return nth(text, (n) => `a${hash(n).slice(0, 16)}`);
      if (digest.test(text)) return nth(text, (n) => hash(n).slice(0, text.length));
      if (time.test(text)) return moments.get(text) ?? null;
      return null;
    },
    relocate: (text) => folders.reduce((moved, [from, to]) => moved.replaceAll(from, to), text),
  };
}

/** Every timestamp in the lines, as written. */
export function timesIn(text: string): string[] {
  return text.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g) ?? [];
}
