import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:process";

/** Whether this system exposes the command lines of processes. */
export const canListProcesses = platform === "linux";

/** Pids of the processes that run this program with this purser home, according to the system. */
export function servicesOf(program: string, purserHome: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return pids.map(Number).filter((pid) => {
    // Follows the options of its runtime.
    const [, ...words] = readProcessStrings(pid, "cmdline");
    const script = words.find((word) => !word.startsWith("-")) ?? "";
    return (
      script.endsWith(program) && readProcessStrings(pid, "environ").includes(`PURSER_HOME=${purserHome}`)
    );
  });
}

/** Reads a process file as strings; empty for a process that has ended or belongs to another user. */
function readProcessStrings(pid: number, what: "cmdline" | "environ"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8").split("\0");
  } catch {
    return [];
  }
}
