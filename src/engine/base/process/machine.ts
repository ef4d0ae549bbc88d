import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import { isProcessAlive, linuxProcess } from "./alive.ts";

/** What tells one machine's processes from another's: containers that share a home each count as a machine. */
export interface MachineId {
  readonly host: string;
  /** Another after every start of the system; empty where it does not tell. */
  readonly boot: string;
  /** The space its process ids are in; empty where there is but one. */
  readonly processes: string;
}

/** Processes of this machine, as a port. */
export interface Machine {
  readonly id: MachineId;
  readonly isAlive: (pid: number) => boolean;
  /** When a process began, in the system's own words; null when there is none, or the system does not tell cheaply. */
  readonly startOf: (pid: number) => string | null;
}

/** This machine. */
export function thisMachine(): Machine {
  const isLinux = process.platform === "linux";
  return {
    id: {
      host: os.hostname(),
      boot: isLinux ? told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) : "",
      processes: isLinux ? told(() => readlinkSync("/proc/self/ns/pid")) : "",
    },
    isAlive: isProcessAlive,
    startOf,
  };
}

function startOf(pid: number): string | null {
  if (process.platform === "linux") return linuxProcess(pid)?.start ?? null;
  // Asking Windows takes half a second, and its pipes vanish with their process anyway.
  if (process.platform === "win32") return null;
  const argv = ["-o", "lstart=", "-p", String(pid)];
  const started = told(() =>
    execFileSync("/bin/ps", argv, { encoding: "utf8", env: { LC_ALL: "C" } }).trim(),
  );
  return started === "" ? null : started;
}

/** What the system does not tell is empty. */
function told(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
