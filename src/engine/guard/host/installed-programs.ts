import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/result.ts";
import { isWithin } from "../facts/claims/claim.ts";

const maxBytes = 8 * 1024 * 1024; // bytes

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs an installed program briefly and returns its output; null if it did not run or did not end in time. */
async function runForMoment(
  file: string,
  args: readonly string[],
  { env, cwd, time }: { readonly env: Environment; readonly cwd: string; readonly time: number },
): Promise<Ended | null> {
  return await new Promise((resolve) => {
    const options = { env: { ...env }, cwd, timeout: time, maxBuffer: maxBytes, windowsHide: true };
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
 * Folders of the system's programs. Only a program from these folders is asked for its help, and only if root alone can have
 * put it there. A hook never runs a program of a project or of a user.
 */
const systemFolders = new Set(["/usr/bin", "/bin"]);

/** Cache lifetime of help texts. Milliseconds. */
const helpTtl = 600_000;

/** Runs git and asks programs for their help, as far as a hook may run them. */
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
   * Runs git so that it starts no other program: no pager, no file monitor, no fetch for a partial clone. The given settings
   * replace the repository's. Filters still run if a command needs them and no setting removes them.
   */
  async git(
    folder: string,
    args: readonly string[],
    settings: ReadonlyMap<string, string> = new Map(),
  ): Promise<Ended | null> {
    const file = await this.#find(process.platform === "win32" ? "git.exe" : "git");
    // A program inside its working folder is not the system's.
    if (file === null || isWithin(file, folder)) return null;
    const own = ["-C", folder, "--no-pager", "-c", "core.fsmonitor=false"];
    return await runForMoment(file, [...own, ...args], {
      cwd: path.dirname(file),
      env: this.#gitEnvironment(settings),
      time: this.#time,
    });
  }

  /** Returns the help of a system program, cached. */
  async help(program: string, subcommand: string | null, folder: string): Promise<string | null> {
    const file = await this.#find(program);
    if (file === null || !(await isSystems(file))) return null;
    const key = `${file} ${subcommand ?? ""}`;
    const now = performance.now();
    const known = this.#helps.get(key);
    if (known !== undefined && now - known.at < helpTtl) return await known.text;
    const text = this.#ask(file, program, subcommand, folder);
    this.#helps.set(key, { at: now, text });
    const found = await text;
    // It may have been late, or the folder is not a repository.
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
      // Git exits with this code after printing its usage.
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
    // Not as options, which split name and value at the first `=`: a name may contain one.
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

/** Whether a program is in a system folder, and only root can change both. */
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
