import { belongsTo, type PathOptions } from "../base/paths.ts";

/** Finds which of a host's folders a path belongs to. Caches each result, because the search touches the disk. */
export class FolderFinder {
  readonly #folders: readonly string[];
  readonly #options: PathOptions;
  readonly #held = new Map<string, string | null>();

  constructor(folders: readonly string[], options: PathOptions) {
    this.#folders = folders.toSorted((a, b) => b.length - a.length);
    this.#options = options;
  }

  /**
   * Returns the deepest folder that contains the path or has it in a worktree; null when the path belongs to
   * none.
   */
  find(path: string | null): string | null {
    if (path === null) return null;
    const held = this.#held.get(path);
    if (held !== undefined) return held;
    const found = this.#folders.find((folder) => belongsTo(path, [folder], this.#options)) ?? null;
    this.#held.set(path, found);
    return found;
  }
}
