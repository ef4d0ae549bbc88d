/** A notification on the screen. */
export interface OpenNotice {
  readonly say: (message: string) => void;
  readonly close: () => void;
}

export interface NoticePorts {
  /** Opens a notification; `putAway` runs when the user closes it. */
  readonly open: (putAway: () => void) => OpenNotice;
  /** Returns how to stop the timer. */
  readonly setTimer: (act: () => void, ms: number) => () => void;
}

/** Maximum time for which a notification stays. The status bar keeps showing it. Milliseconds. */
const maxOpenTime = 30_000;

/**
 * At most one notification per session. It is updated instead of stacked, and closed once it is no longer
 * true.
 */
export class SessionNotices {
  readonly #ports: NoticePorts;
  readonly #open = new Map<
    string,
    { readonly notice: OpenNotice; readonly stop: () => void; said: string }
  >();

  constructor(ports: NoticePorts) {
    this.#ports = ports;
  }

  /** Opens a notification of the session, in place of an earlier one. */
  show(id: string, message: string): void {
    this.close(id);
    const notice = this.#ports.open(() => {
      if (this.#open.get(id)?.notice === notice) this.close(id);
    });
    const stop = this.#ports.setTimer(() => this.close(id), maxOpenTime);
    this.#open.set(id, { notice, stop, said: "" });
    this.update(id, message);
  }

  /** Corrects the figures of an open notification, if there is one. */
  update(id: string, message: string): void {
    const held = this.#open.get(id);
    if (held === undefined || held.said === message) return;
    held.said = message;
    held.notice.say(message);
  }

  close(id: string): void {
    const held = this.#open.get(id);
    if (held === undefined) return;
    this.#open.delete(id);
    held.stop();
    held.notice.close();
  }

  /** Closes those of all other sessions. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#open.keys()) if (!ids.has(id)) this.close(id);
  }

  dispose(): void {
    this.keep(new Set());
  }
}
