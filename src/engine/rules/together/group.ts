import * as z from "zod/mini";
import { sha256Hex } from "../../base/hash.ts";
import type { Evidence } from "../../verdict/evidence.ts";
import type { Rule } from "../rule.ts";

const id = z.string().check(z.minLength(1), z.maxLength(200));

/**
 * Rules measured with the same runs, as stored from the first round to the last: the state at their start.
 * Repeated from there with the stored runs, an interrupted measurement reaches the point where it stopped.
 */
export const storedGroup = z.object({
  version: z.literal(1),
  id,
  /** Covers everything that decides a run's outcome besides the rules. */
  key: z.string().check(z.maxLength(400)),
  /** `bar`: tokens that a completed run must save. */
  rules: z.array(z.object({ id, isAudit: z.boolean(), bar: z.number() })).check(z.minLength(2)),
  /** Other rules that were in the agent's memory, with the saving that gave each its place there. */
  active: z.array(z.object({ id, saving: z.nullable(z.number()) })),
  evidence: z.array(id),
  /** Rounds that what might be spent was expected to pay for; null for no limit. */
  affordable: z.nullable(z.number().check(z.positive())),
  /** Rounds before the first look; absent for a look after each. */
  firstLook: z.optional(z.int().check(z.positive())),
  /**
   * Start time, in milliseconds since the epoch: evidence loses weight with its age at that time. Absent in
   * older groups.
   */
  at: z.optional(z.number()),
});

export type RuleGroup = z.infer<typeof storedGroup>;

/** Access to the one group of an agent and driver that is under way. */
export interface GroupStore {
  readonly load: () => Promise<RuleGroup | null>;
  /** Null once it is measured to its end. */
  readonly save: (group: RuleGroup | null) => Promise<void>;
}

interface GroupStart {
  /** Name of the selection; the group's own name follows it. */
  readonly name: string;
  readonly key: string;
  readonly wanted: readonly Rule[];
  readonly rules: readonly Rule[];
  readonly evidence: readonly Evidence[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly affordable: number | null;
  /** Rounds before the first look, of a selection that a person drew by a seed; null for a look after each. */
  readonly firstLook: number | null;
  /** Tokens that a completed run must save. */
  readonly bar: (rule: Rule) => number;
}

export function beginGroup({
  name,
  key,
  wanted,
  rules,
  evidence,
  at,
  affordable,
  firstLook,
  bar,
}: GroupStart): RuleGroup {
  const tested = new Set(wanted.map((rule) => rule.id));
  const own = wanted.map((rule) => ({ id: rule.id, isAudit: rule.status === "active", bar: bar(rule) }));
  const known = evidence.filter(({ ruleId }) => tested.has(ruleId)).map(({ id }) => id);
  // Drawn by a seed, it has the same name on every machine until one of its rules is settled.
  const when = firstLook === null ? [at] : known.toSorted();
  const words = [key, ...when, ...own.map((rule) => rule.id)].join("\n");
  return {
    version: 1,
    id: `${name}.${sha256Hex(words, 10)}`,
    key,
    rules: own,
    active: rules
      .filter((rule) => rule.status === "active" && !tested.has(rule.id))
      .map((rule) => ({ id: rule.id, saving: rule.saving })),
    evidence: evidence.map((each) => each.id),
    affordable,
    ...(firstLook === null ? {} : { firstLook }),
    at,
  };
}

/**
 * Returns the ids of a stored group's rules that are still to be measured. Null if it cannot be continued: it
 * measures another way, is complete, or one of these rules is no longer to be measured. Its rules then start
 * again.
 */
export function leftOf(
  group: RuleGroup,
  { key, wanted, rules, evidence }: Pick<GroupStart, "key" | "wanted" | "rules" | "evidence">,
): readonly string[] | null {
  const settled = new Set(evidence.map((each) => each.id));
  const known = new Set(rules.map((rule) => rule.id));
  const left = group.rules.filter((rule) => !settled.has(evidenceId(group, rule.id)));
  const isSame =
    group.key === key &&
    left.length > 0 &&
    [...group.rules, ...group.active].every((rule) => known.has(rule.id)) &&
    left.every(({ id: own, isAudit }) =>
      wanted.some((rule) => rule.id === own && isAudit === (rule.status === "active")),
    );
  return isSame ? left.map((rule) => rule.id) : null;
}

export function evidenceId(group: Pick<RuleGroup, "id">, ruleId: string): string {
  return `${group.id}.${ruleId}`;
}
