import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { ToldNews } from "./news.ts";
import { ToldSession } from "./session.ts";

/** Beyond this number, the session whose last report is oldest is dropped. */
const most = 200;

/** Sessions as reported by hooks, shared by all views. */
export class ToldSessions implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #sessions = new Map<string, ToldSession>();

  hear(told: ToldNews): void {
    const { sessionId } = told;
    const session = this.#sessions.get(sessionId) ?? new ToldSession(sessionId);
    session.hear(told);
    // Keeps the most recently reported session last.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > most && oldest !== undefined) this.#sessions.delete(oldest);
    this.#changes.fire();
  }

  of(id: string): ToldSession | undefined {
    return this.#sessions.get(id);
  }

  all(): ToldSession[] {
    return [...this.#sessions.values()];
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
