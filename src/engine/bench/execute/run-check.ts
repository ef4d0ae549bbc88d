import { posixCommand, type SystemCommand } from "../../base/process.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../base/timing.ts";
import { markName, toolVariables } from "../drivers/run-environment.ts";
import { killMarked } from "../processes.ts";
import { runProgram, type ProgramEnd } from "./run-program.ts";
import type { GoldenTask } from "../suite/suite.ts";

/** Folder of a check's own files in a copy, present only while it runs. */
export const checkFolder = ".purser-check";

/** Milliseconds. Checks of the built-in suite take a few seconds; a project's own tests take longer, and a machine may be busy. */
export const defaultCheckTimeout = 180_000;

export interface CheckResult {
  /** `unavailable`: the program that the check starts with is not installed, so the work cannot be judged. */
  readonly outcome: "passed" | "failed" | "timeout" | "cancelled" | "unavailable";
  readonly exitCode: number | null;
  readonly output: string;
  readonly durationMs: number;
}

export interface EndedCheck extends CheckResult {
  /** Ids of processes of the run, the check's or an earlier one's, that did not end. */
  readonly left: readonly number[];
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** A check sees only the few variables that programs need to be found and to run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  /** Marks every process that the check starts; unique to this check. */
  readonly mark: string;
}

/**
 * Runs a task's check in a folder: exit code 0 means that the work is done. The check's files are in the
 * folder only while it runs. It is isolated from the user: own environment, an empty home, own temporary
 * folder. None of its processes is left afterwards.
 * @throws the system's error if the folder cannot be written
 */
export async function runCheck(
  task: Pick<GoldenTask, "check" | "checkFiles">,
  folder: string,
  options: CheckOptions,
): Promise<EndedCheck> {
  const checkPath = path.join(folder, checkFolder);
  // The agent may have left something under that name, even a link to elsewhere: it is removed, never followed.
  await rm(checkPath, { recursive: true, force: true });
  let left: readonly number[] = [];
  let result: CheckResult;
  try {
    result = await judge(task, folder, checkPath, options);
  } finally {
    left = await killMarked(options.mark);
    await rm(checkPath, { recursive: true, force: true, maxRetries: 3 });
  }
  return { ...result, left };
}

/** @param checkPath location of the check's own files */
async function judge(
  task: Pick<GoldenTask, "check" | "checkFiles">,
  folder: string,
  checkPath: string,
  { signal, env, timeout, clock, mark }: CheckOptions,
): Promise<CheckResult> {
  for (const file of task.checkFiles) {
    const target = path.join(checkPath, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.text);
  }
  const scratch = { home: path.join(checkPath, "home"), temporary: path.join(checkPath, "tmp") };
  await Promise.all(Object.values(scratch).map((each) => mkdir(each, { recursive: true })));
  const own = { ...checkEnvironment(env, scratch), [markName]: mark };
  const run = (command: SystemCommand) =>
    runProgram({ ...command, cwd: folder, env: own, timeout, signal, clock });
  const result = resultOf(await run(commandOf(task.check)));
  if (result.exitCode !== notFound) return result;
  const word = programOf(task.check);
  const isThere = word === null || (await run(commandOf(`command -v ${word}`))).exitCode === 0;
  return isThere ? result : { ...result, outcome: "unavailable" };
}

/** A shell's exit code for a missing program: the check's own, or one that the check starts. */
const notFound = 127;

/**
 * Returns the program that the check starts with if it is searched on the PATH: without it the work cannot be judged. Null if it is a
 * file of the project, or cannot be determined: then a missing program is a fault of the work.
 */
function programOf(check: string): string | null {
  return /^(?:\w+=[\w./:,@%+-]* +)*([\w@%+:.-]+)(?= |$)/u.exec(check)?.[1] ?? null;
}

/** Words without anything that a shell would interpret. */
const plainNode = /^node(?: +[\w@%+=:,./-]+)+$/u;

/** Returns the command for a check. `node` with plain words needs no shell, and so runs wherever node does. */
function commandOf(check: string): SystemCommand {
  if (!plainNode.test(check)) return posixCommand(check, process.platform);
  const [file = "node", ...args] = check.split(/ +/u);
  return { file, args };
}

/** On Windows the names of variables are case-insensitive. */
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
    ...toolVariables(env),
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
