import os from "node:os";
import { parentPort } from "node:worker_threads";
import { systemClock } from "../base/clock.ts";
import { readIdleTime } from "./idle-time.ts";
import { thisMachine } from "./machine.ts";
import { newBenchKeeper } from "./new-bench-keeper.ts";
import { newKeeper } from "./new-keeper.ts";
import type { LedgerPrograms } from "./programs.ts";
import { purserHome } from "./purser-home.ts";
import { Service, type ServicePorts } from "./service.ts";
import { FileLog } from "./service-log.ts";

export interface RunInput extends Pick<
  ServicePorts,
  "env" | "userHome" | "version" | "learnWorker" | "golden" | "finishers"
> {
  /** Without them it holds no ledger. */
  readonly ledgerPrograms?: LedgerPrograms;
  /** Without it, it runs no benches. */
  readonly benchWorker?: string;
}

/**
 * Is the service, in a process or a thread of its own, until it ends. The exit code is 0 when it ended as it should, or
 * was not needed because one runs already; else 1.
 */
export async function runService({
  ledgerPrograms: programs,
  benchWorker,
  ...input
}: RunInput): Promise<void> {
  const { env, userHome } = input;
  const home = purserHome({ env, home: userHome });
  const clock = systemClock;
  const log = new FileLog(home.log, clock);
  const world = { home, log, clock, pid: process.pid, machine: thisMachine() };
  const ledger = programs === undefined ? undefined : newKeeper({ ...world, env, userHome, programs });
  // Rules are the service's, which is begun with its benches.
  const begun: { service?: Service } = {};
  const benches =
    benchWorker === undefined
      ? undefined
      : newBenchKeeper({
          home,
          env,
          ledger,
          rules: () => begun.service?.rules,
          program: benchWorker,
          log,
          clock,
        });
  const service = await Service.start({
    ...input,
    ...(ledger === undefined ? {} : { ledger }),
    ...(benches === undefined ? {} : { benches }),
    ...world,
    temporary: os.tmpdir(),
    platform: process.platform,
    idleAfter: readIdleTime(env),
  });
  if (!service.ok) {
    if (service.reason === "running") return;
    log.write("error", `The service could not begin: ${service.detail}`);
    process.exitCode = 1;
    return;
  }
  begun.service = service.value;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void service.value.stop("signal"));
  // A thread hears no signals. The process it is in goes on, and its clients may have another service at once.
  parentPort?.once("message", () => void service.value.stop("handover"));
  await service.value.stopped;
  // Nothing is left to do; a thread that is still about to end must not keep the process. In a thread this ends it alone.
  process.exit();
}
