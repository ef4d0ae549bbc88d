import type { Machine } from "../../../src/engine/base/process/machine.ts";

/** A machine whose processes are alive as a test says; none of their ids was ever another's. */
export function pretendedMachine(isAlive: (pid: number) => boolean, host = "here"): Machine {
  return { id: { host, boot: "boot", processes: "processes" }, isAlive, startOf: () => "1" };
}
