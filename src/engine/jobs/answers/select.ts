import * as z from "zod";
import { usualAudits } from "../../rules/audits.ts";
import { ruleStatuses } from "../../rules/rule.ts";
import { comparisonView, lookView } from "./compare.ts";
import { count, name, runFields, suiteChoice } from "./shared.ts";

/** Selections as jobs: rules of an agent, each measured with and without it beside those that are active. Side 1 is with the rule. */

export const selectAsk = z.object({
  kind: z.literal("select"),
  suite: suiteChoice,
  /** Of the suite. */
  agent: name,
  /** Null for all there are to measure: approved rules, the longest waiting first, then active ones, least recently audited first. */
  ruleIds: z.array(name).min(1).max(1000).nullable(),
  /** Of active rules, where none are named: the one that was audited longest ago when nothing is told. */
  audits: z.union([z.literal("all"), count]).default(usualAudits),
  ...runFields,
});
export type SelectAsk = z.infer<typeof selectAsk>;

const ruleProgress = z.object({
  ruleId: z.string(),
  /** The rule's words. Outside text. */
  title: z.string(),
  /** It is active already, and may lose its place. */
  isAudit: z.boolean(),
  state: z.enum(["waiting", "measuring", "settled"]),
  /** The first round first. */
  looks: z.array(lookView),
  /** Null until it is settled. */
  result: comparisonView.nullable(),
  /** What became of the rule; null until it is settled. One that passed is `measured`: it waits for the user. */
  status: z.enum(ruleStatuses).nullable(),
});
export type RuleProgress = z.infer<typeof ruleProgress>;

/** What a job of kind `select` tells besides its runs. */
export const selectView = z.object({
  /** When its rules were chosen; one that was audited since is settled. Milliseconds since the epoch. */
  chosenAt: z.number(),
  /** In the order in which they are measured. */
  rules: z.array(ruleProgress),
});
export type SelectView = z.infer<typeof selectView>;
