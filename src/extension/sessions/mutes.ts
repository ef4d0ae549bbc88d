import * as vscode from "vscode";

const key = "mutedSessions";
/** Most mutes stored; old sessions do not come back. */
const most = 200;

/** The sessions whose warnings the user has muted, stored across restarts. */
export class Mutes implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onChange = this.#changes.event;
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  has(id: string): boolean {
    return this.#ids().includes(id);
  }

  async set(id: string, muted: boolean): Promise<void> {
    const others = this.#ids().filter((held) => held !== id);
    await this.#memory.update(key, (muted ? [...others, id] : others).slice(-most));
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #ids(): string[] {
    return this.#memory.get<string[]>(key, []);
  }
}
