import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../base/timing/clock.ts";
import { markName } from "../drivers/kept-environment.ts";
import { endMarked } from "./end-leftovers.ts";
import { runProgram, type ProgramEnd } from "./run-program.ts";
import type { GoldenTask } from "../suite/suite.ts";

/** Where in a copy a check's own files are while it runs, and only then. */
export const checkFolder = ".purser-check";

/** Milliseconds. Checks of the built-in suite take a few seconds; a machine may be busy. */
export const defaultCheckTimeout = 60_000;

export interface CheckResult {
  /** `unavailable`: the program that the check begins with is not here, so that nothing is known of the work. */
  readonly outcome: "passed" | "failed" | "timeout" | "cancelled" | "unavailable";
  readonly exitCode: number | null;
  /** The end of what it printed. Outside text. */
  readonly output: string;
  readonly durationMs: number;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** The environment of which a check sees a few names: those that programs need to be found and to run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  /** Known of every process that the check begins; no other run or check has the same. */
  readonly mark: string;
}

/**
 * Runs a task's check in a folder: exit code 0 says that the work is done. What the check brings along is put into the folder for as
 * long as it runs. It sees nothing of the user's: an environment of its own, an empty home, its own temporary folder. No process that it
 * began is there afterwards.
 *
 * @throws the system's error when the folder cannot be written
 */
export async function runCheck(
  task: Pick<GoldenTask, "check" | "checkFiles">,
  folder: string,
  { signal, env, timeout, clock, mark }: CheckOptions,
): Promise<CheckResult> {
  const place = path.join(folder, checkFolder);
  // Whoever worked here may have left something under that name, a link to elsewhere even: that is removed, never followed.
  await rm(place, { recursive: true, force: true });
  try {
    for (const file of task.checkFiles) {
      const target = path.join(place, file.path);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, file.text);
    }
    const scratch = { home: path.join(place, "home"), temporary: path.join(place, "tmp") };
    await Promise.all(Object.values(scratch).map((each) => mkdir(each, { recursive: true })));
    const own = { ...checkEnvironment(env, scratch), [markName]: mark };
    const run = (command: Command) =>
      runProgram({ ...command, cwd: folder, env: own, timeout, signal, clock });
    const result = resultOf(await run(commandOf(task.check)));
    if (result.exitCode !== notFound) return result;
    const word = programOf(task.check);
    const isThere = word === null || (await run(commandOf(`command -v ${word}`))).exitCode === 0;
    return isThere ? result : { ...result, outcome: "unavailable" };
  } finally {
    await endMarked(mark);
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What a shell ends with that did not find a program: the check's own, or one that is begun by what the check runs. */
const notFound = 127;

/**
 * The program that a check itself begins with, where it is looked for on the PATH: without it nothing is known of the work. Null where it
 * is a file of the project, or cannot be told: what is missing then is the work's.
 */
function programOf(check: string): string | null {
  return /^(?:\w+=[\w./:,@%+-]* +)*([\w@%+:.-]+)(?= |$)/u.exec(check)?.[1] ?? null;
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Words without anything that a shell would act on. */
const plainNode = /^node(?: +[\w@%+=:,./-]+)+$/u;

/** `node` with plain words needs no shell, and so runs wherever node does. */
function commandOf(check: string): Command {
  if (!plainNode.test(check))
    return { file: process.platform === "win32" ? "sh" : "/bin/sh", args: ["-c", check] };
  const [file = "node", ...args] = check.split(/ +/u);
  return { file, args };
}

/** On Windows names of variables are compared without case. */
const kept =
  /^(?:PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|LANG|LC_ALL|LC_CTYPE|ELECTRON_RUN_AS_NODE)$/iu;

function checkEnvironment(
  env: CheckOptions["env"],
  { home, temporary }: { home: string; temporary: string },
): Record<string, string> {
  const seen = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && kept.test(name) ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(seen),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    CI: "1",
    NO_COLOR: "1",
    TZ: "UTC",
  };
}

function resultOf({ how, exitCode, output, durationMs }: ProgramEnd): CheckResult {
  if (how !== "exit")
    return { outcome: how === "not-started" ? "unavailable" : how, exitCode, output, durationMs };
  return { outcome: exitCode === 0 ? "passed" : "failed", exitCode, output, durationMs };
}
