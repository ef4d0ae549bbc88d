import { createHash } from "node:crypto";
import * as z from "zod";
import type { Evidence } from "../../verdict/statistics/pool.ts";
import type { Rule } from "../rule.ts";

const id = z.string().min(1).max(200);

/**
 * Rules that are measured with the same runs, as stored from the first round to the last: what was known when they began.
 * Repeated from there with the runs that its benches stored, an interrupted measurement comes to where it stopped.
 */
export const storedGroup = z.object({
  version: z.literal(1),
  id,
  /** Covers everything that decides a run's outcome besides the rules. */
  key: z.string().max(400),
  rules: z.array(z.object({ id, isAudit: z.boolean() })).min(2),
  /** Ids of other rules that were in the agent's memory. */
  active: z.array(id),
  /** Ids of the evidence there was. */
  evidence: z.array(id),
  /** Rounds that what might be spent was expected to pay for; null for no limit. */
  affordable: z.number().positive().nullable(),
});
export type RuleGroup = z.infer<typeof storedGroup>;

/** Access to the one group of an agent and driver that is under way. */
export interface GroupStore {
  readonly load: () => Promise<RuleGroup | null>;
  /** Null once it is measured to its end. */
  readonly save: (group: RuleGroup | null) => Promise<void>;
}

export interface GroupStart {
  /** Name of the selection, before the group's own. */
  readonly name: string;
  readonly key: string;
  readonly wanted: readonly Rule[];
  readonly rules: readonly Rule[];
  readonly evidence: readonly Evidence[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly affordable: number | null;
}

export function beginGroup({ name, key, wanted, rules, evidence, at, affordable }: GroupStart): RuleGroup {
  const tested = new Set(wanted.map((rule) => rule.id));
  const own = wanted.map((rule) => ({ id: rule.id, isAudit: rule.status === "active" }));
  const words = [key, at, ...own.map((rule) => rule.id)].join("\n");
  return {
    version: 1,
    id: `${name}.${createHash("sha256").update(words).digest("hex").slice(0, 10)}`,
    key,
    rules: own,
    active: rules.filter((rule) => rule.status === "active" && !tested.has(rule.id)).map((rule) => rule.id),
    evidence: evidence.map((each) => each.id),
    affordable,
  };
}

/**
 * Whether a stored group can be gone on with: it measures the same way, and each of its rules is either settled by it or
 * wanted and still to be measured. Otherwise its rules begin anew.
 */
export function canResume(
  group: RuleGroup,
  { key, wanted, rules, evidence }: Pick<GroupStart, "key" | "wanted" | "rules" | "evidence">,
): boolean {
  const settled = new Set(evidence.map((each) => each.id));
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  return (
    group.key === key &&
    group.active.every((other) => known.has(other)) &&
    group.rules.every((rule) => {
      const now = known.get(rule.id);
      if (now === undefined) return false;
      if (settled.has(evidenceId(group, rule.id))) return true;
      const isWaiting = now.status === (rule.isAudit ? "active" : "approved");
      return isWaiting && wanted.some((each) => each.id === rule.id);
    })
  );
}

/** Id of what a group's runs say of one rule. */
export function evidenceId(group: Pick<RuleGroup, "id">, ruleId: string): string {
  return `${group.id}.${ruleId}`;
}
