import { inWords } from "../../../engine/base/language.ts";
import type { ComparisonView } from "../../../engine/jobs/compare-answers.ts";

/** The verdict of a comparison, which its receipt has in English. */
export function verdictSentence({ sentence }: Pick<ComparisonView, "sentence">): string {
  return inWords(sentence);
}

/** The same of a rule, or of a set of rules. */
export function verdictReason({ reason }: Pick<ComparisonView, "reason">): string {
  return inWords(reason);
}
