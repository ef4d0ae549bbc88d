import { spawnSync } from "node:child_process";

/** Makes a FIFO, which nobody writes to; false where the system has none. */
export function makeFifo(place: string): boolean {
  return process.platform !== "win32" && spawnSync("mkfifo", [place]).status === 0;
}
