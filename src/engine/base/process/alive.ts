import { readFileSync } from "node:fs";

/**
 * Whether a process with this id is running on this machine. Another user's process counts as alive; an ended one that
 * its parent has not reaped, which in a container may never happen, does not.
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

/** Reads a process's state on Linux: see proc_pid_stat(5). Undefined if there is none, or on another system. */
export function linuxProcess(pid: number): { state: string; start: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name, in parentheses, may hold anything; the fields come after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? undefined : { state, start };
}
