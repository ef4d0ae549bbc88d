import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Disposable } from "./disposable.ts";
import { Emitter } from "./emitter.ts";

/** One kind of state, kept for each session. States are plain JSON and are never changed in place. */
export interface PerSession<State> {
  /** As it was set last; the empty state for a session of which nothing is kept. */
  of(session: string): State;
  set(session: string, state: State): void;
  /** The sessions that have such a state, the one set longest ago first. */
  entries(): Iterable<readonly [session: string, state: State]>;
}

interface PartOptions<State> {
  /** The door for what was written before. It bounds the state's size too. */
  readonly schema: z.ZodType<State>;
  readonly empty: State;
}

/** A kind of state without its type, for what keeps and forgets all kinds alike. */
interface Part {
  dump(session: string): unknown;
  /** Answers whether what was written before is such a state. */
  load(session: string, written: unknown): boolean;
  drop(session: string): void;
}

/** More sessions are not remembered. */
export const mostSessions = 500;

/**
 * What is remembered of sessions while they go on, for all who follow them by their hooks. There is one bound for all kinds of
 * state: when more sessions were heard of, everything of the one heard of longest ago is forgotten. Agents end without a word.
 */
export class SessionMemory implements Disposable {
  readonly #most: number;
  readonly #parts = new Map<string, Part>();
  /** The session heard of last comes last. */
  readonly #sessions = new Set<string>();
  readonly #changes = new Emitter<string>();
  /** Something of this session is not as it was; it may have been forgotten. */
  readonly onChange = this.#changes.on;

  constructor({ most = mostSessions }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  /** @param name what it is called where it is written; each is taken once */
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
        this.#heard(session);
        if (!isSame) this.#changes.fire(session);
      },
      entries: () => held.entries(),
    };
  }

  /** All that is kept of a session, by kind; null where that is nothing. */
  dump(session: string): Readonly<Record<string, unknown>> | null {
    const parts = Array.from(this.#parts, ([name, part]) => [name, part.dump(session)] as const);
    const kept = parts.filter(([, state]) => state !== undefined);
    return kept.length === 0 ? null : Object.fromEntries(kept);
  }

  /** Takes what was dumped before, the session heard of longest ago first. Answers the kinds that could not be read. */
  load(session: string, written: Readonly<Record<string, unknown>>): string[] {
    this.#heard(session);
    return Object.entries(written).flatMap(([name, state]) =>
      this.#parts.get(name)?.load(session, state) === false ? [name] : [],
    );
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #heard(session: string): void {
    this.#sessions.delete(session);
    this.#sessions.add(session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= this.#most || oldest === undefined) return;
    this.#sessions.delete(oldest);
    for (const part of this.#parts.values()) part.drop(oldest);
    this.#changes.fire(oldest);
  }
}
