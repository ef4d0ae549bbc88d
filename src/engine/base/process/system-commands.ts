import { readFileSync } from "node:fs";

export interface SystemCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Returns the command by which a system's own shell runs a line. */
export function shellCommand(line: string, platform: NodeJS.Platform): SystemCommand {
  return platform === "win32"
    ? { file: "cmd.exe", args: ["/d", "/s", "/c", line] }
    : { file: "/bin/sh", args: ["-c", line] };
}

/** Returns the command by which a POSIX shell runs a line. Windows has one where Git is installed. */
export function posixCommand(line: string, platform: NodeJS.Platform): SystemCommand {
  return { file: platform === "win32" ? "sh" : "/bin/sh", args: ["-c", line] };
}

/** Returns the command for a program of the `PATH`. On Windows most are scripts, which only its shell runs. */
export function programCommand(
  program: string,
  args: readonly string[],
  platform: NodeJS.Platform,
): SystemCommand {
  const isScript = platform === "win32" && /^[\w-]+$/u.test(program);
  return isScript ? { file: "cmd.exe", args: ["/d", "/c", program, ...args] } : { file: program, args };
}

interface LauncherFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the script that runs a command with its caller's arguments. @param self a runtime and its arguments */
export function launcherFile(
  name: string,
  { self, isElectron }: { readonly self: readonly string[]; readonly isElectron: boolean },
  platform: NodeJS.Platform,
): LauncherFile {
  if (platform === "win32") {
    // A percent sign would begin a variable.
    const words = self.map((word) => `"${word.replaceAll("%", "%%")}"`).join(" ");
    const asNode = isElectron ? "set ELECTRON_RUN_AS_NODE=1\r\n" : "";
    return { name: `${name}.cmd`, text: `@echo off\r\n${asNode}${words} %*\r\n` };
  }
  const words = self.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  return { name, text: `#!/bin/sh\n${isElectron ? "ELECTRON_RUN_AS_NODE=1 " : ""}exec ${words} "$@"\n` };
}

/**
 * Whether a process with this id is running on this machine. Another user's process counts as alive; an ended one that
 * its parent has not reaped, which in a container may never happen, does not.
 */
export function isProcessAlive(pid: number): boolean {
  return isKnown(pid) && linuxProcess(pid)?.state !== "Z";
}

function isKnown(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Reads a process's state on Linux: see proc_pid_stat(5). Undefined if there is none, or on another system. */
export function linuxProcess(pid: number): { state: string; start: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name, in parentheses, may hold anything; the fields come after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? undefined : { state, start };
}
