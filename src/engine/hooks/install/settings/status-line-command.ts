import path from "node:path";
import { anyShell, posix, type Shim } from "./shim-command.ts";

/** What marks a status line's command as purser's. What follows is what was there before. */
const mark = "--purser-status-line=";

/** What a user's status line was, so that it can be run and put back. */
export interface ChainedLine {
  /** Empty where there was none. */
  readonly command: string;
  /** The text of the whole setting, as it stood in the file. Empty where there was none. */
  readonly text: string;
}

/**
 * Loads purser's program. Where that is gone, the user's own command is run all the same: this is its place.
 */
const guarded =
  "try{require(process.argv[1])}catch{const{command:c}=JSON.parse(Buffer.from(process.argv[2].split('=')[1],'base64url'));" +
  "if(c)require('child_process').spawn(c,{shell:true,stdio:'inherit'}).on('exit',x=>process.exitCode=x??1);else process.stdin.resume()}";

/** A command that hands on what the agent tells its status line, and shows what the user's own command shows. */
export function statusLineCommand(
  { path: shim, runtime }: Shim,
  chained: ChainedLine,
  platform: NodeJS.Platform,
): string {
  const payload = Buffer.from(JSON.stringify(chained)).toString("base64url");
  const line = `${runtime} -e "${guarded}" ${anyShell(programBeside(shim))} ${mark}${payload}`;
  if (platform === "win32" || chained.command === "") return line;
  // Where the agent finds no Node the user's status line is still the user's.
  const own = `sh -c ${posix(chained.command)}`;
  return `if command -v ${runtime} >/dev/null 2>&1; then ${line}; else ${own}; fi`;
}

/** What a command of ours holds; null for a command of somebody else's. */
export function chainedLine(command: string): ChainedLine | null {
  const { payload } = /--purser-status-line=(?<payload>[\w-]*)/u.exec(command)?.groups ?? {};
  if (payload === undefined) return null;
  try {
    const told: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const isLine = typeof told === "object" && told !== null && "command" in told && "text" in told;
    if (!isLine || typeof told.command !== "string" || typeof told.text !== "string") return null;
    return { command: told.command, text: told.text };
  } catch {
    return null;
  }
}

/** The program stands beside the shim's. */
function programBeside(shim: string): string {
  const { dir, ext } = path.parse(shim);
  return path.join(dir, ext === ".ts" ? "status-line.ts" : "status-line.cjs");
}
