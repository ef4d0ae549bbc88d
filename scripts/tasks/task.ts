import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";

const root = path.resolve(import.meta.dirname, "../..");

/** A program of this repository that one npm script starts by its name. */
export interface Task {
  readonly name: string;
  /** What it prints or does, in one sentence. */
  readonly title: string;
  /** Arguments for Node, from the root of the repository. */
  readonly run: readonly [string, ...string[]];
  /** Programs that have to run first, as arguments for Node. */
  readonly before?: readonly (readonly [string, ...string[]])[];
}

/**
 * Runs the task that the command line names, with the arguments after its name. Without a name, or with an unknown one, it prints the list.
 * @param script the npm script, such as `bench`
 * @returns the exit code
 */
export function runTask(script: string, tasks: readonly Task[], args: readonly string[]): number {
  const [name, ...rest] = args;
  const task = tasks.find((each) => each.name === name);
  if (task === undefined) {
    if (name !== undefined) console.error(`There is no ${script} "${name}".\n`);
    console.log(listOf(script, tasks));
    return name === undefined ? 0 : 2;
  }
  for (const step of [...(task.before ?? []), [...task.run, ...rest]]) {
    const { status, error } = spawnSync(process.execPath, step, { cwd: root, stdio: "inherit" });
    if (error !== undefined) throw error;
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

function listOf(script: string, tasks: readonly Task[]): string {
  const width = Math.max(...tasks.map(({ name }) => name.length));
  const rows = tasks.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`);
  return [`npm run ${script} -- NAME`, ...rows].join("\n");
}
