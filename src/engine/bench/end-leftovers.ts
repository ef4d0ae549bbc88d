import { readdir, readFile } from "node:fs/promises";
import { errorCode } from "../base/error-code.ts";
import { markName } from "./drivers/kept-environment.ts";

/**
 * Kills every process of this user that has a mark in its environment that begins so: what an agent began in a group of its own, and what
 * a bench that was killed left running. Linux alone tells a process's environment without asking another program; elsewhere an agent's
 * group is all that is ended.
 *
 * @returns how many were ended
 */
export async function endMarked(mark: string): Promise<number> {
  if (process.platform !== "linux") return 0;
  const wanted = `${markName}=${mark}`;
  let ended = 0;
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !(await hasMark(pid, wanted))) continue;
    if (kill(pid)) ended += 1;
  }
  return ended;
}

async function hasMark(pid: number, wanted: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    return environment.split("\0").some((entry) => entry.startsWith(wanted));
  } catch (error) {
    // It has ended, or is another user's.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(errorCode(error))) return false;
    throw error;
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if (["ESRCH", "EPERM"].includes(errorCode(error))) return false;
    throw error;
  }
}
