import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { SessionReport } from "./session-event.ts";
import { HookSession } from "./session.ts";

/** Maximum number. Beyond it, the session with the oldest last report is dropped. */
const maxSessions = 200;

/** Sessions as reported by hooks, shared by all views. */
export class HookSessions implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #sessions = new Map<string, HookSession>();

  apply(report: SessionReport): void {
    const { sessionId } = report;
    const session = this.#sessions.get(sessionId) ?? new HookSession(sessionId);
    session.apply(report);
    // Keeps the most recently reported session last.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#changes.fire();
  }

  of(id: string): HookSession | undefined {
    return this.#sessions.get(id);
  }

  all(): HookSession[] {
    return [...this.#sessions.values()];
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
