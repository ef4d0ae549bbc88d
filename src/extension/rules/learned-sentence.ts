import { cleanText } from "../../engine/base/text.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";

/**
 * Returns the sentence with which something that was learned begins as a rule: its user reads and changes it before it is proposed. What was
 * learned is without secrets already; its counts are left out, as they change.
 */
export function ruleSentence({ kind, text, remedy, state }: LearnedItem): string {
  const sentence = state === "edited" ? text : asAdvice(kind, text, remedy);
  return cleanText(sentence).slice(0, maxLength);
}

/** Maximum length of a rule's sentence. Characters. */
const maxLength = 200;

function asAdvice(kind: LearnedItem["kind"], text: string, remedy: string | null): string {
  const uncounted = text.replace(/(?<!\s)\s*\(\d+ of \d+\)$/u, "");
  switch (kind) {
    case "repair": {
      const [, error = "", tool = ""] = /^“(.+)” \(([^“”]+?)\) was gone after: /u.exec(text) ?? [];
      return `When ${tool} says “${error.slice(0, 90)}”, try first: ${remedy ?? ""}`;
    }
    case "sequence": {
      const [, check = "", steps = ""] = /^(\S+) passes more often after (.+?): /u.exec(text) ?? [];
      return `Before running ${check}, ${steps}.`;
    }
    case "dead-end":
      return `Do not try again: ${uncounted}`;
    case "convention":
    case "error":
      return `${uncounted}.`;
  }
}
