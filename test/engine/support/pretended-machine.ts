import type { Machine } from "../../../src/engine/base/process/machine.ts";

/** A machine whose live processes are defined by the test; pids are never reused. */
export function fakeMachine(isAlive: (pid: number) => boolean, host = "here"): Machine {
  return { id: { host, boot: "boot", processes: "processes" }, isAlive, startOf: () => "1" };
}
