import { sentence, compose } from "../../../base/language.ts";
import { chmod, lstat, mkdir, realpath, rmdir } from "node:fs/promises";
import { sha256Hex } from "../../../base/hash.ts";
import { type Result, succeed, fail, errorCode } from "../../../base/result.ts";
import { nodeFiles, type FilePort } from "../../../base/files.ts";

interface PathStats {
  readonly isFile: boolean;
  readonly isLink: boolean;
  readonly size: number;
  readonly mode: number;
  readonly names: number;
  readonly isOwn: boolean;
}

/** File system operations for changing another program's settings file. All of them throw system errors. */
export interface SettingsDisk extends FilePort {
  inspect(file: string): Promise<PathStats>;
  realPath(file: string): Promise<string>;
  setMode(file: string, mode: number): Promise<void>;
  makeOneFolder(folder: string, mode: number): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /** False where permission bits mean nothing. */
  readonly hasModes: boolean;
}

export const nodeSettingsDisk: SettingsDisk = {
  ...nodeFiles,
  async inspect(file) {
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

export interface Settings {
  /** The path as the agent names it. */
  readonly file: string;
  /** The file itself, if `file` is a link to it. */
  readonly target: string;
  /** Null when there is none. */
  readonly bytes: Buffer | null;
  /** Permission bits; for a missing file, those it would get. */
  readonly mode: number;
}

export type SettingsReason = "link_loop" | "not_a_file" | "not_own" | "too_large" | "unreadable";

/** Larger settings files are rejected. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/**
 * Reads a settings file that can be changed safely. Rejects anything but a file, and content that a change
 * would damage.
 */
export async function readSettings(
  file: string,
  disk: SettingsDisk,
  newMode = 0o600,
): Promise<Result<Settings, SettingsReason>> {
  try {
    const named = await pathStats(file, disk);
    if (named === null) return succeed({ file, target: file, bytes: null, mode: newMode });
    const target = named.isLink ? await disk.realPath(file) : file;
    const { isFile, size, mode, names, isOwn } = named.isLink ? await disk.inspect(target) : named;
    if (!isFile) return fail("not_a_file", sentence("{0} is not a file", file));
    if (!isOwn) return fail("not_own", sentence("{0} belongs to another user", target));
    // The file is replaced as a whole, so another hard link would keep the old content.
    if (names > 1) return fail("not_a_file", sentence("{0} has more than one name (a hard link)", target));
    if (size > maxFileSize) return fail("too_large", sentence("{0} is larger than a settings file", target));
    return succeed({ file, target, bytes: await disk.read(target), mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ELOOP") return fail("link_loop", sentence("{0} is a link that leads to itself", file));
    if (code === "ENOENT") return fail("not_a_file", sentence("{0} is a link to nothing", file));
    return fail("unreadable", compose`${file}: ${code}`);
  }
}

async function pathStats(file: string, disk: SettingsDisk): Promise<PathStats | null> {
  try {
    return await disk.inspect(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Identifies a version of the file; null for no file. */
export function contentHash(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : sha256Hex(bytes);
}
