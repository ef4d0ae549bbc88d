import { existsSync } from "node:fs";
import path from "node:path";
import { anyShell } from "../../hooks/install/settings/shim-command.ts";

interface CommandInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** A program beside the service's; undefined where there is none. */
  readonly program: string | undefined;
}

/** Returns the command line by which an agent gets a session's packet: `purser` need not be in the `PATH`. */
export function packetCommand({ env, platform, program }: CommandInput): (session: string) => string {
  return (session) => {
    const isFound = program === undefined || isInPath(env, platform);
    const cli = isFound ? "purser" : `node ${anyShell(cliBeside(program))}`;
    return `${cli} handover ${session} --print`;
  };
}

/** Path of the CLI: in the same folder in a build, or at its source. */
function cliBeside(program: string): string {
  const { dir, ext } = path.parse(program);
  return ext === ".ts" ? path.join(dir, "..", "cli", "main.ts") : path.join(dir, "cli.cjs");
}

function isInPath(env: CommandInput["env"], platform: NodeJS.Platform): boolean {
  const name = platform === "win32" ? "purser.cmd" : "purser";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter);
  return folders.some((folder) => path.isAbsolute(folder) && existsSync(path.join(folder, name)));
}
