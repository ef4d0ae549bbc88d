import { belongsTo, type PlaceOptions } from "./place.ts";

/**
 * Finds which of a host's folders a path belongs to. Caches each result, because finding it touches the disk.
 */
export class FolderFinder {
  readonly #folders: readonly string[];
  readonly #options: PlaceOptions;
  readonly #held = new Map<string, string | null>();

  constructor(folders: readonly string[], options: PlaceOptions) {
    this.#folders = folders.toSorted((a, b) => b.length - a.length);
    this.#options = options;
  }

  /**
   * Returns the deepest folder that contains the path or has it in a worktree; null when the path belongs to
   * none.
   */
  find(place: string | null): string | null {
    if (place === null) return null;
    const held = this.#held.get(place);
    if (held !== undefined) return held;
    const found = this.#folders.find((folder) => belongsTo(place, [folder], this.#options)) ?? null;
    this.#held.set(place, found);
    return found;
  }
}
