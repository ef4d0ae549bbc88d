import { constants } from "node:fs";
import { copyFile, link, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { errorCode } from "../result.ts";
import { makeFolder } from "./make-folder.ts";

export interface OpenFile {
  /** Writes all of the bytes at a position in the file, or throws; a part may have been written then. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when all writes are on the disk. */
  flush(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The few operations durable storage needs of a file system, as a port: tests pass in one that fails. All methods throw system
 * errors.
 */
export interface FilePort {
  /** Creates a file that must not exist yet, readable by its owner only. */
  create(file: string): Promise<OpenFile>;
  read(file: string): Promise<Buffer>;
  /** Returns what a path leads to, with links resolved. A pipe or a device is `other`: reading it may never end. */
  kindOf(path: string): Promise<"file" | "folder" | "other">;
  list(folder: string): Promise<string[]>;
  makeFolder(folder: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Gives the content a second name, which must not exist yet. */
  link(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  flushFolder(folder: string): Promise<void>;
  /** Modification time by the file system's clock, which on a network may not be this machine's. Milliseconds since the epoch. */
  modifiedAt(file: string): Promise<number>;
  /** Sets the modification time to now, by the same clock. The file must not be empty. */
  touch(file: string): Promise<void>;
  /** Overwrites the start of an existing file, and leaves the rest of it. */
  overwrite(file: string, bytes: Uint8Array): Promise<void>;
}

const ownerOnly = { file: 0o600, folder: 0o700 };

export const nodeFiles: FilePort = {
  async create(file) {
    const handle = await open(file, "wx", ownerOnly.file);
    return {
      async write(bytes, position) {
        for (let done = 0; done < bytes.length;) {
          const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
          done += bytesWritten;
        }
      },
      flush: () => handle.datasync(),
      truncate: (size) => handle.truncate(size),
      close: () => handle.close(),
    };
  },
  read: (file) => readFile(file),
  async kindOf(path) {
    const found = await stat(path);
    if (found.isFile()) return "file";
    return found.isDirectory() ? "folder" : "other";
  },
  list: (folder) => readdir(folder),
  makeFolder: (folder) =>
    new Promise((resolve) => {
      makeFolder(folder, ownerOnly.folder);
      resolve();
    }),
  rename: (from, to) => rename(from, to),
  async link(from, to) {
    try {
      await link(from, to);
    } catch (error) {
      // Not every file system has hard links (exFAT, some network folders).
      if (errorCode(error) === "EEXIST") throw error;
      await copyFile(from, to, constants.COPYFILE_EXCL);
    }
  },
  remove: (file) => rm(file, { force: true }),
  async flushFolder(folder) {
    try {
      const handle = await open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      // Windows cannot flush folders, and some network folders refuse it.
      if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "EBADF"].includes(errorCode(error)))
        throw error;
    }
  },
  async modifiedAt(file) {
    return (await stat(file)).mtimeMs;
  },
  async touch(file) {
    const handle = await open(file, "r+");
    try {
      const first = Buffer.alloc(1);
      await handle.read(first, 0, 1, 0);
      await handle.write(first, 0, 1, 0);
    } finally {
      await handle.close();
    }
  },
  async overwrite(file, bytes) {
    const handle = await open(file, "r+");
    try {
      await handle.write(bytes, 0, bytes.length, 0);
    } finally {
      await handle.close();
    }
  },
};
