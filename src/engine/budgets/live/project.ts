import type { BudgetPorts } from "../check/check.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../base/timing.ts";
import { nodeFiles } from "../../base/files.ts";
import type { Ticks } from "../spending/spending.ts";
import { PlacedSpending, type ApartPlace } from "../spending/placed.ts";
import type { RunHistory } from "../projection.ts";
import type { Machine } from "../../base/process.ts";

/** All processes of a machine share the time since its start, as far as it names that start. */
export function ticksOf({ id: { boot } }: Pick<Machine, "id">, clock: Clock): () => Ticks | null {
  return () => {
    const since = clock.sinceStart?.();
    return boot === "" || since === undefined ? null : { now: clock.now(), boot, since };
  };
}

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
    ticks: ticksOf(machine, clock),
    pause: (milliseconds: number) => pause(milliseconds),
  };
  const spending = new PlacedSpending(files, apart);
  return { ...files, pid, machine, clock, spending, history, noteUse: () => spending.noteUse() };
}
