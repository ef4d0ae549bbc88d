import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import { isProcessAlive, linuxProcess } from "./alive.ts";

/** Distinguishes the processes of machines: containers that share a home each count as a machine. */
export interface MachineId {
  readonly host: string;
  /** Changes with every start of the system; empty if unavailable. */
  readonly boot: string;
  /** Namespace of its process ids; empty if there is only one. */
  readonly processes: string;
}

/** Processes of this machine, as a port. */
export interface Machine {
  readonly id: MachineId;
  readonly isAlive: (pid: number) => boolean;
  /**
   * Start time of a process, in the system's own words; null if there is none, or if it is too expensive to find out.
   */
  readonly startOf: (pid: number) => string | null;
}

/** This machine. */
export function thisMachine(): Machine {
  const isLinux = process.platform === "linux";
  return {
    id: {
      host: os.hostname(),
      boot: isLinux ? answerOf(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) : "",
      processes: isLinux ? answerOf(() => readlinkSync("/proc/self/ns/pid")) : "",
    },
    isAlive: isProcessAlive,
    startOf,
  };
}

function startOf(pid: number): string | null {
  if (process.platform === "linux") return linuxProcess(pid)?.start ?? null;
  // On Windows it takes half a second to find out, and pipes vanish with their process anyway.
  if (process.platform === "win32") return null;
  const argv = ["-o", "lstart=", "-p", String(pid)];
  const started = answerOf(() =>
    execFileSync("/bin/ps", argv, { encoding: "utf8", env: { LC_ALL: "C" } }).trim(),
  );
  return started === "" ? null : started;
}

/** Returns an empty text if the system does not provide the value. */
function answerOf(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
