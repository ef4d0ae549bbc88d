import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { readSentence, type SentenceReason } from "../read-sentence.ts";
import { ruleText } from "../rule.ts";
import { english } from "../../base/text/english.ts";

const answerSchema = z.strictObject({ rules: z.array(z.string().max(400)).max(2) });
/** Characters. */
const longestAnswer = 4000;

export interface DistilAnswer {
  /** Texts of rules, including their scopes. */
  readonly rules: readonly string[];
  /** What was refused, and why: the model is not asked again. */
  readonly refused: readonly { readonly reason: SentenceReason; readonly detail: string }[];
}

/** Parses a model's answer: this JSON and nothing else. */
export function readDistilAnswer(text: string): Result<DistilAnswer, "not_the_answer"> {
  const parsed = text.length > longestAnswer ? undefined : answerSchema.safeParse(parseJson(text)).data;
  if (parsed === undefined)
    return fail("not_the_answer", english('the answer is not {"rules":[…]} with at most two sentences'));
  const read = parsed.rules.map(readSentence);
  return succeed({
    rules: read.flatMap((each) => (each.ok ? [ruleText(each.value)] : [])),
    refused: read.flatMap((each) => (each.ok ? [] : [{ reason: each.reason, detail: each.detail }])),
  });
}
