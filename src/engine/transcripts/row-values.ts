import * as z from "zod";

/**
 * Schemas for members that all agents write alike. Unexpected values become null, so that they never invalidate the
 * rest of the row.
 */
export const optionalText = z.string().nullish().catch(null);

/** A token counter. A value that is not a whole number from 0 up invalidates its row instead of falsifying a sum. */
export const tokens = z.int().nonnegative();
/** The same where it may be missing. */
export const maybeTokens = tokens.nullish();

// One schema takes 2 KB, and `nullish` and `catch` create one each, so schemas that many rows need are shared.
export const optionalTokens = maybeTokens.catch(null);
export const optionalFlag = z.boolean().nullish().catch(null);
export const optionalNumber = z.number().nullish().catch(null);

/** An ISO 8601 time, as milliseconds since the epoch. */
export const optionalTime = z
  .string()
  .transform((value) => {
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : at;
  })
  .nullish()
  .catch(null);

/** The last moment that a date can hold. Milliseconds since the epoch. */
const endOfTime = 8.64e15;

/** A time as agents write it in numbers: milliseconds since the epoch. */
export const epochTime = z.number().nonnegative().max(endOfTime);
