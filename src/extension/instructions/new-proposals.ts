export interface NewProposalsPorts {
  /** Names in a folder; empty when it does not exist. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Called once per definition. */
  readonly notify: (definition: string) => Promise<void>;
  readonly join: (folder: string, name: string) => string;
  /** @param time milliseconds */
  readonly pause: (time: number) => Promise<void>;
}

/**
 * Pauses before each listing of a new folder: files written into it at once may go unreported, as a watcher learns of the
 * folder before it watches it. Milliseconds.
 */
const pauses = [0, 1000, 4000];

/** Reports each new proposed prompt once, for any order of file events. */
export class NewProposals {
  readonly #ports: NewProposalsPorts;
  readonly #notified = new Set<string>();

  constructor(ports: NewProposalsPorts) {
    this.#ports = ports;
  }

  /** Handles a new file in a folder of proposals. */
  async fileAppeared(file: string): Promise<void> {
    if (!isDefinition(file) || this.#notified.has(file)) return;
    this.#notified.add(file);
    await this.#ports.notify(file);
  }

  /** Handles a new folder of proposals, or a new parent of it. @param folder the folder of proposals */
  async folderAppeared(folder: string): Promise<void> {
    const { list, join, pause } = this.#ports;
    for (const time of pauses) {
      await pause(time);
      const names = await list(folder);
      await Promise.all(names.map((name) => this.fileAppeared(join(folder, name))));
    }
  }

  /** A deleted file may be created again. */
  fileWent(file: string): void {
    this.#notified.delete(file);
  }
}

function isDefinition(file: string): boolean {
  return file.endsWith(".md") && !file.endsWith(".receipt.md");
}
