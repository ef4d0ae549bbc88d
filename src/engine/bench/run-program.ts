import { execa } from "execa";
import type { Clock } from "../base/clock.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of this process's own is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; null for no limit. */
  readonly timeout: number | null;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Told as it is printed. */
  readonly onOutput?: (text: string) => void;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly how: "exit" | "timeout" | "cancelled" | "not-started";
  /** Null where it did not end by itself. */
  readonly exitCode: number | null;
  /** The end of what it printed to both of its outputs. */
  readonly output: string;
  readonly durationMs: number;
}

const keptOutput = 64_000; // characters
/** Once it exited, what it printed is read in no time. Milliseconds. */
const outputTime = 1000;

/**
 * Runs a program to its end, and ends with it everything it began: it leads a group of processes of its own, and whatever of that is left
 * when it exits, when its time is over or when nobody wants it any more is killed. Nothing is asked of it: standard input is empty.
 */
export async function runProgram({ file, args, ...program }: Program): Promise<ProgramEnd> {
  const { cwd, env, timeout, signal, clock, onOutput } = program;
  const began = clock.now();
  const end = (rest: Omit<ProgramEnd, "durationMs">) => ({ ...rest, durationMs: clock.now() - began });
  if (signal.aborted) return end({ how: "cancelled", exitCode: null, output: "" });

  const running = execa(file, args, {
    ...{ cwd, env, extendEnv: false, stdin: "ignore", all: true, buffer: false, reject: false },
    ...{ detached: process.platform !== "win32", windowsHide: true, cleanup: true },
  });
  let output = "";
  running.all.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-keptOutput);
    onOutput?.(text);
  });
  const reasons: ("timeout" | "cancelled")[] = [];
  const stop = (why: "timeout" | "cancelled") => {
    reasons.push(why);
    endTree(running.pid);
  };
  const timer = timeout === null ? undefined : setTimeout(() => stop("timeout"), timeout);
  const cancel = () => stop("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  // What it left running may hold its outputs open, which would have us wait for that; also what left its group.
  let closing: NodeJS.Timeout | undefined;
  running.once("exit", () => {
    endTree(running.pid);
    closing = setTimeout(() => {
      running.stdout.destroy();
      running.stderr.destroy();
    }, outputTime);
  });
  const ended = await running;
  clearTimeout(timer);
  clearTimeout(closing);
  signal.removeEventListener("abort", cancel);
  const [stopped] = reasons;
  if (stopped !== undefined) return end({ how: stopped, exitCode: null, output });
  if (running.pid === undefined)
    return end({ how: "not-started", exitCode: null, output: ended.shortMessage ?? "" });
  return end({ how: "exit", exitCode: ended.exitCode ?? null, output });
}

/** Kills a process and all of its group, if there is anything left of it. */
function endTree(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    void execa("taskkill", ["/pid", String(pid), "/t", "/f"], { reject: false, stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // ESRCH: nothing is left. EPERM: what is left is not ours to end, as macOS says of those that are about to vanish.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM")))
      throw error;
  }
}
