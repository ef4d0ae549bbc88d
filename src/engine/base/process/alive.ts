import { readFileSync } from "node:fs";

/**
 * Is there a process of this id on this machine? One that belongs to somebody else counts as alive. One that ended stays
 * known until its parent takes note, which in a container nobody may: it is not alive.
 */
export function isProcessAlive(pid: number): boolean {
  return isKnown(pid) && linuxProcess(pid)?.state !== "Z";
}

function isKnown(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** What Linux says of a process: see proc_pid_stat(5). Undefined where there is none, or another system. */
export function linuxProcess(pid: number): { state: string; start: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name, in parentheses, may hold anything; what counts comes after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? undefined : { state, start };
}
