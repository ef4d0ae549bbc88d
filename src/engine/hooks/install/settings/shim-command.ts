import type { HookProgram } from "../../program.ts";
import { markFor } from "./entry.ts";

/** How hooks that must be a command are run. */
export interface Shim {
  /** The absolute path of `hook.cjs`. */
  readonly path: string;
  /** What runs it, to be found in the agent's `PATH`. */
  readonly runtime: string;
}

/**
 * Loads its first argument. A shim that is gone with the extension's last version, or is on another machine, says nothing; what the
 * agent tells is read all the same, since an agent that writes to a program that has ended sees an error.
 */
const guarded = "try{require(process.argv[1])}catch{process.stdin.resume()}";

/** The shim as a program with arguments. No shell looks at them, so any path is as good as another. */
export function shimArguments({ path }: Shim, program: HookProgram, event: string): string[] {
  return ["-e", guarded, path, markFor(program, event)];
}

/**
 * The shim as a line that sh, bash, PowerShell and cmd read alike, where nobody says which of them reads it. It succeeds also where there
 * is no shim, and where there is no Node: then the shell says so to nobody. To cmd the end is three more arguments.
 */
export function shimLine({ path, runtime }: Shim, program: HookProgram, event: string): string {
  return `${runtime} -e "${guarded}" ${anyShell(path)} ${markFor(program, event)}; exit 0`;
}

/**
 * The shim for a POSIX shell, and for PowerShell: they succeed also where there is no Node. Copilot CLI takes a `preToolUse` command
 * that fails for a denial, and would let no tool run on any machine the file comes to.
 */
export function guardedLines(
  shim: Shim,
  program: HookProgram,
  event: string,
): { bash: string; powershell: string } {
  const rest = `-e "${guarded}"`;
  const mark = markFor(program, event);
  const { path, runtime } = shim;
  return {
    bash: `if command -v ${runtime} >/dev/null 2>&1; then ${runtime} ${rest} ${posix(path)} ${mark}; else cat >/dev/null; fi; exit 0`,
    powershell: `if (Get-Command ${runtime} -ErrorAction SilentlyContinue) { ${runtime} ${rest} ${powershell(path)} ${mark} }; exit 0`,
  };
}

/** Double quotes are the same to all shells, if nothing within them means something to one of them. */
export function anyShell(path: string): string {
  // On Windows Node takes both slashes; to a POSIX shell a backslash is an escape.
  const slashed = /^[A-Za-z]:\\/u.test(path) || path.startsWith("\\\\") ? path.replaceAll("\\", "/") : path;
  return /^[^"$`\\!%\r\n]*$/u.test(slashed) ? `"${slashed}"` : posix(slashed);
}

export function posix(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function powershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
