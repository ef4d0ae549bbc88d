import * as z from "zod/mini";
import * as collected from "./collected.ts";
import * as continuity from "./continuity-entries.ts";
import * as guard from "./guard-entries.ts";
import * as learned from "./learned.ts";
import * as machines from "./machine-entries.ts";
import * as rules from "./rule-entries.ts";
import * as woken from "../woken.ts";

/** Every kind of journal entry: one kind per table, and one entry per row. */
export const ledgerEntry = z.discriminatedUnion("kind", [
  collected.sessionEntry,
  collected.responseEntry,
  collected.toolCallEntry,
  collected.fileReadEntry,
  collected.compactionEntry,
  collected.runEntry,
  collected.hookEventEntry,
  collected.sumHooksEntry,
  collected.ageOutEntry,
  collected.positionEntry,
  collected.forgetPositionsEntry,
  collected.forgetResponsesEntry,
  collected.countAnewEntry,
  collected.subagentEntry,
  collected.contextFillEntry,
  collected.planLimitEntry,
  collected.anomalyEntry,
  rules.ruleEntry,
  rules.baselineEntry,
  rules.questionEntry,
  rules.comparisonEntry,
  rules.ruleStepEntry,
  rules.receiptEntry,
  rules.memoryEntry,
  rules.trialEntry,
  rules.drawEntry,
  guard.guardHitEntry,
  guard.guardOutcomeEntry,
  guard.guardFollowUpEntry,
  guard.guardWakeEntry,
  rules.trialPromptEntry,
  continuity.sessionStateEntry,
  continuity.resumePacketEntry,
  continuity.scorecardEntry,
  continuity.givenPacketEntry,
  learned.learnCursorEntry,
  learned.sessionFactsEntry,
  learned.learnedEntry,
  learned.workingSetEntry,
  learned.deadEndEntry,
  learned.effectivenessEntry,
  learned.learnedMarkEntry,
  learned.learnedUseEntry,
  learned.unlearnEntry,
  continuity.compactionDiffEntry,
  continuity.putBackEntry,
  continuity.handoverEntry,
  woken.wakeEntry,
  machines.machineRowEntry,
  machines.retractionEntry,
  machines.machineEntry,
  machines.forgetMachineEntry,
]);

/** Unknown fields may be left out. */
export type LedgerEntry = z.input<typeof ledgerEntry>;
/** Unknown fields are null. */
export type CheckedEntry = z.output<typeof ledgerEntry>;
export type ResponseEntry = z.input<typeof collected.responseEntry>;
export type MachineRow = Extract<LedgerEntry, { kind: "machine-row" }>;
export type RowEntry = Exclude<
  LedgerEntry,
  {
    kind:
      | "response"
      | "sum-hooks"
      | "age-out"
      | "forget-positions"
      | "forget-responses"
      | "count-anew"
      | "unlearn"
      | "machine-row"
      | "retraction"
      | "forget-machine";
  }
>;
