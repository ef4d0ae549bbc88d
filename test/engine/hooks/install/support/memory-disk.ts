import path from "node:path";
import type { OpenFile } from "../../../../../src/engine/base/disk/file-port.ts";
import type { SettingsDisk } from "../../../../../src/engine/hooks/install/settings/disk.ts";

interface Kept {
  bytes: Buffer;
  mode: number;
}

/** An in-memory disk with injectable faults, which behave like the system's. */
export class MemoryDisk implements SettingsDisk {
  readonly files = new Map<string, Kept>();
  readonly folders = new Set<string>(["/"]);
  readonly hasModes = true;
  /** Called before every change; throws what the system would. */
  fault: (act: string, file: string) => void = () => undefined;

  put(file: string, text: string | Uint8Array, mode = 0o644): void {
    for (let folder = path.dirname(file); folder !== "/"; folder = path.dirname(folder))
      this.folders.add(folder);
    this.files.set(file, { bytes: Buffer.from(text), mode });
  }

  text(file: string): string | undefined {
    return this.files.get(file)?.bytes.toString("utf8");
  }

  names(): string[] {
    return [...this.files.keys()].sort();
  }

  create(file: string): Promise<OpenFile> {
    return this.#do("create", file, () => {
      if (this.files.has(file)) throw systemError("EEXIST");
      if (!this.folders.has(path.dirname(file))) throw systemError("ENOENT");
      const kept = { bytes: Buffer.alloc(0), mode: 0o600 };
      this.files.set(file, kept);
      return {
        write: (bytes) => {
          // Part of it is written before the disk is full.
          kept.bytes = Buffer.from(bytes.slice(0, bytes.length / 2));
          return this.#do("write", file, () => {
            kept.bytes = Buffer.from(bytes);
          });
        },
        flush: () => this.#do("flush", file, () => undefined),
        truncate: () => Promise.resolve(),
        close: () => Promise.resolve(),
      };
    });
  }

  read(file: string): Promise<Buffer> {
    return this.#see(() => this.#at(file).bytes);
  }

  kindOf(filePath: string): Promise<"file" | "folder" | "other"> {
    return this.#see(() => {
      if (this.folders.has(filePath)) return "folder";
      this.#at(filePath);
      return "file";
    });
  }

  list(folder: string): Promise<string[]> {
    return this.#see(() =>
      this.names().flatMap((name) => (path.dirname(name) === folder ? [path.basename(name)] : [])),
    );
  }

  makeFolder(folder: string): Promise<void> {
    return this.#do("makeFolder", folder, () => {
      for (let each = folder; each !== "/"; each = path.dirname(each)) this.folders.add(each);
    });
  }

  makeOneFolder(folder: string): Promise<void> {
    return this.#do("makeOneFolder", folder, () => void this.folders.add(folder));
  }

  removeFolder(folder: string): Promise<void> {
    return this.#see(() => {
      const isUsed = [...this.folders, ...this.files.keys()].some((each) => each.startsWith(`${folder}/`));
      if (isUsed) throw systemError("ENOTEMPTY");
      this.folders.delete(folder);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do("rename", to, () => {
      this.files.set(to, this.#at(from));
      this.files.delete(from);
    });
  }

  link(from: string, to: string): Promise<void> {
    return this.#do("link", to, () => void this.files.set(to, this.#at(from)));
  }

  /** Never fails, since leftovers of a fault must be cleaned up. */
  remove(file: string): Promise<void> {
    return this.#see(() => void this.files.delete(file));
  }

  flushFolder(): Promise<void> {
    return Promise.resolve();
  }

  modifiedAt(): Promise<number> {
    return Promise.resolve(0);
  }

  touch(): Promise<void> {
    return Promise.resolve();
  }

  overwrite(): Promise<void> {
    return Promise.reject(new Error("settings are replaced as a whole"));
  }

  inspect(file: string): ReturnType<SettingsDisk["inspect"]> {
    return this.#see(() => {
      const isFolder = this.folders.has(file);
      const { bytes, mode } = isFolder ? { bytes: Buffer.alloc(0), mode: 0o700 } : this.#at(file);
      return { isFile: !isFolder, isLink: false, size: bytes.length, mode, names: 1, isOwn: true };
    });
  }

  realPath(file: string): Promise<string> {
    return Promise.resolve(file);
  }

  setMode(file: string, mode: number): Promise<void> {
    return this.#do("setMode", file, () => {
      this.#at(file).mode = mode;
    });
  }

  #at(file: string): Kept {
    const kept = this.files.get(file);
    if (kept === undefined) throw systemError("ENOENT");
    return kept;
  }

  #do<Value>(act: string, file: string, run: () => Value): Promise<Value> {
    return this.#see(() => {
      this.fault(act, file);
      return run();
    });
  }

  #see<Value>(run: () => Value): Promise<Value> {
    return new Promise((resolve) => {
      resolve(run());
    });
  }
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
