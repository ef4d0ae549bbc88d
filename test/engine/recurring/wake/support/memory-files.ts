import path from "node:path";
import type { FilePort } from "../../../../../src/engine/base/disk/file-port.ts";

/** An error of the system, with its code. */
function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

interface StoredFile {
  bytes: Buffer;
  at: number;
}

/** A disk in memory, with the clock of the world that it is in. */
export class MemoryDisk {
  readonly files = new Map<string, StoredFile>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  text(file: string): string | null {
    return this.files.get(file)?.bytes.toString("utf8") ?? null;
  }

  /** @param isDead whether the process is dead, checked at each operation: it then has no effect */
  portOf(isDead: () => boolean): FilePort {
    const { files } = this;
    const now = this.#now;
    const live = () => {
      if (isDead()) throw systemError("ENOENT");
    };
    const found = (file: string) => {
      live();
      const stored = files.get(file);
      if (stored === undefined) throw systemError("ENOENT");
      return stored;
    };
    return {
      create: (file) => {
        live();
        if (files.has(file)) return Promise.reject(systemError("EEXIST"));
        const stored: StoredFile = { bytes: Buffer.alloc(0), at: now() };
        files.set(file, stored);
        return Promise.resolve({
          write(bytes: Uint8Array, position: number) {
            live();
            stored.bytes = Buffer.concat([stored.bytes.subarray(0, position), bytes]);
            stored.at = now();
            return Promise.resolve();
          },
          flush: () => attempt(live),
          truncate(size: number) {
            live();
            stored.bytes = stored.bytes.subarray(0, size);
            return Promise.resolve();
          },
          close: () => Promise.resolve(),
        });
      },
      read: (file) => attempt(() => found(file).bytes),
      kindOf: (file) => attempt(() => (files.has(file) ? "file" : "folder")),
      list: (folder) =>
        attempt(() => {
          live();
          return [...files.keys()]
            .filter((file) => path.dirname(file) === folder)
            .map((file) => path.basename(file));
        }),
      makeFolder: () => attempt(live),
      rename: (from, to) =>
        attempt(() => {
          const stored = found(from);
          files.delete(from);
          files.set(to, stored);
        }),
      link: (from, to) => attempt(() => void files.set(to, found(from))),
      remove: (file) =>
        attempt(() => {
          live();
          files.delete(file);
        }),
      flushFolder: () => attempt(live),
      modifiedAt: (file) => attempt(() => found(file).at),
      touch: (file) => attempt(() => void (found(file).at = now())),
      overwrite: (file, bytes) =>
        attempt(() => {
          const stored = found(file);
          stored.bytes = Buffer.concat([Buffer.from(bytes), stored.bytes.subarray(bytes.length)]);
          stored.at = now();
        }),
    };
  }
}

function attempt<Value>(act: () => Value): Promise<Value> {
  return new Promise((resolve) => {
    resolve(act());
  });
}
