import { sha256Hex } from "../base/hash.ts";
import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../base/per-session.ts";

/** Maximum recipients per session. Beyond it, the one notified longest ago is dropped. */
const maxRecipients = 200;
/** Longer texts are stored as their hash. Characters. */
const maxLength = 200;

const text = z.string().check(z.maxLength(maxLength));
const notifications = z.array(z.object({ who: text, what: text })).check(z.maxLength(maxRecipients));

/** Stores the last notification of each recipient in a session, so that it is sent once. */
export class NotificationMemory {
  readonly #notified: PerSession<z.infer<typeof notifications>>;

  /** @param name key under which it is stored */
  constructor(memory: Pick<SessionMemory, "part">, name: string) {
    this.#notified = memory.part(name, { schema: notifications, empty: [] });
  }

  /** Returns whether `what` differs from the last notification to `who`, and stores it. */
  isNew(session: string, who: string, what: string): boolean {
    const now = { who: shortened(who), what: shortened(what) };
    const held = this.#notified.of(session);
    // Keeps the most recently notified recipient last.
    const others = held.filter((each) => each.who !== now.who);
    this.#notified.set(session, [...others, now].slice(-maxRecipients));
    return !held.some((each) => each.who === now.who && each.what === now.what);
  }
}

function shortened(long: string): string {
  return long.length <= maxLength ? long : sha256Hex(long);
}
