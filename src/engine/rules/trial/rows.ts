import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import type { TrialRow } from "../../ledger/questions/trial-book.ts";
import type { Trial } from "./trial.ts";

const idList = z.array(z.string());

/** Rule ids in the ledger's text; none where it is unreadable. */
export function ruleIdsIn(json: string): string[] {
  return idList.safeParse(parseJson(json)).data ?? [];
}

export function trialOfRow(row: TrialRow): Trial {
  const { id, agent, project, ruleIds, planned, startedAt, stoppedAt, approvedBy } = row;
  const ids = ruleIdsIn(ruleIds);
  return { id, agent, project, ruleIds: ids, planned, startedAt, stoppedAt, approvedBy };
}

export function trialEntryOf({ ruleIds, ...trial }: Trial): LedgerEntry {
  return { kind: "trial", ...trial, ruleIds: JSON.stringify(ruleIds) };
}
