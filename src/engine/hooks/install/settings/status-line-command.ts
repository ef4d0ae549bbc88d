import path from "node:path";
import { anyShell, posix, type Shim } from "./install-settings-entry.ts";
import { parseJson } from "../../../base/parse.ts";

/** Marks a status line's command as purser's. The previous status line follows it. */
const mark = "--purser-status-line=";

/** A user's previous status line, stored so that it can be run and restored. */
export interface ChainedLine {
  /** Empty if there was none. */
  readonly command: string;
  /** Text of the whole setting as it was in the file. Empty if there was none. */
  readonly text: string;
}

/** Loads purser's program. If that is missing, runs the user's own command instead. */
const guarded =
  "try{require(process.argv[1])}catch{const{command:c}=JSON.parse(Buffer.from(process.argv[2].split('=')[1],'base64url'));" +
  "if(c)require('child_process').spawn(c,{shell:true,stdio:'inherit'}).on('exit',x=>process.exitCode=x??1);else process.stdin.resume()}";

/** Builds a command that forwards the agent's status line input to purser and shows what the user's own command prints. */
export function statusLineCommand(
  { path: shim, runtime }: Shim,
  chained: ChainedLine,
  platform: NodeJS.Platform,
): string {
  const payload = Buffer.from(JSON.stringify(chained)).toString("base64url");
  const line = `${runtime} -e "${guarded}" ${anyShell(programBeside(shim))} ${mark}${payload}`;
  if (platform === "win32" || chained.command === "") return line;
  // Without Node, the user's own status line still runs.
  const own = `sh -c ${posix(chained.command)}`;
  return `if command -v ${runtime} >/dev/null 2>&1; then ${line}; else ${own}; fi`;
}

/** Reads the status line chained in a command of ours; null for any other command. */
export function chainedLine(command: string): ChainedLine | null {
  const { payload } = /--purser-status-line=(?<payload>[\w-]*)/u.exec(command)?.groups ?? {};
  if (payload === undefined) return null;
  const parsed = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const isLine = typeof parsed === "object" && parsed !== null && "command" in parsed && "text" in parsed;
  if (!isLine || typeof parsed.command !== "string" || typeof parsed.text !== "string") return null;
  return { command: parsed.command, text: parsed.text };
}

/** The program is in the shim's folder. */
function programBeside(shim: string): string {
  const { dir, ext } = path.parse(shim);
  return path.join(dir, ext === ".ts" ? "status-line.ts" : "status-line.cjs");
}
