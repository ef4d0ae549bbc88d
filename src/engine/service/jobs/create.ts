import { randomBytes } from "node:crypto";
import { succeed } from "../../base/result.ts";
import { driverNames } from "../../bench/run-facts.ts";
import { ChildWorkshop, type ChildWorkshopPorts } from "./child.ts";
import { jobStore } from "../../jobs/store.ts";
import { BenchKeeper, type BenchKeeperPorts } from "../../jobs/queue.ts";
import { activeMemories } from "../../jobs/memories.ts";
import { agentsOf } from "../../jobs/answers/stages.ts";
import type { PurserHome } from "../../base/disk/home.ts";

export interface NewBenchKeeperInput
  extends
    Pick<BenchKeeperPorts, "log" | "clock">,
    Pick<ChildWorkshopPorts, "program" | "env" | "ledger" | "rules"> {
  readonly home: PurserHome;
}

/** Creates the job queue of a purser home, whose jobs run in a process of their own. Nothing starts before it is used. */
export function newBenchKeeper({ home, ledger, log, clock, ...world }: NewBenchKeeperInput): BenchKeeper {
  const warn = (message: string) => log.write("warn", message);
  const { execPath } = process;
  const isElectron = process.versions["electron"] !== undefined;
  return new BenchKeeper({
    store: jobStore(home.benches, warn),
    workshop: new ChildWorkshop({ ...world, execPath, isElectron, ledger, log }),
    log,
    clock,
    memories: async (agents) =>
      ledger === undefined ? succeed({}) : await activeMemories(agents, () => ledger.ask("ruleBook", null)),
    baselines: async () => {
      const book = await ledger?.ask("goldenBook", clock.now());
      if (book?.ok !== true) return [];
      return book.value.baselines.flatMap(({ agent, taskHash, model, suiteHash, driver: name, ...told }) => {
        const driver = driverNames.find((one) => one === name);
        const { run1Tokens: run1, bestTokens: best } = told;
        return driver === undefined ? [] : [{ agent, taskHash, model, suiteHash, driver, run1, best }];
      });
    },
    newId: (ask) => {
      // Universal time first, so that sorting by name sorts by time.
      const at = new Date(clock.now())
        .toISOString()
        .replace(/[-:]|\..*$/gu, "")
        .replace("T", "-");
      const name = (agentsOf(ask)[0] ?? ask.kind).replace(/[^A-Za-z0-9]+/gu, "-").slice(0, 40);
      return `${at}-${name}-${randomBytes(2).toString("hex")}`;
    },
  });
}
