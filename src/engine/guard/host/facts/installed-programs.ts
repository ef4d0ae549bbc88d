import path from "node:path";
import { stat } from "node:fs/promises";
import { errorCode } from "../../../base/result.ts";
import { isWithin } from "../../facts/claims/absolute-path.ts";
import { execFile } from "node:child_process";

const largest = 8 * 1024 * 1024; // bytes

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs an installed program for a moment, and returns what it printed; null where it could not be run, or not in time. */
async function runForMoment(
  file: string,
  args: readonly string[],
  {
    env,
    cwd,
    time,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
    /** Milliseconds. */
    readonly time: number;
  },
): Promise<Ended | null> {
  return await new Promise((resolve) => {
    const options = { env: { ...env }, cwd, timeout: time, maxBuffer: largest, windowsHide: true };
    const child = execFile(file, [...args], options, (error, out, errors) => {
      const output = out === "" ? errors : out;
      const code = error === null ? 0 : error.code;
      resolve(typeof code === "number" ? { code, output } : null);
    });
    child.stdin?.end();
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Folders of the system's own programs. Only from these a program is run for what it says of itself, and only where nobody but root can
 * have put it there: a hook never runs a project's program, nor one that a user installed for himself.
 */
const systemFolders = new Set(["/usr/bin", "/bin"]);

/** Help stays valid for so long. Milliseconds. */
const trust = 600_000;

/** Runs git and asks programs for their help, within the bounds of what a hook may run. */
export class InstalledPrograms {
  readonly #env: Environment;
  readonly #time: number;
  readonly searched: readonly string[];
  readonly #helps = new Map<string, { readonly at: number; readonly text: Promise<string | null> }>();

  /** @param time for each run, in milliseconds */
  constructor(env: Environment, time: number) {
    this.#env = env;
    this.#time = time;
    const all = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter);
    this.searched = [...new Set(all.filter((folder) => path.isAbsolute(folder)))];
  }

  /**
   * Runs git so that it starts no other program: no pager, no monitor of files, no fetch of what a partial clone lacks. Settings replace
   * the repository's own; filters are run where a command needs them and no setting takes them away.
   */
  async git(
    folder: string,
    args: readonly string[],
    settings: ReadonlyMap<string, string> = new Map(),
  ): Promise<Ended | null> {
    const file = await this.#find(process.platform === "win32" ? "git.exe" : "git");
    // A program in the folder that it works on is that folder's, not the system's.
    if (file === null || isWithin(file, folder)) return null;
    const own = ["-C", folder, "--no-pager", "-c", "core.fsmonitor=false"];
    return await runForMoment(file, [...own, ...args], {
      cwd: path.dirname(file),
      env: this.#gitEnvironment(settings),
      time: this.#time,
    });
  }

  /** Returns the help of one of the system's programs, from memory where it was asked for lately. */
  async help(program: string, subcommand: string | null, folder: string): Promise<string | null> {
    const file = await this.#find(program);
    if (file === null || !(await isSystems(file))) return null;
    const key = `${file} ${subcommand ?? ""}`;
    const now = performance.now();
    const known = this.#helps.get(key);
    if (known !== undefined && now - known.at < trust) return await known.text;
    const text = this.#ask(file, program, subcommand, folder);
    this.#helps.set(key, { at: now, text });
    const found = await text;
    // It may have been late, or the folder no repository.
    if (found === null) this.#helps.delete(key);
    return found;
  }

  async #ask(
    file: string,
    program: string,
    subcommand: string | null,
    folder: string,
  ): Promise<string | null> {
    if (program === "git") {
      const ran = subcommand === null ? null : await this.git(folder, [subcommand, "--help-all"]);
      // Git ends its usage with a code of its own.
      return ran?.code === 129 ? ran.output : null;
    }
    const args = program === "curl" ? ["--help", "all"] : ["--help"];
    const ran = await runForMoment(file, args, {
      cwd: "/",
      time: this.#time,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    });
    return ran?.code === 0 ? ran.output : null;
  }

  async #find(program: string): Promise<string | null> {
    for (const folder of this.searched) {
      const file = path.join(folder, program);
      if (await isFile(file)) return file;
    }
    return null;
  }

  #gitEnvironment(settings: ReadonlyMap<string, string>): Environment {
    const own = Object.entries(this.#env).filter(([name]) => !name.startsWith("GIT_"));
    // Not as options: these part name and value at the first `=`, which a name may have.
    const set = [...settings].flatMap(([name, value], index): [string, string][] => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    return {
      ...Object.fromEntries(own),
      ...Object.fromEntries(set),
      GIT_CONFIG_COUNT: `${settings.size}`,
      GIT_OPTIONAL_LOCKS: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
    };
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    errorCode(error);
    return false;
  }
}

/** Whether a program is in a folder of the system, and only root can change either. */
async function isSystems(file: string): Promise<boolean> {
  const folder = path.dirname(file);
  if (process.platform === "win32" || !systemFolders.has(folder)) return false;
  try {
    const all = await Promise.all([stat(folder), stat(file)]);
    return all.every(({ uid, mode }) => uid === 0 && (mode & 0o022) === 0);
  } catch (error) {
    errorCode(error);
    return false;
  }
}
