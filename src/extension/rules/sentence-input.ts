import { succeed, type Result } from "../../engine/base/result.ts";
import { asSentence } from "../../engine/base/text.ts";
import type { Proposed } from "../../engine/rules/answers.ts";
import { readSentence } from "../../engine/rules/distil.ts";
import { inWords, sentence, type Sentence } from "../../engine/base/language.ts";

export interface WriteRulePorts {
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
