import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../base/timing/clock.ts";
import { nodeFiles } from "../../base/disk/file-port.ts";
import type { BudgetPorts } from "../check/check.ts";
import { FileSpending } from "../spending/file.ts";
import type { RunHistory } from "../projection.ts";
import type { Machine } from "../../base/process/machine.ts";

/** What budgets of a project need of this process. */
export interface BudgetProcess {
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  /** What tells how much a call will use. */
  readonly history: RunHistory;
}

/** The budgets of a project on the disk, which other processes may use too. @param project see `projectFolder` */
export function projectBudgets(
  project: string,
  { pid, machine, clock, history }: BudgetProcess,
): BudgetPorts {
  const files = {
    project,
    files: nodeFiles,
    unique: randomUUID,
    pause: (milliseconds: number) => pause(milliseconds),
  };
  return { ...files, pid, machine, clock, spending: new FileSpending(files), history };
}
