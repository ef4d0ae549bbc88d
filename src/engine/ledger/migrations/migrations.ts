import { collectedTables } from "./1-collected.ts";
import { selectedTables } from "./2-selected.ts";
import { attributedTables } from "./3-attributed.ts";
import { measuredTables } from "./4-measured.ts";
import { summedTables } from "./5-summed.ts";
import { evidenceTables } from "./6-evidence.ts";
import { withoutBudgetUsage } from "./7-budgets.ts";
import { unlearnedTables } from "./8-unlearned.ts";
import { triedTables } from "./9-tried.ts";
import { promptedTable } from "./10-prompted.ts";
import { sharedReceipts } from "./11-shared.ts";
import { effectTables, guardedTables, statesTable } from "./12-14-guard.ts";
import { compactedTables, handoverTable, learningTables, packetsTable } from "./15-18-continuity.ts";
import { agedTables } from "./19-aged.ts";
import { scorecardTables } from "./20-scorecards.ts";
import { wakesTable } from "./21-woken.ts";
import { pricedResponses } from "./22-priced.ts";
import { recountedSessions, redactedTexts } from "./23-24-reread.ts";

/**
 * The steps from an empty file to the current schema, forward only. `PRAGMA user_version` is the number of steps
 * applied. A released step is never edited: a change is another step, and `current.ts` is written from them again.
 */
export const migrations: readonly string[] = [
  collectedTables,
  selectedTables,
  attributedTables,
  measuredTables,
  summedTables,
  evidenceTables,
  withoutBudgetUsage,
  unlearnedTables,
  triedTables,
  promptedTable,
  sharedReceipts,
  guardedTables,
  statesTable,
  effectTables,
  packetsTable,
  learningTables,
  compactedTables,
  handoverTable,
  agedTables,
  scorecardTables,
  wakesTable,
  pricedResponses,
  redactedTexts,
  recountedSessions,
];

/**
 * The version since which readers store other things of a transcript: since 22 all calls of a response and what its price
 * depends on, since 23 titles without secrets, since 24 the service tiers of Codex. A ledger of an earlier version reads the
 * transcripts that are still there once more.
 */
export const rereadBefore = 24;

/** The version since which readers remove secrets from all texts before they are stored. */
export const redactedSince = 23;
