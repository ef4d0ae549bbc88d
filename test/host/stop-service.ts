import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "../../src/engine/base/timing.ts";
import { findService } from "../../src/engine/service/launch.ts";
import { thisMachine } from "../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../src/engine/base/disk/home.ts";

const patience = 15_000; // ms for the service to finish its writes
const asked = 25; // ms between two checks

/** Stops the service of a purser home, if one runs, and waits until its process is gone. */
export async function stopService(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const machine = thisMachine();
  const home = purserPaths({ env: { PURSER_HOME: folder }, home: folder });
  const version = "0.0.0";
  const found = findService({ home, machine, clock: systemClock, version, onProblem: console.error });
  if (!found.ok) return;
  const pid = found.value;
  process.kill(pid, "SIGTERM");
  for (let waited = 0; machine.isAlive(pid); waited += asked) {
    if (waited > patience) process.kill(pid, "SIGKILL");
    await wait(asked);
  }
}
