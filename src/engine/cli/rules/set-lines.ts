import { wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import type { RuleView } from "../../rules/answers.ts";
import type { SetOutcome, SettledSet } from "../../rules/together/set.ts";
import type { SetDecision } from "../../verdict/retention.ts";
import type { SelectJson } from "./select-schema.ts";

/** The consequence of a set's verdict, for the person who approves. */
const setWords: Readonly<Record<SetDecision, string>> = {
  confirmed: "confirmed",
  refused: "rejected, so none of them is added",
  undecided: "undecided, so none is added automatically; each has its own report and can still be approved",
};

export function setLine({ found, decision, receipt }: SettledSet): string {
  const of = receipt.set?.length ?? found.length;
  return `All ${of} rules together, against none: ${setWords[decision]}. ${receipt.verdict.reason} Report ${receipt.id}`;
}

/** Says of a rule what all that would be active with it do as a whole; empty where it is about none. */
export function wholeSetLine({ set, agent, status }: Pick<RuleView, "set" | "agent" | "status">): string {
  if (set === undefined) return "";
  if (set.decision === null)
    return `It and ${set.rules - 1} more have passed, and were not measured together: purser select ${cleanText(agent)} --confirm does it\n`;
  const words = status === "active" && set.decision === "undecided" ? "undecided" : setWords[set.decision];
  return `All ${set.rules} rules together, against none: ${words}. ${cleanText(set.reason)} Report ${cleanText(set.receiptId ?? "")}\n`;
}

/** Says that a set was not confirmed, and how to; null where it was. */
export function unpaidLine(set: SetOutcome | null, agent: string): string | null {
  if (set?.kind !== "unpaid") return null;
  const takes = set.tokens === null ? "" : `, which takes ~${wholeNumber(set.tokens)} tokens or more`;
  return `The ${set.found.length} rules that were found are not confirmed together: the limit is too low for that${takes}. purser select ${agent} --confirm does it`;
}

export function setToJson(set: SetOutcome): NonNullable<SelectJson["set"]> {
  const found = [...set.found];
  return set.kind === "settled"
    ? { found, decision: set.decision, receipt: set.receipt }
    : { found, decision: null, receipt: null };
}
