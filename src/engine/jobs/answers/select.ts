import * as z from "zod/mini";
import { ruleStatuses, usualAudits } from "../../rules/rule.ts";
import { setDecisions } from "../../verdict/retention.ts";
import { comparisonView, interimVerdict } from "./compare.ts";
import { count, name, runFields, suiteChoice } from "./shared.ts";

/** Side 1 has the rule. */

export const selectAsk = z.object({
  kind: z.literal("select"),
  suite: suiteChoice,
  agent: name,
  /**
   * Null for all that can be measured: approved rules, the longest waiting first, then active ones, least
   * recently audited first.
   */
  ruleIds: z.nullable(z.array(name).check(z.minLength(1), z.maxLength(1000))),
  /** Number of active rules to audit if none are named. By default the one with the oldest audit. */
  audits: z._default(z.union([z.literal("all"), count]), usualAudits),
  /** Measures no single rule: only the passed and waiting ones, as a whole. */
  isConfirming: z.optional(z.boolean()),
  /** `worth` where absent: rules are measured as long as that is expected to pay. */
  grade: z.optional(z.enum(["worth", "proved"])),
  ...runFields,
});
export type SelectAsk = z.infer<typeof selectAsk>;

const ruleProgress = z.object({
  ruleId: z.string(),
  /** Outside text. */
  title: z.string(),
  /** True for an active rule, which may lose its place. */
  isAudit: z.boolean(),
  state: z.enum(["waiting", "measuring", "settled"]),
  /** In the order of rounds. */
  looks: z.array(interimVerdict),
  /** Null until it is settled. */
  result: z.nullable(comparisonView),
  /** The rule's new status; null until it is settled. A rule that passed is `measured`: it waits for the user. */
  status: z.nullable(z.enum(ruleStatuses)),
});
export type RuleProgress = z.infer<typeof ruleProgress>;

/** All rules that would be active, against no rules at all. Side 1 has them. */
const setProgress = z.object({
  found: z.array(z.string()),
  /** `unpaid`: too little could be spent for it. */
  state: z.enum(["measuring", "settled", "unpaid"]),
  /** In the order of rounds. */
  looks: z.array(interimVerdict),
  /** Both null until it is settled. */
  result: z.nullable(comparisonView),
  decision: z.nullable(z.enum(setDecisions)),
});
export type SetProgress = z.infer<typeof setProgress>;

export const selectView = z.object({
  /** Time when its rules were chosen; a rule audited since is settled. Milliseconds since the epoch. */
  chosenAt: z.number(),
  /** Measured with the same runs. */
  isTogether: z._default(z.boolean(), false),
  /** In the order of measurement. */
  rules: z.array(ruleProgress),
  /** Absent before two or more of them are found. */
  set: z.optional(setProgress),
});
export type SelectView = z.infer<typeof selectView>;
