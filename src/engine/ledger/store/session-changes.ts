import type { LedgerEntry } from "../entries/entries-entry.ts";

type Kind = LedgerEntry["kind"];

/** Collects for each watcher the sessions that changed since its last call. */
export class SessionChanges {
  readonly #watches = new Map<Kind, SessionWatch[]>();

  /** @param kind the kind of entry that changed the session */
  add(session: string, kind: Kind): void {
    for (const watch of this.#watches.get(kind) ?? []) watch.add(session);
  }

  /** @param kinds the kinds of entries to watch */
  watch(kinds: readonly Kind[]): SessionWatch {
    const watch = new SessionWatch();
    for (const kind of kinds) this.#watches.set(kind, [...(this.#watches.get(kind) ?? []), watch]);
    return watch;
  }
}

export class SessionWatch {
  #changed = new Set<string>();

  add(session: string): void {
    this.#changed.add(session);
  }

  /** The sessions that changed since the last call. */
  take(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }
}
