import { EditorFactsFile } from "./editor-facts.ts";
import { workspaceFolder } from "./editor-folder.ts";

/** The working folders of windows' storages, each read until it is known. */
export class WorkingFolders {
  readonly #known = new Map<string, string>();

  /** Null for a window without a folder, or one that nothing tells. */
  of(holder: string): string | null {
    const known = this.#known.get(holder);
    if (known !== undefined) return known;
    const folder = workspaceFolder(holder) ?? new EditorFactsFile(holder).now().folder;
    if (folder !== null) this.#known.set(holder, folder);
    return folder;
  }
}
