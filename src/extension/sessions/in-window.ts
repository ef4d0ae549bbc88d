import * as vscode from "vscode";
import type { Disposable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { byUrgency, mostUrgent, needsYou, type UrgencyOptions } from "./urgency.ts";
import type { ServiceLink } from "../service/link.ts";

const key = "mutedSessions";
/** Maximum mutes stored. Old sessions do not come back. */
const maxMutes = 200;

/** The sessions with muted warnings, stored across restarts. */
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
    await this.#memory.update(key, (muted ? [...others, id] : others).slice(-maxMutes));
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #ids(): string[] {
    return this.#memory.get<string[]>(key, []);
  }
}

const pinnedKey = "pinnedSession";
/** Relative times, such as "4 min ago", are updated this often. Milliseconds. */
const minute = 60_000;

export interface WindowSessionsParts {
  readonly link: ServiceLink;
  readonly memory: vscode.Memento;
  readonly mutes: Pick<Mutes, "has">;
  /** Whether another session goes on with the session's work. */
  readonly isHandedOver?: (session: SessionSnapshot) => boolean;
}

/** Which sessions belong to this window, and which one the status bar shows. */
export class WindowSessions implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  /** Fires when anything visible may have changed. */
  readonly onChange = this.#changes.event;
  readonly #link: ServiceLink;
  readonly #memory: vscode.Memento;
  readonly #mutes: Pick<Mutes, "has">;
  readonly #isHandedOver: (session: SessionSnapshot) => boolean;
  readonly #owned: readonly Disposable[];

  constructor({ link, memory, mutes, isHandedOver = () => false }: WindowSessionsParts) {
    this.#isHandedOver = isHandedOver;
    this.#link = link;
    this.#memory = memory;
    this.#mutes = mutes;
    const clock = setInterval(() => this.#changes.fire(), minute);
    this.#owned = [{ dispose: () => clearInterval(clock) }, link.onChange(() => this.#changes.fire())];
  }

  /** Every recent session on this machine, most recently active first. */
  get all(): readonly SessionSnapshot[] {
    return this.#link.state.kind === "ready" ? this.#link.state.snapshot.sessions : [];
  }

  /** The live sessions of this window's folders, most recently active first. */
  get live(): SessionSnapshot[] {
    return this.all.filter((session) => session.live && this.isHere(session));
  }

  /** The session on the status bar: the pinned one if it exists, else the most urgent. */
  get shown(): SessionSnapshot | undefined {
    return this.all.find(({ id }) => id === this.pinned) ?? mostUrgent(this.live, this.#urgency());
  }

  /** The window's live sessions besides the one on the status bar, those that need the user first. */
  get others(): SessionSnapshot[] {
    const { shown } = this;
    return byUrgency(
      this.live.filter(({ id }) => id !== shown?.id),
      this.#urgency(),
    );
  }

  /** Those of `others` on which the person should act now, gravest first. */
  get othersInNeed(): SessionSnapshot[] {
    const urgency = this.#urgency();
    return this.others.filter((session) => needsYou(session, urgency));
  }

  /** Whether sessions of more than one agent are live in this window's folders. */
  get hasSeveralAgents(): boolean {
    return new Set(this.live.map(({ agent }) => agent)).size > 1;
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

  /** Whether a person need not be warned about a session. */
  isQuiet(session: SessionSnapshot): boolean {
    return this.#mutes.has(session.id) || this.#isHandedOver(session);
  }

  /** The service, which knows this window's folders, resolves a session's folder on disk. */
  isHere({ folder }: Pick<SessionSnapshot, "folder">): boolean {
    return folder !== null;
  }

  #urgency(): UrgencyOptions {
    return {
      now: Date.now(),
      isMuted: (session) => this.isQuiet(session),
    };
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
    this.#changes.dispose();
  }
}
