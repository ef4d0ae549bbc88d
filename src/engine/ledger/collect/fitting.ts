import { sha256Base64Url } from "../../base/hash.ts";
import { scrubName } from "../../base/scrub.ts";

/** Maximum length that entries accept. A longer text is not a real name, and is dropped. */
const maxNameLength = 4096;
/** Maximum length of ids that are remembered as such. Longer ones are remembered as digests. */
const maxKeyLength = 40;

/** The name if an entry accepts it, or null. */
export function nameOrNull(name: string | null): string | null {
  return name !== null && name.length <= maxNameLength ? name : null;
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

/** The form in which a reader remembers an id: a short id itself, else its digest. */
export function shortKey(id: string): string {
  return id.length <= maxKeyLength ? id : sha256Base64Url(id, 16);
}
