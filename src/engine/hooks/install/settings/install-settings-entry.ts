import path from "node:path";
import { isObject } from "../../../base/parse.ts";
import { isJudgedBefore, type HookProgram } from "../../program.ts";

export interface HookEntry {
  readonly event: string;
  /** Narrows the event, where handlers come in groups; null for all of it. */
  readonly matcher: string | null;
  /**
   * Matcher that earlier versions of purser installed. Null for none. Any other matcher is a person's choice.
   */
  readonly formerMatcher?: string | null;
  readonly handler: Readonly<Record<string, unknown>>;
}

export interface HookFormat {
  /** Whether an event has groups of handlers, each with its matcher, or the handlers themselves. */
  readonly isGrouped: boolean;
  /** Whether the agent accepts comments in the file. */
  readonly takesComments: boolean;
  /** Top-level members of a new file, in addition to its hooks. */
  readonly head: Readonly<Record<string, unknown>>;
}

/** Codex accepts only `hooks` and `description` at the top level; Copilot CLI requires a version. */
export const hookFormats: Readonly<Record<HookProgram, HookFormat>> = {
  "claude-code": { isGrouped: true, takesComments: false, head: {} },
  codex: { isGrouped: true, takesComments: false, head: {} },
  copilot: { isGrouped: false, takesComments: false, head: { version: 1 } },
  gemini: { isGrouped: true, takesComments: true, head: {} },
};

/** Members of a handler that run something, in any agent's format. */
const running = ["command", "args", "exec", "bash", "powershell"];

/** A shim argument that marks the hook as ours, wherever the shim is. The shim ignores it. */
const shimMarker = "--purser-hook=";

/** A header that marks a posted hook as ours, whatever its port. */
export const markHeader = "X-Purser-Hook";

/** Marks a command as purser's. Agents pass it on like any other argument. */
export function markFor(program: HookProgram, event: string): string {
  return `${shimMarker}${program}:${event}`;
}

/**
 * Whether purser wrote a handler, with any port and shim. Its position proves nothing, as people move
 * handlers.
 */
export function isOwnHandler(handler: unknown): boolean {
  if (!isObject(handler)) return false;
  const { headers } = handler;
  if (
    isObject(headers) &&
    Object.keys(headers).some((name) => name.toLowerCase() === markHeader.toLowerCase())
  )
    return true;
  return running
    .flatMap((name) => handler[name])
    .some((part) => typeof part === "string" && part.includes(shimMarker));
}

/** Matches lines from `shimLine` and `guardedLines`: the quoted path, followed by the mark. */
const quoted = /(?:"(?<plain>[^"]*)"|(?<posix>'[^']*(?:'\\''[^']*){0,20}')) --purser-hook=/u;

/** Returns the path of the shim that a hook of ours runs; null when it is posted, or written in an unknown form. */
export function shimPathIn(handler: unknown): string | null {
  if (!isObject(handler)) return null;
  const { args, command, bash } = handler;
  // The mark follows the path, as in `shimArguments`.
  const argument: unknown = Array.isArray(args) ? args.at(-2) : undefined;
  if (typeof argument === "string") return argument;
  const lines = [command, bash].filter((each) => typeof each === "string");
  const { plain, posix } = lines.map((line) => quoted.exec(line)?.groups).find(Boolean) ?? {};
  return plain ?? posix?.slice(1, -1).replaceAll(String.raw`'\''`, "'") ?? null;
}

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

/** The fate of a call that could not be judged: it runs (`open`), or it is denied (`closed`). */
export type OnFailure = "open" | "closed";

/** An argument of the script and the shim: the agent waits for `patientTimeout`. */
const patience = "--patient";
/** A call that must be judged may take this long on a busy machine. Seconds. */
export const patientTimeout = 20;

/** A hook as a line that runs purser's script: see `hookScript`. Every POSIX shell and fish understand it. */
export function scriptLine(script: string, program: HookProgram, event: string): string {
  const path = posix(script);
  return `[ -r ${path} ] && exec sh ${path} ${markFor(program, event)}${isJudgedBefore(event) ? ` ${patience}` : ""}; cat >/dev/null; exit 0`;
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

/** Path of the CLI: next to another program of purser in a build, or at its source. */
export function cliBeside(program: string): string {
  const { dir, ext } = path.parse(program);
  return ext === ".ts" ? path.join(dir, "..", "cli", "main.ts") : path.join(dir, "cli.cjs");
}
