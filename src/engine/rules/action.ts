import { admit, retain } from "../verdict/retention.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { statusWords, type Rule, type RuleStatus } from "./rule.ts";
import { mayBeTried } from "./trial/trial.ts";
import { readSetStep, writeSetStep, type SetStep } from "./together/set.ts";
import { isSentence, sentence, type Sentence } from "../base/language.ts";

export type RuleAction =
  /** The user approves it for measuring; after it has passed, for the agent's memory. */
  | { readonly kind: "approve" }
  | { readonly kind: "reject"; readonly why: string }
  | { readonly kind: "protect"; readonly isProtected: boolean }
  | {
      readonly kind: "measured";
      readonly verdict: Verdict;
      readonly receiptId: string;
      /** Whether a rule that passed becomes active without asking. */
      readonly isActivated: boolean;
      /** Processing tokens that a completed run is expected to save: shrunken. Absent if only the verdict is known. */
      readonly saving?: number | null;
      /** What is expected of a candidate. Absent if only its verdict counts. */
      readonly expected?: { readonly isWorth: boolean; readonly why: Sentence };
    }
  /** The user admits it because of a trial on real work. */
  | { readonly kind: "tried"; readonly why: Sentence }
  /** A trial found it to be harmful, and its owner had agreed that such a rule is switched off. */
  | { readonly kind: "turned"; readonly why: Sentence }
  /** Found with others; their set was measured as a whole. */
  | ({ readonly kind: "set"; readonly isActivated: boolean } & SetStep)
  /** Reverts the user's own last step. */
  | { readonly kind: "undo"; readonly last: RuleStep }
  /** Another rule replaced it before it was ever measured. */
  | { readonly kind: "replaced"; readonly by: string };

export interface RuleStep {
  readonly at: number;
  readonly who: string;
  readonly from: RuleStatus | null;
  readonly to: RuleStatus;
  readonly why: Sentence;
}

export type RuleActReason = "not_possible";

interface By {
  readonly who: string;
  readonly at: number;
}

/** Applies an action to a rule. An action that is not possible in the rule's status changes nothing and fails with the reason. */
export function applyAction(
  rule: Rule,
  what: RuleAction,
  { who, at }: By,
): Result<{ readonly rule: Rule; readonly step: RuleStep }, RuleActReason> {
  const next = nextOf(rule, what, at);
  if (isSentence(next)) return fail("not_possible", next);
  const { why, ...changed } = next;
  const isDecision = changed.status !== undefined && changed.status !== rule.status;
  const decided = isDecision ? { decidedAt: at, decidedReason: why } : {};
  const after: Rule = { ...rule, ...changed, ...decided };
  return succeed({ rule: after, step: { at, who, from: rule.status, to: after.status, why } });
}

type Change = Partial<Pick<Rule, "status" | "isProtected" | "strikes" | "saving" | "auditedAt">> & {
  readonly why: Sentence;
};

function nextOf(rule: Rule, what: RuleAction, at: number): Change | Sentence {
  switch (what.kind) {
    case "approve":
      return approved(rule);
    case "reject":
      return rule.status === "evicted"
        ? sentence("it is evicted already")
        : {
            status: "evicted",
            why: what.why === "" ? sentence("rejected") : sentence("rejected: {why}", { why: what.why }),
          };
    case "protect":
      if (rule.isProtected === what.isProtected)
        return what.isProtected ? sentence("it is protected already") : sentence("it is not protected");
      return {
        isProtected: what.isProtected,
        why: what.isProtected
          ? sentence("protected: never evicted, only costed")
          : sentence("no longer protected"),
      };
    case "replaced":
      return rule.status === "candidate"
        ? { status: "evicted", why: sentence("edited: {0} takes its place", what.by) }
        : sentence("only a candidate can be edited; write a new rule instead");
    case "measured":
      return measured(rule, what, at);
    case "tried":
      return mayBeTried(rule)
        ? { status: "active", why: sentence("added to the agent's memory: {why}", { why: what.why }) }
        : sentence("only rules that may be on trial are let in by it, and it is {status}", {
            status: statusWords[rule.status],
          });
    case "turned":
      return mayBeTried(rule)
        ? { status: "evicted", why: what.why }
        : sentence("only rules that may be on trial are switched off by it, and it is {status}", {
            status: statusWords[rule.status],
          });
    case "set":
      return setMeasured(rule, what);
    case "undo":
      return undone(rule, what.last);
  }
}

/** A confirmation can only reject: an undecided rule waits for the user, as before. */
function setMeasured(rule: Rule, what: Extract<RuleAction, { kind: "set" }>): Change | Sentence {
  const why = writeSetStep(what);
  if (rule.status === "active") return { why };
  if (rule.status !== "measured")
    return sentence("only rules that passed are confirmed, and it is {status}", {
      status: statusWords[rule.status],
    });
  if (what.decision === "refused") return { status: "shelved", why };
  return what.decision === "confirmed" && what.isActivated ? { status: "active", why } : { why };
}

/** Neither a measured decision nor a rule's creation can be reverted by hand. */
function undone(rule: Rule, { from, to, why }: RuleStep): Change | Sentence {
  if (from === null || to !== rule.status || why.text.includes("(receipt ") || readSetStep(why) !== null)
    return sentence("there is nothing to take back");
  if (from !== to) return { status: from, why: sentence("taken back: {why}", { why: why }) };
  return { isProtected: !rule.isProtected, why: sentence("taken back: {why}", { why: why }) };
}

function approved({ status, replaces }: Rule): Change | Sentence {
  switch (status) {
    case "candidate":
      return {
        status: "approved",
        why: replaces === null ? sentence("approved") : sentence("approved as edited"),
      };
    case "measured":
      return { status: "active", why: sentence("added to the agent's memory") };
    case "shelved":
      return { status: "approved", why: sentence("to be measured again") };
    case "evicted":
      return { status: "approved", strikes: 0, why: sentence("to be given another chance") };
    case "approved":
      return sentence("it is approved already; purser select measures it");
    case "active":
      return sentence("it is active already");
  }
}

type Measured = Extract<RuleAction, { kind: "measured" }>;

function measured(rule: Rule, what: Measured, at: number): Change | Sentence {
  const { verdict, receiptId, expected, saving = verdict.saving?.value } = what;
  const reason = expected?.why ?? verdict.reason;
  const why = sentence("{reason} (receipt {receiptId})", { reason, receiptId });
  const figures = { saving: saving ?? rule.saving, auditedAt: at };
  if (rule.status === "approved") return { ...figures, ...firstVerdict(rule, what), why };
  if (rule.status === "active") return { ...figures, ...reaudit(rule, verdict), why };
  return sentence("only rules that are approved or active are measured, and it is {status}", {
    status: statusWords[rule.status],
  });
}

function firstVerdict(rule: Rule, { verdict, isActivated, expected }: Measured): Pick<Rule, "status"> {
  const { action } = admit(verdict);
  // Only a person lets in what is worth having and not proved.
  if (action === "shelve" && expected?.isWorth === true) return { status: "measured" };
  if (action === "activate") return { status: isActivated ? "active" : "measured" };
  return { status: action === "evict" && !rule.isProtected ? "evicted" : "shelved" };
}

/** Protected rules are only costed, never evicted. */
function reaudit(rule: Rule, verdict: Verdict): Partial<Pick<Rule, "status" | "strikes">> {
  const { action, strikes } = retain(verdict, rule.strikes);
  return action === "evict" && !rule.isProtected ? { status: "evicted", strikes } : { strikes };
}

/** Returns the rules to measure: approved ones, longest waiting first; then active ones, least recently audited first. */
export function selectionOrder(rules: readonly Rule[], agent: string): Rule[] {
  const ofAgent = rules.filter((rule) => rule.agent === agent);
  const waiting = ofAgent.filter(({ status }) => status === "approved");
  const active = ofAgent.filter(({ status }) => status === "active");
  return [
    ...waiting.toSorted(by(({ decidedAt }) => decidedAt)),
    ...active.toSorted(by(({ auditedAt }) => auditedAt)),
  ];
}

function by(time: (rule: Rule) => number | null): (one: Rule, other: Rule) => number {
  return (one, other) => (time(one) ?? 0) - (time(other) ?? 0) || (one.id < other.id ? -1 : 1);
}
