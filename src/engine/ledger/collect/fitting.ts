import { createHash } from "node:crypto";

/** Entries refuse longer names; what is longer than any real one is not told at all. */
const longestName = 4096;
/** Longer ids are remembered by their digest. */
const longestKey = 40;

/** A name as an entry takes it, or null. */
export function fittingName(name: string | null): string | null {
  return name !== null && name.length <= longestName ? name : null;
}

/** An id as an entry takes it, or null. */
export function fittingId(id: string): string | null {
  return id === "" ? null : fittingName(id);
}

/** A sum that got beyond what a number holds exactly stays there. */
export function fittingCount(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}

/** An id as a reader remembers it: itself where it is short. */
export function shortKey(id: string): string {
  return id.length <= longestKey ? id : createHash("sha256").update(id).digest("base64url").slice(0, 16);
}
