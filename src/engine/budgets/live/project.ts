import type { BudgetPorts } from "../check/check.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../base/timing.ts";
import { nodeFiles } from "../../base/files.ts";
import { PlacedSpending, type ApartPlace } from "../spending/placed.ts";
import type { RunHistory } from "../projection.ts";
import type { Machine } from "../../base/process.ts";

interface BudgetProcess {
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly history: RunHistory;
  readonly apart: ApartPlace;
}

/**
 * Returns the ports of a project's budgets on the disk, which other processes may use too.
 * @param project see `projectFolder`
 */
export function projectBudgets(
  project: string,
  { pid, machine, clock, history, apart }: BudgetProcess,
): BudgetPorts {
  const files = {
    project,
    files: nodeFiles,
    unique: randomUUID,
    pause: (milliseconds: number) => pause(milliseconds),
  };
  const spending = new PlacedSpending(files, apart);
  return { ...files, pid, machine, clock, spending, history, noteUse: () => spending.noteUse() };
}
