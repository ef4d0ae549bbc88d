import { watch, type FSWatcher } from "node:fs";
import path from "node:path";
import type { Disposable } from "../base/disposable.ts";
import { errorCode } from "../base/error-code.ts";

export interface FolderWatchListener {
  /** Something happened to this path, or, when the system does not tell which, somewhere in this folder. */
  onChange(place: string): void;
  /** A folder cannot be watched; its files are still seen by polling. */
  onProblem(folder: string, reason: string): void;
}

/**
 * Watches a changing set of folders, not what is below them. One watch a folder, none a file: a user may well have
 * thousands of transcripts, and the system's watches are few.
 */
export class FolderWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #listener: FolderWatchListener;

  constructor(listener: FolderWatchListener) {
    this.#listener = listener;
  }

  /**
   * Watches exactly these folders from now on. One that does not exist, or was removed and made again, is tried again at
   * the next call. Answers whether a watch began: what happened in that folder just before was not seen.
   */
  set(folders: Iterable<string>): boolean {
    const wanted = new Set(folders);
    for (const folder of [...this.#watchers.keys()]) if (!wanted.has(folder)) this.#stop(folder);
    const before = this.#watchers.size;
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#start(folder);
    return this.#watchers.size > before;
  }

  dispose(): void {
    for (const folder of [...this.#watchers.keys()]) this.#stop(folder);
  }

  #start(folder: string): void {
    try {
      const watcher = watch(folder, (kind, name) => this.#changed(folder, kind, name));
      watcher.on("error", (error) => {
        this.#stop(folder);
        this.#report(folder, errorCode(error));
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#report(folder, errorCode(error));
    }
  }

  /**
   * A folder that is itself removed or renamed is told by its own name, and its watch hears nothing any more. Should it be
   * something in it of the same name, then watching is only begun anew.
   */
  #changed(folder: string, kind: string, name: string | null): void {
    const isItself = kind === "rename" && name === path.basename(folder);
    if (isItself) this.#stop(folder);
    this.#listener.onChange(isItself || name === null ? folder : path.join(folder, name));
  }

  #report(folder: string, reason: string): void {
    if (reason !== "ENOENT") this.#listener.onProblem(folder, reason);
  }

  #stop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
