import * as z from "zod/mini";

/**
 * Schemas for members that all agents write alike. Unexpected values become null, so that they never invalidate the
 * rest of the row.
 */
export const optionalText = z.catch(z.nullish(z.string()), null);

/** A token counter. A value that is not a whole number from 0 up invalidates its row instead of falsifying a sum. */
export const tokens = z.int().check(z.nonnegative());
/** The same where it may be missing. */
export const maybeTokens = z.nullish(tokens);

// One schema takes 2 KB, and `nullish` and `catch` create one each, so schemas that many rows need are shared.
export const optionalTokens = z.catch(maybeTokens, null);
export const optionalFlag = z.catch(z.nullish(z.boolean()), null);
export const optionalNumber = z.catch(z.nullish(z.number()), null);

/** An ISO 8601 time, as milliseconds since the epoch. */
export const optionalTime = z.catch(
  z.nullish(
    z.pipe(
      z.string(),
      z.transform((value) => {
        const at = Date.parse(value);
        return Number.isNaN(at) ? null : at;
      }),
    ),
  ),
  null,
);

/** The last moment that a date can hold. Milliseconds since the epoch. */
const endOfTime = 8.64e15;

/** A time as agents write it in numbers: milliseconds since the epoch. */
export const epochTime = z.number().check(z.nonnegative(), z.maximum(endOfTime));

/** Length of a text, or of anything else as JSON; null for null and undefined. Characters. */
export function sizeOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

/**
 * Joins the parts of a long-lived name by spaces. A template would keep a node for each part beside the text, which together
 * take more memory than the name.
 */
export function joined(...parts: readonly (string | number)[]): string {
  return parts.join(" ");
}
