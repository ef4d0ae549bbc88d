import * as z from "zod/mini";
import { sha256Hex } from "../../base/hash.ts";
import type { Evidence } from "../../verdict/evidence.ts";
import type { Receipt } from "../../verdict/receipt.ts";
import { type SetDecision, setDecisions } from "../../verdict/retention.ts";
import { isSentence, plainSentence, sentence, type Sentence } from "../../base/language.ts";

/** Maximum rounds of a confirmation: a set of rules that save shows it soon, or what is wrong with it. */
export const confirmRounds = 10;
/** Rounds after which most sets are confirmed. */
export const usualConfirmRounds = 5;

const id = z.string().check(z.minLength(1), z.maxLength(200));

/** Rules that a selection found to save with the same runs, until they are confirmed as a whole. */
export const foundRules = z.object({
  version: z.literal(1),
  /** Covers everything that decides a run's outcome besides the rules. */
  key: z.string().check(z.maxLength(400)),
  rules: z.array(id).check(z.minLength(1)),
});
export type FoundRules = z.infer<typeof foundRules>;

/** Access to what the selection of an agent and driver that is under way has found. */
export interface FoundStore {
  readonly load: () => Promise<FoundRules | null>;
  readonly save: (found: FoundRules | null) => Promise<void>;
}

export interface SettledSet {
  readonly found: readonly string[];
  readonly decision: SetDecision;
  readonly receipt: Receipt;
  /** Samples, to be pooled when the same set is measured again. */
  readonly evidence: Evidence;
}

export type SetOutcome =
  | ({ readonly kind: "settled" } & SettledSet)
  /** The budget that is left does not pay for its rounds. */
  | { readonly kind: "unpaid"; readonly found: readonly string[]; readonly tokens: number | null };

/** Names a set by the rules in it: evidence about it is pooled by this name. */
export function setId(agent: string, rules: readonly string[]): string {
  const words = rules.toSorted().join("\n");
  return `${setPrefix(agent)}${sha256Hex(words, 12)}`;
}

/** Prefix of the ids of an agent's sets. Ids of rules never have it. */
export function setPrefix(agent: string): string {
  return `set.${agent}.`;
}

/** The entry that measuring a whole set leaves in the history of each of its rules. */
export interface SetStep {
  readonly decision: SetDecision;
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

export function readSetStep(why: Sentence): SetStep | null {
  const [, word, rules = "0", text = "", receiptId = ""] = form.exec(why.text) ?? [];
  const decision = setDecisions.find((each) => each === word);
  if (decision === undefined) return null;
  const reason = Object.values(why.values).find(isSentence) ?? plainSentence(text);
  return { decision, rules: Number(rules), reason, receiptId };
}
