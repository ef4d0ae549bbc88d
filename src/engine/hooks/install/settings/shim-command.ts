import type { HookProgram } from "../../program.ts";
import { markFor } from "./install-settings-entry.ts";

/** How to run hooks that must be commands. */
export interface Shim {
  /** The absolute path of `hook.cjs`. */
  readonly path: string;
  /** The program that runs it, found in the agent's `PATH`. */
  readonly runtime: string;
}

/**
 * Loads its first argument. The shim may be missing after an extension update, or on another machine. It then
 * prints nothing but still reads its input, since an agent reports an error when it writes to a program that
 * has ended.
 */
const guarded = "try{require(process.argv[1])}catch{process.stdin.resume()}";

/** The shim as program arguments. No shell interprets them, so the path may contain anything. */
export function shimArguments({ path }: Shim, program: HookProgram, event: string): string[] {
  return ["-e", guarded, path, markFor(program, event)];
}

/**
 * The shim as a line that sh, bash, PowerShell and cmd all understand, for files that do not name their
 * shell. It also succeeds without the shim, and without Node, so that nobody sees a shell error. For cmd the
 * end is three more arguments.
 */
export function shimLine({ path, runtime }: Shim, program: HookProgram, event: string): string {
  return `${runtime} -e "${guarded}" ${anyShell(path)} ${markFor(program, event)}; exit 0`;
}

/**
 * The shim for a POSIX shell, and for PowerShell: both succeed also without Node. Copilot CLI treats a failing `preToolUse` command as a
 * denial, and would let no tool run on any machine the file reaches.
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

/** Quotes a path. Double quotes work in every shell, unless the text has characters that are special to one of them. */
export function anyShell(path: string): string {
  // Node accepts both slashes on Windows; to a POSIX shell a backslash is an escape.
  const slashed = /^[A-Za-z]:\\/u.test(path) || path.startsWith("\\\\") ? path.replaceAll("\\", "/") : path;
  return /^[^"$`\\!%\r\n]*$/u.test(slashed) ? `"${slashed}"` : posix(slashed);
}

export function posix(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function powershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
