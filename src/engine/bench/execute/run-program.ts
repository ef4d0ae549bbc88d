import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { errorCode } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited from this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; null for no limit. */
  readonly timeout: number | null;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onOutput?: (text: string) => void;
}

export interface ProgramEnd {
  readonly how: "exit" | "timeout" | "cancelled" | "not-started";
  /** Null if it did not end by itself. */
  readonly exitCode: number | null;
  /** The end of its combined stdout and stderr. */
  readonly output: string;
  readonly durationMs: number;
}

const keptOutput = 64_000; // characters
/** Time to drain the output after the exit, which is normally instant. Milliseconds. */
const outputTime = 1000;
/** A killed process ends in milliseconds, on a starved machine in tenths of a second. Milliseconds. */
const endTime = 1000;
const endInterval = 10; // ms

/**
 * Runs a program to its end, together with everything it starts. It leads its own process group, and the rest
 * of that group is killed when it exits, times out or is cancelled. Its stdin is empty.
 */
export async function runProgram({ file, args, ...program }: Program): Promise<ProgramEnd> {
  const { cwd, env, timeout, signal, clock, onOutput } = program;
  const began = clock.now();
  if (signal.aborted) return { how: "cancelled", exitCode: null, output: "", durationMs: 0 };

  const running = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: "ignore",
    all: true,
    buffer: false,
    reject: false,
    detached: process.platform !== "win32",
    windowsHide: true,
    cleanup: true,
  });
  let output = "";
  running.all.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-keptOutput);
    onOutput?.(text);
  });
  const reasons: ("timeout" | "cancelled")[] = [];
  const ending: Promise<void>[] = [];
  const endAll = () => void ending.push(endTree(running.pid));
  const stop = (why: "timeout" | "cancelled") => {
    reasons.push(why);
    endAll();
  };
  const timer = timeout === null ? undefined : setTimeout(() => stop("timeout"), timeout);
  const cancel = () => stop("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  // Leftover processes, even outside the group, may hold the outputs open and would keep us waiting.
  let closing: NodeJS.Timeout | undefined;
  running.once("exit", () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    // Windows only knows a process's children while it exists.
    if (process.platform !== "win32") endAll();
    closing = setTimeout(() => {
      running.stdout.destroy();
      running.stderr.destroy();
    }, outputTime);
  });
  const ended = await running;
  const durationMs = clock.now() - began;
  clearTimeout(timer);
  clearTimeout(closing);
  signal.removeEventListener("abort", cancel);
  await Promise.all(ending);
  const [stopped] = reasons;
  if (stopped !== undefined) return { how: stopped, exitCode: null, output, durationMs };
  if (running.pid === undefined)
    return { how: "not-started", exitCode: null, output: ended.shortMessage ?? "", durationMs };
  return { how: "exit", exitCode: ended.exitCode ?? null, output, durationMs };
}

/**
 * Kills a process and its whole group, and waits until they have ended. On Linux `killMarked` does the
 * waiting, since it can distinguish ended processes from running ones: a container may have no process that
 * reaps the ended ones, which then stay in their group.
 */
async function endTree(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    await execa("taskkill", ["/pid", String(pid), "/t", "/f"], { reject: false, stdio: "ignore" });
    return;
  }
  if (!signalGroup(pid, "SIGKILL") || process.platform === "linux") return;
  for (let waited = 0; waited < endTime && signalGroup(pid, 0); waited += endInterval)
    await pause(endInterval);
}

/** Returns whether anything of the group exists. @param signal 0 only tests */
function signalGroup(leader: number, signal: "SIGKILL" | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    // ESRCH: nothing is left. EPERM: the rest is not ours to end, as macOS reports for processes that are about to vanish.
    if (["ESRCH", "EPERM"].includes(errorCode(error))) return false;
    throw error;
  }
}
