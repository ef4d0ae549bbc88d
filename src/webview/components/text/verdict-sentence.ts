import { inLanguage } from "../../../engine/base/text/in-language.ts";
import type { ComparisonView } from "../../../engine/jobs/answers/compare.ts";

/** The verdict of a comparison, which its receipt has in English. */
export function verdictSentence({ sentence }: Pick<ComparisonView, "sentence">): string {
  return inLanguage(sentence);
}

/** The same of a rule, or of a set of rules. */
export function verdictReason({ reason }: Pick<ComparisonView, "reason">): string {
  return inLanguage(reason);
}
