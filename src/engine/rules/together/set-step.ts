import { setDecisions, type SetDecision } from "../../verdict/retention.ts";
import { isSentence, plainSentence, sentence, type Sentence } from "../../base/language.ts";

/** The entry that measuring a whole set leaves in the history of each of its rules. */
export interface SetStep {
  readonly decision: SetDecision;
  /** Rules in the set. */
  readonly rules: number;
  /** The verdict in one sentence, made from figures alone. */
  readonly reason: Sentence;
  readonly receiptId: string;
}

const form = new RegExp(
  `^(${setDecisions.join("|")}) in a set of (\\d{1,4}) rules: (.*) \\(set receipt ([^()]+)\\)$`,
  "u",
);

export function writeSetStep({ decision, rules, reason, receiptId }: SetStep): Sentence {
  return sentence("{decision} in a set of {rules} rules: {reason} (set receipt {receiptId})", {
    decision,
    rules,
    reason: reason,
    receiptId,
  });
}

/** Reads a step's reason; null for any other step. */
export function readSetStep(why: Sentence): SetStep | null {
  const [, word, rules = "0", text = "", receiptId = ""] = form.exec(why.text) ?? [];
  const decision = setDecisions.find((each) => each === word);
  if (decision === undefined) return null;
  const reason = Object.values(why.values).find(isSentence) ?? plainSentence(text);
  return { decision, rules: Number(rules), reason, receiptId };
}
