import { noHistory } from "../budget/projection.ts";
import { openLedgerThread } from "../ledger/ledger-thread.ts";
import { BudgetRecorder } from "./budget-recorder.ts";
import { ledgerId } from "./ledger-id.ts";
import { LedgerKeeper, type KeeperPorts } from "./ledger-keeper.ts";
import { ledgerPlaces } from "./ledger-places.ts";
import type { Machine } from "../base/machine.ts";
import type { LedgerPrograms } from "./programs.ts";
import { projectBudgets } from "./project-budgets.ts";
import type { PurserHome } from "./purser-home.ts";

export interface NewKeeperInput extends Pick<KeeperPorts, "log" | "clock"> {
  readonly home: PurserHome;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly pid: number;
  readonly machine: Machine;
  readonly programs: LedgerPrograms;
}

/** The ledger of a purser's home, in threads of its own, fed from the agents' transcripts. Nothing begins yet. */
export function newKeeper({ home, env, userHome, programs, ...world }: NewKeeperInput): LedgerKeeper {
  const { log, clock } = world;
  return new LedgerKeeper({
    log,
    clock,
    places: ledgerPlaces({ env, home: userHome }),
    open: (models) =>
      openLedgerThread({ folder: home.folder, wasmPath: programs.sqlWasm, models }, programs.ledger),
    collect: (ledger) => ledger.collect({ env, home: userHome }, (message) => log.write("warn", message)),
    budgets: (ledger) =>
      new BudgetRecorder({
        ledger,
        ledgerId: ledgerId(home),
        // What was used needs no guess.
        budgetsOf: (project) => projectBudgets(project, { ...world, history: noHistory }),
        log,
        clock,
      }),
  });
}
