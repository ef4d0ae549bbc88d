import type { HandoverView } from "../../engine/continuity/continuity-answers.ts";
import { Emitter, DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { agentOf } from "../../engine/transcripts/agents.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";

/** Connects a session with others through a document that was handed over. */
export interface SessionLinks {
  /** The newest document of the session's own work. */
  readonly to: HandoverView | undefined;
  /** The document that the session began with. */
  readonly from: HandoverView | undefined;
}

const none: SessionLinks = { to: undefined, from: undefined };

/** Documents that hand work over, by the sessions that they connect. */
export class HandoverLinks implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #owned = new DisposableList();
  #bySession: ReadonlyMap<string, SessionLinks> = new Map();

  constructor(service: Pick<ServiceConnection, "ask" | "onChanged">) {
    const read = async () => {
      const asked = await service.ask("handoverList", {});
      // A service without a ledger has no links.
      if (asked.ok) this.#show(asked.value.handovers);
    };
    this.#owned.add(
      service.onChanged("handoversChanged", (changed) => {
        if (changed === undefined) void read();
        else this.#show(changed.handovers);
      }),
    );
    void read();
  }

  of(sessionId: string): SessionLinks {
    return this.#bySession.get(sessionId) ?? none;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** @param handovers the newest first */
  #show(handovers: readonly HandoverView[]): void {
    const links = new Map<string, SessionLinks>();
    for (const handover of handovers) {
      const { sessionId, toSession } = handover;
      const own = links.get(sessionId) ?? none;
      links.set(sessionId, { ...own, to: own.to ?? handover });
      if (toSession === null) continue;
      const next = links.get(toSession) ?? none;
      links.set(toSession, { ...next, from: next.from ?? handover });
    }
    this.#bySession = links;
    this.#changes.fire();
  }
}

/** A session that works on for longer than this after its work went over is in use again. Milliseconds. */
const settling = 60_000;

/** Whether another session goes on with a session's work, and the session does nothing more itself. */
export function isHandedOver(
  { lastActivity }: Pick<SessionSnapshot, "lastActivity">,
  { to }: SessionLinks,
): boolean {
  const { toSession = null, takenAt: at = null } = to ?? {};
  const takenAt = toSession === null ? null : at;
  return takenAt !== null && (lastActivity ?? 0) <= takenAt + settling;
}

/** Whether a session's record describes its work well enough to hand it over. */
export function canHandOver({ agent }: Pick<SessionSnapshot, "agent">): boolean {
  return agentOf(agent).history !== null;
}
