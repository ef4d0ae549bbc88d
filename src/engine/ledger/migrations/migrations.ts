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
import { guardedTables } from "./12-guarded.ts";
import { statesTable } from "./13-states.ts";
import { effectTables } from "./14-effects.ts";
import { packetsTable } from "./15-packets.ts";
import { learningTables } from "./16-learned.ts";
import { compactedTables } from "./17-compacted.ts";
import { handoverTable } from "./18-handovers.ts";
import { agedTables } from "./19-aged.ts";

/**
 * The steps from an empty file to the current schema, forward only. `PRAGMA user_version` is the number of steps
 * applied. A released step is never edited: a change is another step.
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
];
