export interface NewProposalsPorts {
  /** What is in a folder, by name; nothing where there is none. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Called once for each definition. */
  readonly tell: (definition: string) => Promise<void>;
  readonly join: (folder: string, name: string) => string;
  /** @param time milliseconds */
  readonly pause: (time: number) => Promise<void>;
}

/**
 * When a folder that just appeared is looked into: what is written into it right away may be told by nobody, as a watcher learns of the
 * folder first and watches it then. Milliseconds between.
 */
const looks = [0, 1000, 4000];

/** Tells of proposed prompts that appear, each once, however the system tells of them. */
export class NewProposals {
  readonly #ports: NewProposalsPorts;
  readonly #told = new Set<string>();

  constructor(ports: NewProposalsPorts) {
    this.#ports = ports;
  }

  /** A file of a folder of proposals. */
  async fileAppeared(file: string): Promise<void> {
    if (!isDefinition(file) || this.#told.has(file)) return;
    this.#told.add(file);
    await this.#ports.tell(file);
  }

  /** The folder of proposals, or one it is in. @param folder that of the proposals */
  async folderAppeared(folder: string): Promise<void> {
    const { list, join, pause } = this.#ports;
    for (const time of looks) {
      await pause(time);
      const names = await list(folder);
      await Promise.all(names.map((name) => this.fileAppeared(join(folder, name))));
    }
  }

  /** A file that is there no more may come again. */
  fileWent(file: string): void {
    this.#told.delete(file);
  }
}

function isDefinition(file: string): boolean {
  return file.endsWith(".md") && !file.endsWith(".receipt.md");
}
