import { parseJson } from "../../base/parse.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { TrialRow } from "../../ledger/rule-questions.ts";
import type { TrialHead } from "../trial-answers.ts";
import { type Trial } from "./trial.ts";

/** Rule ids in the ledger's text. Empty if it is unreadable. */
export function ruleIdsIn(json: string): string[] {
  const ids = parseJson(json);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

export function trialOfRow(row: TrialRow): Trial {
  const { id, agent, project, ruleIds, planned, startedAt, stoppedAt, approvedBy } = row;
  const ids = ruleIdsIn(ruleIds);
  return { id, agent, project, ruleIds: ids, planned, startedAt, stoppedAt, approvedBy };
}

export function trialEntryOf({ ruleIds, ...trial }: Trial): LedgerEntry {
  return { kind: "trial", ...trial, ruleIds: JSON.stringify(ruleIds) };
}

export function headOf({ ruleIds, ...row }: TrialRow): TrialHead {
  return { ...row, ruleIds: ruleIdsIn(ruleIds) };
}
