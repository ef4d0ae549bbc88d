import { fstatSync, readSync, writeSync } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { nodeFiles, type FilePort } from "./file-port.ts";

/** A file that is read and written at any place. Everything throws system errors. */
export interface RandomFile {
  /** Bytes. */
  size(): number;
  /** Fills `into` with what is at this place, as far as the file goes, before it returns. @returns bytes */
  readNow(into: Uint8Array, position: number): number;
  /** Writes all of the bytes before it returns, or throws; a part may have been written then. */
  writeNow(bytes: Uint8Array, position: number): void;
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Returns when what was written is on the disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * - `read`: a file that is there;
 * - `change`: a file that is there, to be written too;
 * - `create`: one that must not exist yet, readable by its owner only.
 */
type RandomAccess = "read" | "change" | "create";

/** A file system with files that are read and written at any place. */
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
