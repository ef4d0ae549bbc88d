import { randomBytes } from "node:crypto";
import { succeed } from "../../base/result.ts";
import { driverNames } from "../../bench/run-facts.ts";
import { ChildProcessRunner, type ChildProcessRunnerPorts } from "./child.ts";
import { refusingExecutor } from "../../jobs/refusing.ts";
import { sampleFolder } from "../../base/process/sample-folder.ts";
import { jobStore } from "../../jobs/jobs-store.ts";
import { JobQueue, type JobQueuePorts } from "../../jobs/queue.ts";
import { activeMemories } from "../../jobs/memories.ts";
import { agentsOf } from "../../jobs/answers/stages.ts";
import type { PurserPaths } from "../../base/disk/home.ts";

export interface JobQueueInput
  extends
    Pick<JobQueuePorts, "log" | "clock">,
    Pick<ChildProcessRunnerPorts, "program" | "env" | "ledger" | "rules" | "handovers"> {
  readonly home: PurserPaths;
}

/** Creates the job queue of a purser home, whose jobs run in a process of their own. Nothing starts before it is used. */
export function createJobQueue({ home, ledger, log, clock, ...context }: JobQueueInput): JobQueue {
  const warn = (message: string) => log.write("warn", message);
  const { execPath } = process;
  const isElectron = process.versions["electron"] !== undefined;
  return new JobQueue({
    store: jobStore(home.benches, warn),
    runner:
      sampleFolder(context.env) === undefined
        ? new ChildProcessRunner({ ...context, execPath, isElectron, ledger, log })
        : refusingExecutor,
    log,
    clock,
    memories: async (agents) =>
      ledger === undefined ? succeed({}) : await activeMemories(agents, () => ledger.ask("ruleBook", null)),
    baselines: async () => {
      const book = await ledger?.ask("goldenBook", clock.now());
      if (book?.ok !== true) return [];
      return book.value.baselines.flatMap(
        ({ agent, taskHash, model, suiteHash, driver: name, ...figures }) => {
          const driver = driverNames.find((one) => one === name);
          const { run1Tokens: run1, bestTokens: best } = figures;
          return driver === undefined ? [] : [{ agent, taskHash, model, suiteHash, driver, run1, best }];
        },
      );
    },
    newId: (ask) => {
      // Universal time first, so that sorting by name sorts by time.
      const at = new Date(clock.now())
        .toISOString()
        .replace(/[-:]|\..*$/gu, "")
        .replace("T", "-");
      const agent = ask.kind === "wake" ? `wake-${ask.agent}` : agentsOf(ask)[0];
      const name = (agent ?? ask.kind).replace(/[^A-Za-z0-9]+/gu, "-").slice(0, 40);
      return `${at}-${name}-${randomBytes(2).toString("hex")}`;
    },
  });
}
