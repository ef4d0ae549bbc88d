import { Emitter, DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import type { StartOffer } from "../../engine/continuity/continuity-answers.ts";
import type { ServiceConnection } from "../service/connection.ts";
import type { HandoverLinks } from "./links.ts";

export interface OfferPorts {
  readonly service: Pick<ServiceConnection, "ask" | "onChanged">;
  readonly sessions: {
    /** The live sessions of this window. */
    readonly live: readonly SessionSnapshot[];
    readonly onChange: (listener: () => void) => Disposable;
  };
  readonly handovers: Pick<HandoverLinks, "of">;
}

/** Maximum prompts: after more, a session has its own task. */
const maxPrompts = 3;

/**
 * Offers to new sessions in this window of earlier work to continue. The service is asked once for each
 * session.
 */
export class Offers implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: OfferPorts;
  readonly #owned = new DisposableList();
  /** By session. Null if there is nothing to continue, or while the request runs. */
  #found = new Map<string, StartOffer | null>();

  constructor(ports: OfferPorts) {
    this.#ports = ports;
    this.#owned.add(ports.sessions.onChange(() => this.#look()));
    // After a change of the service, each session is requested again.
    this.#owned.add(
      ports.service.onChanged("handoversChanged", (changed) => {
        if (changed === undefined) this.forget();
      }),
    );
  }

  /** Returns the work that a session could go on with, as long as it begins. */
  of(session: SessionSnapshot): StartOffer | undefined {
    return this.#begins(session) ? (this.#found.get(session.id) ?? undefined) : undefined;
  }

  /** Asks for all again: settings may differ. */
  forget(): void {
    this.#found = new Map();
    this.#changes.fire();
    this.#look();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  /** A session that began with a handover has its work already. */
  #begins({ id, live, prompts, compactions }: SessionSnapshot): boolean {
    const { from } = this.#ports.handovers.of(id);
    return live && prompts <= maxPrompts && compactions === 0 && from === undefined;
  }

  #look(): void {
    for (const session of this.#ports.sessions.live)
      if (session.cwd !== null && !this.#found.has(session.id) && this.#begins(session))
        void this.#ask(session.id, session.cwd);
  }

  async #ask(session: string, folder: string): Promise<void> {
    const found = this.#found;
    found.set(session, null);
    const asked = await this.#ports.service.ask("sessionOffer", { session, folder });
    // A service without a ledger offers nothing.
    if (!asked.ok || asked.value.offer === null || found !== this.#found) return;
    found.set(session, asked.value.offer);
    this.#changes.fire();
  }
}
