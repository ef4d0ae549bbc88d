import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

/** A program that ended. */
export interface Ended {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  /** Standard output and error, in order. */
  readonly output: string;
  /** Processor time of the program and of the children that it waited for. Null if unknown. Seconds. */
  readonly processor: number | null;
}

interface GroupOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A killed program may end its own children first. Milliseconds. */
const grace = 5000;

/**
 * Runs a program in a separate process group. If it is aborted or takes too long, everything that it started
 * in that group ends with it. A shell around it reports the processor time.
 */
export async function runGroup(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env, timeout, signal }: GroupOptions,
): Promise<Ended> {
  const isPosix = process.platform !== "win32";
  const folder = await mkdtemp(join(tmpdir(), "purser-step-"));
  const times = join(folder, "times");
  const script = `"$@"; code=$?; times > "$0"; exit $code`;
  const [program, words] = isPosix ? ["/bin/sh", ["-c", script, times, file, ...args]] : [file, args];
  try {
    const running = execa(program, words, {
      cwd,
      env,
      all: true,
      reject: false,
      stdin: "ignore",
      detached: isPosix,
    });
    const end = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    let last: NodeJS.Timeout | undefined;
    const stop = () => {
      killGroup(running.pid, "SIGTERM");
      last = setTimeout(() => killGroup(running.pid, "SIGKILL"), grace);
    };
    end.addEventListener("abort", stop, { once: true });
    if (end.aborted) stop();
    const ran = await running;
    end.removeEventListener("abort", stop);
    clearTimeout(last);
    return {
      exitCode: ran.exitCode ?? null,
      output: ran.all,
      processor: isPosix ? await processorIn(times) : null,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function killGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
  } catch (error) {
    // The whole group has ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The sums of the shell's `times`: its own, then its children's, each of user and system as `1m2.50s`. */
async function processorIn(file: string): Promise<number | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // The shell was killed before it wrote them.
    return null;
  }
  const [, children = ""] = text.split("\n");
  const parts = [...children.matchAll(/(\d+)m([\d.,]+)s/gu)];
  if (parts.length === 0) return null;
  return parts.reduce(
    (sum, [, minutes = "", seconds = ""]) => sum + Number(minutes) * 60 + Number(seconds.replace(",", ".")),
    0,
  );
}
