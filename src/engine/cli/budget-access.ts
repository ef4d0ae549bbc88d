import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { nodeFiles } from "../base/file-port.ts";
import { isProcessAlive } from "../base/process-alive.ts";
import { cleanText } from "../base/text.ts";
import type { BudgetFailure } from "../budget/budget-faults.ts";
import type { BudgetPorts } from "../budget/check-budget.ts";
import { FileSpending } from "../budget/file-spending.ts";
import { projectFolder } from "../budget/project-folder.ts";
import { noHistory } from "../budget/projection.ts";
import { thisMachine } from "../service/machine.ts";
import type { ParsedOptions } from "./args.ts";
import type { CliHost } from "./cli-host.ts";

/** The budgets of the project that the working folder, or the one that is told, is of. */
export function budgetPorts(options: ParsedOptions, host: CliHost): BudgetPorts {
  const ports = {
    project: projectFolder(path.resolve(host.cwd, options.value("cwd") ?? "")),
    files: nodeFiles,
    unique: randomUUID,
    pause: (milliseconds: number) => pause(milliseconds),
  };
  return {
    ...ports,
    pid: host.pid,
    host: thisMachine().id.host,
    isAlive: isProcessAlive,
    clock: { now: host.now },
    spending: new FileSpending(ports),
    // Nothing here asks what a call will use.
    history: noHistory,
  };
}

/** Answers the exit code: 2 when it was asked wrongly. */
export function budgetFailed({ reason, detail }: BudgetFailure, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser budget: ${cleanText(detail)}\n`);
  return reason === "invalid_id" || reason === "invalid" ? 2 : 1;
}
