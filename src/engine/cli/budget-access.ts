import path from "node:path";
import { cleanText } from "../base/text.ts";
import type { BudgetFailure } from "../budget/budget-faults.ts";
import type { BudgetPorts } from "../budget/check-budget.ts";
import { projectFolder } from "../budget/project-folder.ts";
import { noHistory } from "../budget/projection.ts";
import { thisMachine } from "../service/machine.ts";
import { projectBudgets } from "../service/project-budgets.ts";
import type { ParsedOptions } from "./args.ts";
import type { CliHost } from "./cli-host.ts";

/** The budgets of the project that the working folder, or the one that is told, is of. */
export function budgetPorts(options: ParsedOptions, host: CliHost): BudgetPorts {
  return projectBudgets(projectFolder(path.resolve(host.cwd, options.value("cwd") ?? "")), {
    pid: host.pid,
    machine: thisMachine(),
    clock: { now: host.now },
    // Nothing here asks what a call will use.
    history: noHistory,
  });
}

/** Answers the exit code: 2 when it was asked wrongly. */
export function budgetFailed({ reason, detail }: BudgetFailure, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser budget: ${cleanText(detail)}\n`);
  return reason === "invalid_id" || reason === "invalid" ? 2 : 1;
}
