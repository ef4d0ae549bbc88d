import { noHistory } from "../budgets/projection.ts";
import { BudgetRecorder, projectBudgets } from "../budgets/feature.ts";
import { apartPlace } from "../budgets/spending.ts";
import { KnownProjects } from "../base/paths.ts";
import type { HostPorts } from "../base/process.ts";
import { ledgerId, LedgerHost } from "../ledger/ledger-host.ts";
import { openLedgerThread } from "../ledger/ledger-thread.ts";
import { agentRoots } from "../transcripts/agents.ts";
import type { LedgerPrograms } from "./launch/programs.ts";

export interface LedgerInput extends Omit<HostPorts, "temporary"> {
  readonly programs: LedgerPrograms;
}

/** With its own threads, fed from the agents' transcripts. Starts nothing yet. */
export function composeLedger(input: LedgerInput): LedgerHost {
  const { home, env, userHome, programs, log, clock } = input;
  const apart = apartPlace(input);
  const projects = new KnownProjects(home.projects, () => performance.now());
  return new LedgerHost({
    log,
    clock,
    places: agentRoots({ env, home: userHome }),
    open: (models) =>
      openLedgerThread({ folder: home.folder, wasmPath: programs.sqlWasm, models }, programs.ledger),
    collect: (ledger, roots) =>
      ledger.collect({ env, home: userHome, roots }, (message) => log.write("warn", message)),
    budgets: (ledger) =>
      new BudgetRecorder({
        ledger,
        ledgerId: ledgerId(home),
        // Recording actual use needs no history to estimate from.
        budgetsOf: (project) => projectBudgets(project, { ...input, history: noHistory, apart }),
        projectsOf: (folder) => projects.all(folder),
        log,
        clock,
      }),
  });
}
