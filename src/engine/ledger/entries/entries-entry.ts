import * as z from "zod/mini";
import * as attributed from "./attributed.ts";
import * as collected from "./collected.ts";
import * as compactionDiffs from "./compaction-diffs.ts";
import * as guardEffects from "./guard-effects.ts";
import * as guardHits from "./guard-hits.ts";
import * as learned from "./learned.ts";
import * as handovers from "./handed-over.ts";
import * as measured from "./measured.ts";
import * as resumePackets from "./resume-packets.ts";
import * as scorecards from "./scorecards.ts";
import * as selected from "./selected.ts";
import * as sessionStates from "./session-states.ts";
import * as tried from "./tried.ts";
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
  attributed.subagentEntry,
  attributed.contextFillEntry,
  attributed.planLimitEntry,
  attributed.anomalyEntry,
  selected.ruleEntry,
  selected.baselineEntry,
  selected.questionEntry,
  selected.comparisonEntry,
  measured.ruleStepEntry,
  measured.receiptEntry,
  measured.memoryEntry,
  tried.trialEntry,
  tried.drawEntry,
  guardHits.guardHitEntry,
  guardEffects.guardOutcomeEntry,
  guardEffects.guardWakeEntry,
  tried.trialPromptEntry,
  sessionStates.sessionStateEntry,
  resumePackets.resumePacketEntry,
  scorecards.scorecardEntry,
  scorecards.givenPacketEntry,
  learned.learnCursorEntry,
  learned.sessionFactsEntry,
  learned.learnedEntry,
  learned.workingSetEntry,
  learned.deadEndEntry,
  learned.effectivenessEntry,
  learned.learnedMarkEntry,
  learned.learnedUseEntry,
  learned.unlearnEntry,
  compactionDiffs.compactionDiffEntry,
  compactionDiffs.putBackEntry,
  handovers.handoverEntry,
  woken.wakeEntry,
]);

/** Unknown fields may be left out. */
export type LedgerEntry = z.input<typeof ledgerEntry>;
/** Unknown fields are null. */
export type CheckedEntry = z.output<typeof ledgerEntry>;
export type ResponseEntry = z.input<typeof collected.responseEntry>;
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
      | "unlearn";
  }
>;
