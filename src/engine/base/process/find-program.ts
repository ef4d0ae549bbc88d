import path from "node:path";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { rethrowUnlessSystemError } from "../result.ts";

export interface ProgramPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Returns the file that a terminal would run for a program's name or path; null if there is none. */
export async function findProgram(name: string, { env, platform }: ProgramPlaces): Promise<string | null> {
  const isWindows = platform === "win32";
  const endings = isWindows ? ["", ...(env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";")] : [""];
  const isPath = name.includes("/") || (isWindows && name.includes("\\"));
  const folders = isPath ? [""] : (env["PATH"] ?? env["Path"] ?? "").split(isWindows ? ";" : ":");
  // The working folder is a project's: what is found there is not what its user installed.
  for (const folder of folders.filter((each) => isPath || path.isAbsolute(each)))
    for (const ending of endings) {
      const file = path.resolve(folder, `${name}${ending}`);
      if (await isProgram(file, isWindows)) return file;
    }
  return null;
}

async function isProgram(file: string, isWindows: boolean): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    if (isWindows) return path.extname(file) !== "";
    await access(file, constants.X_OK);
    return true;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}

/** The command that runs a program with arguments: on Windows a shell runs scripts. */
export function startOf(
  file: string,
  args: readonly string[],
  platform: NodeJS.Platform,
): { readonly file: string; readonly args: readonly string[] } {
  const isScript = platform === "win32" && /\.(?:cmd|bat)$/iu.test(file);
  return isScript ? { file: "cmd.exe", args: ["/d", "/c", file, ...args] } : { file, args };
}
