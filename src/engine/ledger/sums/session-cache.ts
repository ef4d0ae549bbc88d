import type { SessionWatch } from "../store/session-changes.ts";

/** Something of each session, kept in memory: all is read when it is first asked for, then only what changed. */
export class SessionCache<Value> {
  readonly #watch: SessionWatch;
  /** Of one session, or of all of them when it is null. */
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

  /** What it was read by is no longer so. */
  clear(): void {
    this.#values = null;
  }
}
