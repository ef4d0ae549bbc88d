import { isDeepStrictEqual } from "node:util";
import type * as z from "zod/mini";
import { Emitter, type Disposable } from "./events.ts";

/** One kind of state for each session. States are plain JSON and are never changed in place. */
export interface PerSession<State> {
  /** Returns the last state set; the empty state for a session without one. */
  of(session: string): State;
  set(session: string, state: State): void;
  /** The sessions with such a state, the least recently set first. */
  entries(): Iterable<readonly [session: string, state: State]>;
}

interface PartOptions<State> {
  /** Validates stored states. Also bounds their size. */
  readonly schema: z.ZodMiniType<State>;
  readonly empty: State;
}

/** A kind of state without its type, so that all kinds are stored and dropped alike. */
interface Part {
  dump(session: string): unknown;
  /** Returns whether the stored value is such a state. */
  load(session: string, written: unknown): boolean;
  drop(session: string): void;
}

/** Maximum number of sessions remembered. */
export const maxSessions = 500;

/**
 * State of current sessions, for all features that follow them by their hooks. One bound applies to all kinds of state: with
 * too many sessions, the least recent one is forgotten completely, since agents end without notice.
 */
export class SessionMemory implements Disposable {
  readonly #most: number;
  readonly #parts = new Map<string, Part>();
  /** The most recent session comes last. */
  readonly #sessions = new Set<string>();
  readonly #changes = new Emitter<string>();
  readonly onChange = this.#changes.on;

  constructor({ most = maxSessions }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  /** Registers a kind of state. @param name its key in storage; each can be registered once */
  part<State>(name: string, { schema, empty }: PartOptions<State>): PerSession<State> {
    if (this.#parts.has(name)) throw new Error(`The session state ${name} is kept twice`);
    const held = new Map<string, State>();
    const put = (session: string, state: State) => {
      held.delete(session);
      if (!isDeepStrictEqual(state, empty)) held.set(session, state);
    };
    this.#parts.set(name, {
      dump: (session) => held.get(session),
      load: (session, written) => {
        const read = schema.safeParse(written);
        if (read.success) put(session, read.data);
        return read.success;
      },
      drop: (session) => held.delete(session),
    });
    return {
      of: (session) => held.get(session) ?? empty,
      set: (session, state) => {
        const isSame = isDeepStrictEqual(held.get(session) ?? empty, state);
        put(session, state);
        this.#touch(session);
        if (!isSame) this.#changes.fire(session);
      },
      entries: () => held.entries(),
    };
  }

  dump(session: string): Readonly<Record<string, unknown>> | null {
    const parts = Array.from(this.#parts, ([name, part]) => [name, part.dump(session)] as const);
    const kept = parts.filter(([, state]) => state !== undefined);
    return kept.length === 0 ? null : Object.fromEntries(kept);
  }

  /** Loads dumped states, to be called with the least recent session first. Returns the kinds that could not be read. */
  load(session: string, written: Readonly<Record<string, unknown>>): string[] {
    this.#touch(session);
    return Object.entries(written).flatMap(([name, state]) =>
      this.#parts.get(name)?.load(session, state) === false ? [name] : [],
    );
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #touch(session: string): void {
    this.#sessions.delete(session);
    this.#sessions.add(session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= this.#most || oldest === undefined) return;
    this.#sessions.delete(oldest);
    for (const part of this.#parts.values()) part.drop(oldest);
    this.#changes.fire(oldest);
  }
}
