import { parseJson } from "../../base/parse.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { DrawRow, TrialRow } from "../../ledger/rule-questions.ts";
import type { TrialHead } from "../trial-answers.ts";
import { type Trial } from "./trial.ts";

/** Rule ids in the ledger's text. Empty if it is unreadable. */
export function ruleIdsIn(json: string): string[] {
  const ids = parseJson(json);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** A draw's probabilities by rule ids. A half for each of its rules where none are stored, or they are unreadable. */
export function chancesIn({
  chances,
  given,
  withheld,
}: Pick<DrawRow, "chances" | "given" | "withheld">): Map<string, number> {
  const stored = chances === null ? null : parseJson(chances);
  const known = new Map<string, unknown>(
    typeof stored === "object" && stored !== null ? Object.entries(stored) : [],
  );
  return new Map(
    [...ruleIdsIn(given), ...ruleIdsIn(withheld)].map((id) => {
      const chance = known.get(id);
      return [id, typeof chance === "number" && chance > 0 && chance < 1 ? chance : half];
    }),
  );
}

export const half = 0.5;

export function trialOfRow(row: TrialRow): Trial {
  const { id, agent, project, ruleIds, planned, startedAt, stoppedAt, approvedBy, holdOut, switchesOff } =
    row;
  const times = { planned, startedAt, stoppedAt, approvedBy };
  return { id, agent, project, ruleIds: ruleIdsIn(ruleIds), ...times, holdOut, switchesOff };
}

export function trialEntryOf({ ruleIds, ...trial }: Trial): LedgerEntry {
  return { kind: "trial", ...trial, ruleIds: JSON.stringify(ruleIds) };
}

export function headOf({ ruleIds, ...row }: TrialRow): TrialHead {
  return { ...row, ruleIds: ruleIdsIn(ruleIds) };
}
