import { execFile } from "node:child_process";
import { programCommand } from "./system-commands.ts";

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
