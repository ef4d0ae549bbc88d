import * as vscode from "vscode";
import { belongsTo } from "../engine/context/place.ts";
import type { SessionSnapshot } from "../engine/context/snapshot.ts";
import type { MonitorClient } from "./monitor-client.ts";

const pinnedKey = "pinnedSession";
/** What is said of time, such as "4 min ago", is looked at this often. Milliseconds. */
const minute = 60_000;

/** Which of all sessions are this window's, and which one is on its status bar. */
export class WindowSessions implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  /** Something a person could see may have changed. */
  readonly onChange = this.#changes.event;
  readonly #client: MonitorClient;
  readonly #memory: vscode.Memento;
  readonly #owned: vscode.Disposable[];
  /** Looking for a worktree's repository touches the disk: once a place is enough. */
  #here = new Map<string, boolean>();

  constructor(client: MonitorClient, memory: vscode.Memento) {
    this.#client = client;
    this.#memory = memory;
    const clock = setInterval(() => this.#changes.fire(), minute);
    this.#owned = [
      new vscode.Disposable(() => clearInterval(clock)),
      client.onChange(() => this.#changes.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#here = new Map();
        this.#changes.fire();
      }),
    ];
  }

  /** Every recent session on this machine, the most recently active first. */
  get all(): readonly SessionSnapshot[] {
    return this.#client.state.kind === "ready" ? this.#client.state.snapshot.sessions : [];
  }

  /** The live sessions of this window's folders, the most recently active first. */
  get live(): SessionSnapshot[] {
    return this.all.filter((session) => session.live && this.isHere(session));
  }

  /** The session on the status bar: the one the user pinned while it is there, else the most recently active. */
  get shown(): SessionSnapshot | undefined {
    return this.all.find(({ id }) => id === this.pinned) ?? this.live[0];
  }

  get pinned(): string | undefined {
    return this.#memory.get<string>(pinnedKey);
  }

  async pin(id: string | undefined): Promise<void> {
    await this.#memory.update(pinnedKey, id);
    this.#changes.fire();
  }

  find(id: string): SessionSnapshot | undefined {
    return this.all.find((session) => session.id === id);
  }

  isHere({ cwd, workingIn }: Pick<SessionSnapshot, "cwd" | "workingIn">): boolean {
    return [cwd, workingIn].some((place) => place !== null && this.#isPlaceHere(place));
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
    this.#changes.dispose();
  }

  #isPlaceHere(place: string): boolean {
    const held = this.#here.get(place);
    if (held !== undefined) return held;
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === "file")
      .map(({ uri }) => uri.fsPath);
    const here = belongsTo(place, folders, { platform: process.platform });
    this.#here.set(place, here);
    return here;
  }
}
