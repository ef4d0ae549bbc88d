import { fstatSync, readSync, writeSync } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { nodeFiles, type FilePort } from "../../base/files.ts";
import { pageSize, type Pages } from "../store/database.ts";

/** A file that is read and written at any position. All methods throw system errors. */
export interface RandomFile {
  /** Bytes. */
  size(): number;
  /** Fills `into` from this position, as far as the file goes, synchronously. @returns bytes */
  readNow(into: Uint8Array, position: number): number;
  /** Writes all of the bytes synchronously, or throws; a part may have been written then. */
  writeNow(bytes: Uint8Array, position: number): void;
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when all writes are on the disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * - `read`: an existing file;
 * - `change`: an existing file, also for writing;
 * - `create`: a file that must not exist yet, readable by its owner only.
 */
type RandomAccess = "read" | "change" | "create";

/** A file system with files that are read and written at any position. */
export interface RandomFiles extends FilePort {
  open(file: string, access: RandomAccess): Promise<RandomFile>;
  /** Bytes. */
  size(file: string): Promise<number>;
}

const flags = { read: "r", change: "r+", create: "wx+" } as const;

export const nodeRandomFiles: RandomFiles = {
  ...nodeFiles,
  open: async (file, access) => randomFile(await open(file, flags[access], 0o600)),
  size: async (file) => (await stat(file)).size,
};

function randomFile(handle: FileHandle): RandomFile {
  return {
    size: () => fstatSync(handle.fd).size,
    readNow(into, position) {
      let done = 0;
      while (done < into.length) {
        const read = readSync(handle.fd, into, done, into.length - done, position + done);
        if (read === 0) break;
        done += read;
      }
      return done;
    },
    writeNow(bytes, position) {
      for (let done = 0; done < bytes.length;)
        done += writeSync(handle.fd, bytes, done, bytes.length - done, position + done);
    },
    async write(bytes, position) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    flush: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** The pages of a file that no other code uses yet: changes are written to it immediately. */
export class FilePages implements Pages {
  count: number;
  readonly #file: RandomFile;
  readonly #scratch = new Uint8Array(pageSize);

  constructor(file: RandomFile) {
    this.#file = file;
    this.count = Math.floor(file.size() / pageSize);
  }

  read(page: number): Uint8Array {
    const length = this.#file.readNow(this.#scratch, page * pageSize);
    return this.#scratch.fill(0, length);
  }

  write(page: number, bytes: Uint8Array): void {
    this.#file.writeNow(bytes, page * pageSize);
    this.count = Math.max(this.count, page + 1);
  }
}
