import { succeed, type Result } from "../../engine/base/result.ts";
import { asSentence, cleanText } from "../../engine/base/text.ts";
import type { Proposed } from "../../engine/rules/rules-answers.ts";
import { readSentence } from "../../engine/rules/distil.ts";
import { inWords, sentence, type Sentence } from "../../engine/base/language.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";

interface WriteRulePorts {
  /**
   * Lets the user write a text; undefined if they give up.
   * @param validate returns what is wrong with a text
   */
  readonly write: (
    value: string,
    validate: (typed: string) => string | undefined,
  ) => PromiseLike<string | undefined>;
  readonly propose: (text: string) => Promise<Result<Proposed | undefined>>;
}

/**
 * Lets the user write a rule, and shows its faults during typing. A refused text, such as one of an existing
 * rule, stays in the input with the reason. Returns the new rule's id; undefined if the user gives up.
 */
export async function writeRule(
  first: string,
  { write, propose }: WriteRulePorts,
): Promise<Result<string> | undefined> {
  const refused = new Map<string, Sentence>();
  const validate = (typed: string) => {
    const read = readSentence(typed);
    const problem = read.ok ? refused.get(typed.trim()) : read.detail;
    return problem === undefined ? undefined : asSentence(inWords(problem));
  };
  let value = first;
  for (;;) {
    const text = await write(value, validate);
    if (text === undefined) return undefined;
    const made = await propose(text);
    if (!made.ok) return made;
    const { id = null, refused: why = null } = made.value ?? {};
    if (id !== null) return succeed(id);
    refused.set(text.trim(), why ?? sentence("it was not added"));
    value = text;
  }
}

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
