import { pricedTurns } from "../../engine/sessions/advice.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import type { HandoverLinks } from "./links.ts";

interface SavingPorts {
  readonly sessions: { readonly find: (id: string) => SessionSnapshot | undefined };
  readonly handovers: Pick<HandoverLinks, "of">;
}

/**
 * Savings of sessions that began with a handover, over their first ten turns: the price of those turns in the old session,
 * less the price in the new one. The first figure stays, because the old session's cache expires.
 */
export class RelaySavings {
  readonly #ports: SavingPorts;
  /** USD, by document. */
  readonly #found = new Map<string, number>();

  constructor(ports: SavingPorts) {
    this.#ports = ports;
  }

  /** USD. Null for a session that did not begin with a handover, after its first turns, and where a price is unknown. */
  of({ id, turns }: Pick<SessionSnapshot, "id" | "turns">): number | null {
    if (turns > pricedTurns) return null;
    const { from } = this.#ports.handovers.of(id);
    if (from === undefined) return null;
    const known = this.#found.get(from.id);
    if (known !== undefined) return known;
    const prices = this.#ports.sessions.find(from.sessionId)?.goingOn;
    const [here, fresh] = [prices?.here.value ?? null, prices?.fresh.value ?? null];
    if (here === null || fresh === null || here <= fresh) return null;
    this.#found.set(from.id, here - fresh);
    return here - fresh;
  }
}
