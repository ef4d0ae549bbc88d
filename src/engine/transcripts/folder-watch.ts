import { existsSync, watch, type FSWatcher } from "node:fs";
import path from "node:path";
import type { Disposable } from "../base/events.ts";
import { errorCode } from "../base/result.ts";

export interface FolderWatchListener {
  /** Something changed at this path or, when the system does not say where, somewhere in this folder. */
  onChange(changedPath: string): void;
  /** A folder cannot be watched; its files are still seen by polling. */
  onProblem(folder: string, reason: string): void;
}

/**
 * Watches a changing set of folders, not their subfolders. One watch per folder, none per file: a user may well have
 * thousands of transcripts, and the system limits watches.
 */
export class FolderWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #listener: FolderWatchListener;

  constructor(listener: FolderWatchListener) {
    this.#listener = listener;
  }

  /**
   * Watches exactly these folders from now on. A folder that does not exist, or was removed and recreated, is retried at
   * the next call. Returns whether any watch started: changes in its folder just before that were missed.
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
    // Many sessions have no folder of their own, and a failed watch takes much longer than this check.
    if (!existsSync(folder)) return;
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
   * When a watched folder itself is removed or renamed, the event carries its own name, and its watcher stays silent from
   * then on. If the event was about an entry of the same name inside it, the watch is merely restarted.
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
