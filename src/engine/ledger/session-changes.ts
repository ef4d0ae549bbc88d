/** Tells each of those who hold something of sessions which of them changed since they last asked. */
export class SessionChanges {
  readonly #watches = new Set<SessionWatch>();

  add(session: string): void {
    for (const watch of this.#watches) watch.add(session);
  }

  watch(): SessionWatch {
    const watch = new SessionWatch();
    this.#watches.add(watch);
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
