import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { ToldNews } from "./news.ts";
import { ToldSession } from "./session.ts";

/** More are not kept: those heard of longest ago are forgotten. */
const most = 200;

/** What hooks told of sessions, for all who look at them. */
export class ToldSessions implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #sessions = new Map<string, ToldSession>();

  hear(told: ToldNews): void {
    const { sessionId } = told;
    const session = this.#sessions.get(sessionId) ?? new ToldSession(sessionId);
    session.hear(told);
    // The one heard of last comes last.
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
