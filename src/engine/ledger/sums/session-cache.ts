import type { SessionWatch } from "../store/session-changes.ts";

/** A value for each session, cached in memory: everything is read at first use, then only what changed. */
export class SessionCache<Value> {
  readonly #watch: SessionWatch;
  /** Reads the value of one session, or of all sessions when it is null. */
  readonly #read: (session: string | null) => ReadonlyMap<string, Value>;
  #values: Map<string, Value> | null = null;

  constructor(watch: SessionWatch, read: (session: string | null) => ReadonlyMap<string, Value>) {
    this.#watch = watch;
    this.#read = read;
  }

  values(): ReadonlyMap<string, Value> {
    const changed = this.#watch.take();
    if (this.#values === null) return (this.#values = new Map(this.#read(null)));
    for (const session of changed) {
      const value = this.#read(session).get(session);
      if (value === undefined) this.#values.delete(session);
      else this.#values.set(session, value);
    }
    return this.#values;
  }

  /** Drops everything, because the basis of the values has changed. */
  clear(): void {
    this.#values = null;
  }
}
