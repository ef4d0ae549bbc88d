import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath, rmdir } from "node:fs/promises";
import { errorCode } from "../../../base/error-code.ts";
import { nodeFiles, type FilePort } from "../../../base/disk/file-port.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";

/** What a file system says of a path itself, not of what a link leads to. */
interface Looked {
  readonly isFile: boolean;
  readonly isLink: boolean;
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** How many names the file has. */
  readonly names: number;
  readonly isOwn: boolean;
}

/** What changing another program's settings file asks of a file system. Everything throws system errors. */
export interface SettingsDisk extends FilePort {
  look(file: string): Promise<Looked>;
  /** Where a path leads, through links. */
  realPath(file: string): Promise<string>;
  setMode(file: string, mode: number): Promise<void>;
  /** Makes one folder, in one that is there. */
  makeOneFolder(folder: string, mode: number): Promise<void>;
  /** Removes a folder if nothing is in it. */
  removeFolder(folder: string): Promise<void>;
  /** False where permission bits say nothing. */
  readonly hasModes: boolean;
}

export const nodeSettingsDisk: SettingsDisk = {
  ...nodeFiles,
  async look(file) {
    const stats = await lstat(file);
    const user = process.geteuid?.();
    return {
      isFile: stats.isFile(),
      isLink: stats.isSymbolicLink(),
      size: stats.size,
      mode: stats.mode & 0o777,
      names: stats.nlink,
      isOwn: user === undefined || stats.uid === user,
    };
  },
  realPath: (file) => realpath(file),
  setMode: (file, mode) => chmod(file, mode),
  async makeOneFolder(folder, mode) {
    await mkdir(folder, { mode });
  },
  removeFolder: (folder) => rmdir(folder),
  hasModes: process.platform !== "win32",
};

/** A settings file as it was found. */
export interface Settings {
  /** As the agent calls it. */
  readonly file: string;
  /** The file itself, where the other is a link to it. */
  readonly target: string;
  /** Null when there is none. */
  readonly bytes: Buffer | null;
  /** Permission bits; of a file that is not there, what it would get. */
  readonly mode: number;
}

export type SettingsReason = "link_loop" | "not_a_file" | "not_own" | "too_large" | "unreadable";

/** No settings file is larger. Bytes. */
const largest = 4 * 1024 * 1024;

/** Reads a settings file that may be changed without harm; refuses what is none, or what a change would turn into something else. */
export async function readSettings(
  file: string,
  disk: SettingsDisk,
  newMode = 0o600,
): Promise<Result<Settings, SettingsReason>> {
  try {
    const named = await looked(file, disk);
    if (named === null) return succeed({ file, target: file, bytes: null, mode: newMode });
    const target = named.isLink ? await disk.realPath(file) : file;
    const { isFile, size, mode, names, isOwn } = named.isLink ? await disk.look(target) : named;
    if (!isFile) return fail("not_a_file", `${file} is not a file`);
    if (!isOwn) return fail("not_own", `${target} belongs to another user`);
    // It is replaced as a whole, and its other name would keep the old content.
    if (names > 1) return fail("not_a_file", `${target} has more than one name (a hard link)`);
    if (size > largest) return fail("too_large", `${target} is larger than a settings file`);
    return succeed({ file, target, bytes: await disk.read(target), mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ELOOP") return fail("link_loop", `${file} is a link that leads to itself`);
    if (code === "ENOENT") return fail("not_a_file", `${file} is a link to nothing`);
    return fail("unreadable", `${file}: ${code}`);
  }
}

async function looked(file: string, disk: SettingsDisk): Promise<Looked | null> {
  try {
    return await disk.look(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** What tells a content from any other; null for no file. */
export function contentHash(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : createHash("sha256").update(bytes).digest("hex");
}
