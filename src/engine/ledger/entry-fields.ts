import * as z from "zod";

/**
 * What fields of journal entries are made of. Null is "not told", and never erases what was told before. Texts are
 * names, ids and paths, never what a tool or a file said, and are cut off by refusing: no id is longer than this.
 */
const longestName = 4096;

export const name = z.string().max(longestName);
export const id = z.string().min(1).max(longestName);
/** Whole and not negative: tokens, bytes, milliseconds, calls. */
export const count = z.int().nonnegative();
/** Milliseconds since the epoch. */
const time = z.int();

export const maybeName = name.nullable().default(null);
export const maybeCount = count.nullable().default(null);
export const maybeTime = time.nullable().default(null);
export const maybeFlag = z.boolean().nullable().default(null);
export const maybeNumber = z.number().nullable().default(null);

export function entryOf<Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) {
  return z.object({ kind: z.literal(kind), ...shape });
}
