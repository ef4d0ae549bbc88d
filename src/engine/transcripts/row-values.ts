import * as z from "zod";

/** Parts of rows that agents write alike. What is not as expected is null, so that it never costs the rest of its row. */
export const optionalText = z.string().nullish().catch(null);

/** A counter of tokens. A value that is not a whole number from 0 up spoils its row rather than a sum. */
export const tokens = z.int().nonnegative();

/** A time in ISO 8601, as milliseconds since the epoch. */
export const optionalTime = z
  .string()
  .transform((value) => {
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : at;
  })
  .nullish()
  .catch(null);
