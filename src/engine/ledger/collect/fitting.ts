import { sha256Base64Url } from "../../base/hash.ts";
import { scrubName } from "../../base/text/scrub.ts";

/** Entries refuse longer names. Anything longer than a real name is dropped. */
const longestName = 4096;
/** Longer ids are remembered as digests. */
const longestKey = 40;

/** The name if an entry accepts it, or null. */
export function nameOrNull(name: string | null): string | null {
  return name !== null && name.length <= longestName ? name : null;
}

/** The name of a branch if an entry accepts it, without keys, or null. */
export function branchOrNull(name: string | null): string | null {
  return name === null ? null : nameOrNull(scrubName(name));
}

/** The id if an entry accepts it, or null. */
export function idOrNull(id: string): string | null {
  return id === "" ? null : nameOrNull(id);
}

/** Caps a sum at the largest integer that a number holds exactly. */
export function cappedCount(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}

/** The form in which a reader remembers an id: the id itself if it is short, else its digest. */
export function shortKey(id: string): string {
  return id.length <= longestKey ? id : sha256Base64Url(id, 16);
}
