import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface TimedRun {
  /** Wall time from start to exit. Milliseconds. */
  readonly time: number;
  /** Peak memory of the process, as the kernel reports it to the parent at exit. Bytes; null if unavailable. */
  readonly memory: number | null;
  /** Time on any core, in the program and in the kernel for it: other programs disturb it less. Milliseconds, or null. */
  readonly cpu: number | null;
  readonly stdout: string;
}

/** GNU time gets a finished child's peak memory and CPU time from the kernel (`wait4`); Node itself has no way to. */
const gnuTime = ["/usr/bin/time", "/usr/local/bin/gtime"].find((file) => existsSync(file) && isGnu(file));

function isGnu(file: string): boolean {
  return spawnSync(file, ["--version"], { encoding: "utf8" }).stdout.includes("GNU");
}

/** Limits both programs to two cores on a machine with more. */
function onTwoCores(): string[] {
  const hasTaskset = process.platform === "linux" && spawnSync("taskset", ["--version"]).status === 0;
  return os.availableParallelism() > 2 && hasTaskset ? ["taskset", "-c", "0,1"] : [];
}

const before = onTwoCores();

/** Runs a program to its end. Throws when it fails. */
export function timedRun(command: readonly string[], env: Readonly<Record<string, string>>): TimedRun {
  const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-time-"));
  try {
    const report = path.join(scratch, "memory");
    const measure = gnuTime === undefined ? [] : [gnuTime, "-f", "%M %U %S", "-o", report];
    const [program = "", ...argv] = [...before, ...measure, ...command];
    const start = performance.now();
    const stdout = execFileSync(program, argv, {
      env: { ...process.env, ...env },
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const time = performance.now() - start;
    if (gnuTime === undefined) return { time, memory: null, cpu: null, stdout };
    const [memory = 0, user = 0, system = 0] = readFileSync(report, "utf8").trim().split(" ").map(Number);
    return { time, memory: memory * 1024, cpu: (user + system) * 1000, stdout };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}
