import { librarySentence, compose, isSentence, type Sentence } from "./language.ts";
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

// Without it, each message of a schema is "Invalid input". Of `z.locales`, a bundler would include every language.
z.config(en());

/** Returns what a schema finds wrong in a value, with messages in English for the person who wrote the value. */
export function issuesOf({ issues }: z.core.$ZodError): readonly z.core.$ZodIssue[] {
  return issues;
}

/** Returns what an issue says, and where in the value. A refinement gives a sentence with values as its parameter `sentence`. */
export function issueSentence(issue: z.core.$ZodIssue): Sentence {
  const { path, message } = issue;
  const own: unknown = issue.code === "custom" ? issue.params?.["sentence"] : undefined;
  const words = isSentence(own) ? own : librarySentence(message);
  return path.length === 0 ? words : compose`${path.map(String).join(".")}: ${words}`;
}

export function firstIssue({ issues: [issue] }: z.core.$ZodError): Sentence | undefined {
  return issue === undefined ? undefined : issueSentence(issue);
}

/** Returns the issues as a text of several lines, with the path of each. */
export function issuesText(error: z.core.$ZodError): string {
  return z.prettifyError(error);
}
