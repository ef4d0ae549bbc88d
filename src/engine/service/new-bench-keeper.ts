import { randomBytes } from "node:crypto";
import { fail } from "../base/result.ts";
import { ChildWorkshop, type ChildWorkshopPorts } from "./bench-child.ts";
import { jobStore } from "./bench-job.ts";
import { BenchKeeper, type BenchKeeperPorts } from "./bench-keeper.ts";
import { activeMemories } from "./bench-memories.ts";
import type { PurserHome } from "./purser-home.ts";

export interface NewBenchKeeperInput
  extends Pick<BenchKeeperPorts, "log" | "clock">, Pick<ChildWorkshopPorts, "program" | "env" | "ledger"> {
  readonly home: PurserHome;
}

/** The benches of a purser's home, run in a process of their own. Nothing begins, and nothing is read, before somebody asks. */
export function newBenchKeeper({ home, program, env, ledger, log, clock }: NewBenchKeeperInput): BenchKeeper {
  const warn = (message: string) => log.write("warn", message);
  const { execPath } = process;
  const isElectron = process.versions["electron"] !== undefined;
  return new BenchKeeper({
    store: jobStore(home.benches, warn),
    workshop: new ChildWorkshop({ program, execPath, isElectron, env, ledger, log }),
    log,
    clock,
    memories: (agents) =>
      activeMemories(
        agents,
        async () =>
          ledger === undefined
            ? fail("no_ledger", "this service holds no ledger")
            : await ledger.read((held) => held.ruleBook()),
        warn,
      ),
    newId: ({ agents }) => {
      // Sorted by name they are sorted by time, in universal time.
      const at = new Date(clock.now())
        .toISOString()
        .replace(/[-:]|\..*$/gu, "")
        .replace("T", "-");
      const name = (agents[0] ?? "bench").replace(/[^A-Za-z0-9]+/gu, "-").slice(0, 40);
      return `${at}-${name}-${randomBytes(2).toString("hex")}`;
    },
  });
}
