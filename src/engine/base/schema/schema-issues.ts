import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

// Without it, each message of a schema is "Invalid input". Of `z.locales`, a bundler would include every language.
z.config(en());

/** Returns what a schema finds wrong in a value, with messages in English for the person who wrote the value. */
export function issuesOf({ issues }: z.core.$ZodError): readonly z.core.$ZodIssue[] {
  return issues;
}

/** Returns the issues as a text of several lines, with the path of each. */
export function issuesText(error: z.core.$ZodError): string {
  return z.prettifyError(error);
}
