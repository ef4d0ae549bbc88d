import os from "node:os";
import { systemClock } from "../base/clock.ts";
import { readIdleTime } from "./idle-time.ts";
import { thisMachine } from "./machine.ts";
import { purserHome } from "./purser-home.ts";
import { Service, type ServicePorts } from "./service.ts";
import { FileLog } from "./service-log.ts";

export type RunInput = Pick<ServicePorts, "env" | "userHome" | "version" | "learnWorker" | "finishers">;

/**
 * Is the service, in a process of its own, until it ends. The process's exit code is 0 when it ended as it should, or
 * was not needed because one runs already; else 1.
 */
export async function runService(input: RunInput): Promise<void> {
  const home = purserHome({ env: input.env, home: input.userHome });
  const log = new FileLog(home.log, systemClock);
  const service = await Service.start({
    ...input,
    home,
    log,
    temporary: os.tmpdir(),
    platform: process.platform,
    pid: process.pid,
    machine: thisMachine(),
    clock: systemClock,
    idleAfter: readIdleTime(input.env),
  });
  if (!service.ok) {
    if (service.reason === "running") return;
    log.write("error", `The service could not begin: ${service.detail}`);
    process.exitCode = 1;
    return;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void service.value.stop("signal"));
  await service.value.stopped;
  // Nothing is left to do; a thread that is still about to end must not keep the process.
  process.exit();
}
