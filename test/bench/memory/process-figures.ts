import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** A process's resident memory, shared pages included. Bytes. */
export function residentMemory(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status))
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024;
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(status, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** Milliseconds per tick in `/proc`, the only unit Linux exposes to user programs. */
const tick = 10;

/** Processor time of a process and all of its threads so far. Milliseconds; NaN except on Linux. */
export function processorTime(pid: number): number {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return Number.NaN;
  // The second field is the program's name in brackets, which may contain anything.
  const fields = readFileSync(stat, "utf8")
    .replace(/^.*\)\s/su, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Samples a process's memory repeatedly; the returned function stops that and returns the peak. Bytes. */
export function watchMemory(pid: number, every: number): () => number {
  let most = residentMemory(pid);
  const timer = setInterval(() => (most = Math.max(most, residentMemory(pid))), every);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Memory of this Node when idle. Bytes. */
export async function bareMemory(settled: number): Promise<number> {
  const bare = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  try {
    await wait(settled);
    return residentMemory(bare.pid ?? 0);
  } finally {
    bare.kill();
  }
}
