import type { VerdictKind } from "../verdict/verdict.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import type { Rule, RuleStatus } from "./rule.ts";

/** What can happen to a rule. */
export type RuleAct =
  /** The user lets it be measured; one that has passed, into the agent's memory. */
  | { readonly kind: "approve" }
  | { readonly kind: "reject"; readonly why: string }
  | { readonly kind: "protect"; readonly isProtected: boolean }
  /** It was measured. `saving` in tokens per completed run. */
  | {
      readonly kind: "measured";
      readonly verdict: VerdictKind;
      readonly saving: number | null;
      readonly receiptId: string;
      readonly reason: string;
      /** What passed becomes active without asking. */
      readonly isActivated: boolean;
    }
  /** Another rule took its place before it was ever measured. */
  | { readonly kind: "replaced"; readonly by: string };

/** One entry of a rule's history. */
export interface RuleStep {
  readonly at: number;
  readonly who: string;
  readonly from: RuleStatus | null;
  readonly to: RuleStatus;
  readonly why: string;
}

export type RuleActReason = "not_possible";

/** Who does it, and when: milliseconds since the epoch. */
interface By {
  readonly who: string;
  readonly at: number;
}

/** One step of a rule's life. What is not possible where the rule stands changes nothing, and says why. */
export function act(
  rule: Rule,
  what: RuleAct,
  { who, at }: By,
): Result<{ readonly rule: Rule; readonly step: RuleStep }, RuleActReason> {
  const next = nextOf(rule, what, at);
  if (typeof next === "string") return fail("not_possible", next);
  const { why, ...changed } = next;
  const isDecision = changed.status !== undefined && changed.status !== rule.status;
  const decided = isDecision ? { decidedAt: at, decidedReason: why } : {};
  const after: Rule = { ...rule, ...changed, ...decided };
  return succeed({ rule: after, step: { at, who, from: rule.status, to: after.status, why } });
}

type Change = Partial<Pick<Rule, "status" | "isProtected" | "strikes" | "saving" | "auditedAt">> & {
  readonly why: string;
};

function nextOf(rule: Rule, what: RuleAct, at: number): Change | string {
  switch (what.kind) {
    case "approve":
      return approved(rule);
    case "reject":
      return rule.status === "evicted"
        ? "it is evicted already"
        : { status: "evicted", why: what.why === "" ? "rejected" : `rejected: ${what.why}` };
    case "protect":
      if (rule.isProtected === what.isProtected)
        return what.isProtected ? "it is protected already" : "it is not protected";
      return {
        isProtected: what.isProtected,
        why: what.isProtected ? "protected: never evicted, only costed" : "no longer protected",
      };
    case "replaced":
      return rule.status === "candidate"
        ? { status: "evicted", why: `edited: ${what.by} takes its place` }
        : "only a candidate can be edited; write a new rule instead";
    case "measured":
      return measured(rule, what, at);
  }
}

function approved({ status, replaces }: Rule): Change | string {
  switch (status) {
    case "candidate":
      return { status: "approved", why: replaces === null ? "approved" : "approved as edited" };
    case "measured":
      return { status: "active", why: "let into the agent's memory" };
    case "shelved":
      return { status: "approved", why: "to be measured again" };
    case "evicted":
      return { status: "approved", strikes: 0, why: "to be given another chance" };
    case "approved":
      return "it is approved already; purser select measures it";
    case "active":
      return "it is active already";
  }
}

type Measured = Extract<RuleAct, { kind: "measured" }>;

function measured(rule: Rule, what: Measured, at: number): Change | string {
  const why = `${what.reason} (receipt ${what.receiptId})`;
  const figures = { saving: what.saving, auditedAt: at };
  if (rule.status === "approved") return { ...figures, ...firstVerdict(rule, what), why };
  if (rule.status === "active") return { ...figures, ...reaudit(rule, what), why };
  return `only rules that are approved or active are measured, and it is ${rule.status}`;
}

function firstVerdict(rule: Rule, { verdict, isActivated }: Measured): Pick<Rule, "status"> {
  switch (verdict) {
    case "saves":
      return { status: isActivated ? "active" : "measured" };
    case "costs":
    case "regression":
      return { status: rule.isProtected ? "shelved" : "evicted" };
    case "cheaper-not-as-good":
    case "undecided":
      return { status: "shelved" };
  }
}

/** Two strikes evict; noise is none, and a task that breaks is enough at once. A protected rule is only costed. */
function reaudit(rule: Rule, { verdict }: Measured): Partial<Pick<Rule, "status" | "strikes">> {
  switch (verdict) {
    case "saves":
      return { strikes: 0 };
    case "undecided":
      return {};
    case "regression":
      return rule.isProtected ? {} : { status: "evicted" };
    case "costs":
    case "cheaper-not-as-good": {
      const strikes = rule.strikes + 1;
      return strikes >= 2 && !rule.isProtected ? { status: "evicted", strikes } : { strikes };
    }
  }
}

/** Which rules a selection measures: approved ones, the longest waiting first; else active ones, least recently audited first. */
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
