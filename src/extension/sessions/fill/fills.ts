import { Emitter, DisposableList, type Disposable } from "../../../engine/base/events.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import type { ContextFill } from "../../../engine/ledger/answers.ts";
import { LatestRequest } from "../../editor/latest-request.ts";
import type { ServiceConnection } from "../../service/connection.ts";

export interface FillPorts {
  readonly service: Pick<ServiceConnection, "ask" | "onChanged">;
  readonly sessions: {
    /** The session on the status bar, the only one with a visible bar. */
    readonly shown: SessionSnapshot | undefined;
    readonly onChange: (listener: () => void) => Disposable;
  };
}

/** The ledger reads a row somewhat later than the bar shows it. Milliseconds. */
const betweenRequests = 3000;

/** What fills the context of the session on the status bar. The ledger is asked after each of its turns. */
export class ContextFills implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: FillPorts;
  readonly #owned = new DisposableList();
  readonly #request: LatestRequest;
  #known: { readonly id: string; readonly fill: ContextFill | null } | undefined;
  #asked = "";

  constructor(ports: FillPorts, interval = betweenRequests) {
    this.#ports = ports;
    this.#request = new LatestRequest(interval, (signal) => this.#ask(signal));
    this.#owned.add(this.#request);
    this.#owned.add(ports.sessions.onChange(() => this.#look()));
    this.#owned.add(ports.service.onChanged("ledgerChanged", () => this.#request.soon()));
  }

  /** Null if no transcript contains it, or before the next request after a compaction. */
  of({ id, lastCompaction }: SessionSnapshot): ContextFill | null {
    if (this.#known?.id !== id) return null;
    const { fill } = this.#known;
    return (fill?.at ?? 0) <= (lastCompaction?.at ?? -1) ? null : fill;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  #look(): void {
    const { shown } = this.#ports.sessions;
    const about = shown === undefined ? "" : `${shown.id} ${shown.turns}`;
    if (about === this.#asked) return;
    this.#asked = about;
    if (shown !== undefined) this.#request.soon();
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const id = this.#ports.sessions.shown?.id;
    if (id === undefined) return;
    const asked = await this.#ports.service.ask("contextFill", { asked: id }, signal);
    // A service without a ledger has no answer.
    const fill = asked.ok ? asked.value.answer : null;
    if (signal.aborted || JSON.stringify({ id, fill }) === JSON.stringify(this.#known)) return;
    this.#known = { id, fill };
    this.#changes.fire();
  }
}
