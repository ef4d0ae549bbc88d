import { compose } from "../../base/language.ts";
import { closeSync, openSync, readSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";

/**
 * State of a process at one moment.
 *
 * - `running`: a program with these `NAME=value` entries; none if it is another user's.
 * - `loading`: its program is being loaded, so its environment cannot be read yet.
 * - `ending`: it executes nothing any more, but still holds its open files.
 * - `ended`: only its exit code is left, which its parent has not read.
 * - `gone`: there is no such process.
 */
export type ProcessState =
  | { readonly kind: "running"; readonly environment: readonly string[] }
  | { readonly kind: "loading" | "ending" | "ended" | "gone" };

export interface ProcessTable {
  /** Ids of all processes but this one. */
  ids(): Promise<readonly number[]>;
  inspect(id: number): Promise<ProcessState>;
  /** Kills a process. Returns false if it may not be killed; one that has ended counts as killed. */
  kill(id: number): boolean;
  /** Waits a moment, so that killed processes can end and loading ones get their environment. */
  rest(): Promise<void>;
}

const restMs = 10;

/** The processes of this machine; null if the system does not show a process's environment without the help of another program. */
export function systemProcesses(platform: NodeJS.Platform = process.platform): ProcessTable | null {
  return platform === "linux" ? linuxProcesses : null;
}

const linuxProcesses: ProcessTable = {
  ids: async () =>
    (await readdir("/proc")).map(Number).filter((id) => Number.isInteger(id) && id !== process.pid),
  inspect: (id) => Promise.resolve(inspectProcess(id)),
  kill: (id) => {
    try {
      return process.kill(id, "SIGKILL");
    } catch (error) {
      const code = errorCode(error);
      if (code === "ESRCH") return true;
      if (code === "EPERM") return false;
      throw error;
    }
  },
  rest: () => pause(restMs),
};

/** Reads the files of a process synchronously: they are not on a disk, and the process would change during a wait. */
function inspectProcess(id: number): ProcessState {
  const environment = readOf(id, "environ");
  if (environment.ok && environment.value !== "")
    return { kind: "running", environment: environment.value.split("\0") };
  if (!environment.ok && environment.reason === "theirs") return { kind: "running", environment: [] };
  // Newer kernels refuse the environment of a process without memory, as if it was gone: kernel threads, and ended processes.
  const stat = readOf(id, "stat");
  if (stat.ok) return withoutEnvironment(stat.value);
  return stat.reason === "gone" ? { kind: "gone" } : { kind: "running", environment: [] };
}

/** A kernel thread, which has no memory of its own: PF_KTHREAD of include/linux/sched.h. */
const kernelThread = 0x0020_0000;

/**
 * Finds out why a process's environment reads as empty: see proc_pid_stat(5). The name, in parentheses, may hold anything; fields are
 * counted from behind it.
 */
function withoutEnvironment(stat: string): ProcessState {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3] ?? 0);
  const [state] = fields;
  if (state === "Z" || state === "X") return { kind: "ended" };
  if ((field(9) & kernelThread) !== 0) return { kind: "running", environment: [] };
  const [memory, from, to] = [field(23), field(50), field(51)];
  if (memory === 0) return { kind: "ending" };
  // A truly empty environment has an address, and no length.
  return to !== 0 && to === from ? { kind: "running", environment: [] } : { kind: "loading" };
}

/** `theirs`: another user's. */
function readOf(id: number, name: "environ" | "stat"): Result<string, "gone" | "theirs"> {
  const file = `/proc/${id}/${name}`;
  try {
    return succeed(readWhole(file));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ESRCH") return fail("gone", compose`${file} is not there`);
    if (code === "EACCES" || code === "EPERM") return fail("theirs", compose`${file} may not be read`);
    throw error;
  }
}

/** Buffer for one process's environment; grows when needed. */
let room = Buffer.allocUnsafe(64 * 1024);

/** Reads a file of unknown length, with one shared buffer: a sweep reads hundreds. */
function readWhole(file: string): string {
  const opened = openSync(file, "r");
  try {
    let length = 0;
    for (;;) {
      const read = readSync(opened, room, length, room.length - length, null);
      if (read === 0) return room.toString("latin1", 0, length);
      length += read;
      if (length === room.length) room = Buffer.concat([room, Buffer.allocUnsafe(room.length)]);
    }
  } finally {
    closeSync(opened);
  }
}
