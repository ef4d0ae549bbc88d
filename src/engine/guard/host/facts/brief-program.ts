import { execFile } from "node:child_process";

const largest = 8 * 1024 * 1024; // bytes

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs an installed program for a moment, and returns what it printed; null where it could not be run, or not in time. */
export async function runForMoment(
  file: string,
  args: readonly string[],
  {
    env,
    cwd,
    time,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
    /** Milliseconds. */
    readonly time: number;
  },
): Promise<Ended | null> {
  return await new Promise((resolve) => {
    const options = { env: { ...env }, cwd, timeout: time, maxBuffer: largest, windowsHide: true };
    const child = execFile(file, [...args], options, (error, out, errors) => {
      const output = out === "" ? errors : out;
      const code = error === null ? 0 : error.code;
      resolve(typeof code === "number" ? { code, output } : null);
    });
    child.stdin?.end();
  });
}
