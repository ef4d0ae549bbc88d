import * as z from "zod";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";

/** Handlers' memory across service restarts: each restart serializes it as text and loads it into new handlers. */
export class Restarts<Handlers> {
  handlers: Handlers;
  readonly #make: (memory: SessionMemory) => Handlers;
  #memory = new SessionMemory();
  readonly #sessions = new Set<string>();

  constructor(make: (memory: SessionMemory) => Handlers) {
    this.#make = make;
    this.handlers = this.#begin();
  }

  restart(): void {
    const stored = [...this.#sessions].map(
      (session) => [session, JSON.stringify(this.#memory.dump(session))] as const,
    );
    this.#memory = new SessionMemory();
    this.handlers = this.#begin();
    for (const [session, text] of stored) {
      const parts = z.record(z.string(), z.unknown()).nullable().parse(JSON.parse(text));
      const unread = parts === null ? [] : this.#memory.load(session, parts);
      if (unread.length > 0) throw new Error(`${session}: ${unread.join(", ")} cannot be read: ${text}`);
    }
  }

  #begin(): Handlers {
    this.#memory.onChange((session) => this.#sessions.add(session));
    return this.#make(this.#memory);
  }
}
