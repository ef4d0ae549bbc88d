import { existsSync } from "node:fs";
import path from "node:path";
import { cleanText } from "../../base/text/text.ts";
import type { BudgetFailure } from "../../budgets/faults.ts";
import type { BudgetPorts } from "../../budgets/check/check.ts";
import { projectFolder } from "../../budgets/project-folder.ts";
import { noHistory, type RunHistory } from "../../budgets/projection.ts";
import { thisMachine } from "../../base/process/machine.ts";
import { projectBudgets } from "../../budgets/live/project.ts";
import { purserHome } from "../../base/disk/home.ts";
import type { ServiceClient } from "../../service/client/client.ts";
import type { Requester } from "../../wire/wire.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../ports.ts";

/** The folder whose budgets are asked about: the working one, or the one that is told. */
export function budgetFolder(options: ParsedOptions, host: CliHost): string {
  return path.resolve(host.cwd, options.value("cwd") ?? "");
}

/** The budgets of the project that a folder is of. @param history what tells how much a call will use */
export function budgetPorts(folder: string, host: CliHost, history: RunHistory = noHistory): BudgetPorts {
  return projectBudgets(projectFolder(folder), {
    pid: host.pid,
    machine: thisMachine(),
    clock: { now: host.now },
    history,
  });
}

/** Answers the exit code: 2 when it was asked wrongly. */
export function budgetFailed({ reason, detail }: BudgetFailure, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser budget: ${cleanText(detail)}\n`);
  return reason === "invalid_id" || reason === "invalid" ? 2 : 1;
}

/** The service as words of `purser budget` need it. What it does not answer in time is done without it. */
export interface BudgetService extends Requester {
  /** Has it tell the folder's budgets all that agents used up to now. Answers what keeps it from that, or null. */
  reckon(folder: string): Promise<string | null>;
}

/** A ledger that is read for the first time takes longer than anybody wants to wait here. Milliseconds. */
const longestReading = 10_000;

/**
 * Does something with the service: the one that runs, or one that is started where what agents used has to be known. Null where there
 * is none.
 */
export async function withService<Value>(
  host: CliHost,
  need: "running" | "started",
  act: (service: BudgetService | null) => Promise<Value>,
): Promise<Value> {
  const client = await clientFor(host, need);
  if (client === null) return await act(null);
  try {
    return await act(serviceOf(client, host));
  } finally {
    client.dispose();
  }
}

/** What speaks to the service is loaded only where one is needed, or has left its record. */
async function clientFor(host: CliHost, need: "running" | "started"): Promise<ServiceClient | null> {
  if (need === "running" && !existsSync(purserHome(host).record)) return null;
  const { servicePorts } = await import("../service/access.ts");
  const ports = { ...servicePorts(host), signal: host.signal };
  if (need === "running") {
    const { connectService } = await import("../../service/client/client.ts");
    const found = await connectService(ports);
    return found.ok ? found.value : null;
  }
  const { ensureService } = await import("../../service/client/ensure.ts");
  const begun = await ensureService(ports);
  return begun.ok ? begun.value : null;
}

function serviceOf(client: ServiceClient, { signal }: CliHost): BudgetService {
  return {
    ask: (name, params, late) => client.ask(name, params, late),
    async reckon(folder) {
      const late = AbortSignal.any([signal, AbortSignal.timeout(longestReading)]);
      const read = await client.ask("catchUp", {}, late);
      const reckoned = await client.ask("budgetsReckon", { folder }, signal);
      if (!reckoned.ok) return reckoned.detail;
      return read.ok ? null : "transcripts are still being read; what was used is known better in a moment";
    },
  };
}
