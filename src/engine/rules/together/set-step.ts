import { setDecisions, type SetDecision } from "../../verdict/retention.ts";
import { english } from "../../base/text/english.ts";

/** The entry that measuring a whole set leaves in the history of each of its rules. */
export interface SetStep {
  readonly decision: SetDecision;
  /** Rules in the set. */
  readonly rules: number;
  /** The verdict in one sentence, made from figures alone. */
  readonly reason: string;
  readonly receiptId: string;
}

const form = new RegExp(
  `^(${setDecisions.join("|")}) in a set of (\\d{1,4}) rules: (.*) \\(set receipt ([^()]+)\\)$`,
  "u",
);

export function writeSetStep({ decision, rules, reason, receiptId }: SetStep): string {
  return english("{decision} in a set of {rules} rules: {saidReason} (set receipt {receiptId})", {
    decision,
    rules,
    saidReason: reason,
    receiptId,
  });
}

/** Reads a step's reason; null for any other step. */
export function readSetStep(why: string): SetStep | null {
  const [, word, rules = "0", reason = "", receiptId = ""] = form.exec(why) ?? [];
  const decision = setDecisions.find((each) => each === word);
  return decision === undefined ? null : { decision, rules: Number(rules), reason, receiptId };
}
