import os from "node:os";
import { execFileSync, execFile } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { isProcessAlive, linuxProcess, programCommand } from "./system-commands.ts";

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

/** Programs that print a version or an account need much less. Milliseconds. */
const maxTime = 8000;
/** How long an output stays valid: several callers ask for the same within a moment. Milliseconds. */
const trusted = 60_000;
const maxSize = 1024 * 1024; // bytes

type Run = (program: string, args: readonly string[]) => Promise<string | null>;

/**
 * Returns a function that runs small programs of the system and returns their output; null if a program cannot be run, fails, or
 * takes too long. Programs are found as an agent started from here would find them.
 */
export function briefRunner(env: Readonly<Record<string, string | undefined>>): Run {
  const known = new Map<string, { readonly at: number; readonly output: Promise<string | null> }>();
  return (program, args) => {
    const key = JSON.stringify([program, ...args]);
    const now = performance.now();
    const before = known.get(key);
    if (before !== undefined && now - before.at < trusted) return before.output;
    const output = run(program, args, env);
    known.set(key, { at: now, output });
    return output;
  };
}

function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  // All arguments are our own: no shell can take them for something else.
  const command = programCommand(program, args, process.platform);
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: maxTime, maxBuffer: maxSize, windowsHide: true };
    const child = execFile(command.file, command.args, options, (error, out) =>
      resolve(error === null ? out : null),
    );
    child.stdin?.end();
  });
}
