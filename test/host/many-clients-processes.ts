import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:process";

/** Whether this system tells what its processes were started with. */
export const tellsProcesses = platform === "linux";

/** The processes that run this program with this purser's home, by what the system says of them. */
export function servicesOf(program: string, purserHome: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return pids.map(Number).filter((pid) => {
    // Behind the options that its runtime is begun with.
    const [, ...words] = told(pid, "cmdline");
    const script = words.find((word) => !word.startsWith("-")) ?? "";
    return script.endsWith(program) && told(pid, "environ").includes(`PURSER_HOME=${purserHome}`);
  });
}

/** What a process that ended meanwhile, or somebody else's, does not tell is empty. */
function told(pid: number, what: "cmdline" | "environ"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8").split("\0");
  } catch {
    return [];
  }
}
