import { inWords } from "../../engine/base/language.ts";
import type { Disposable } from "../../engine/base/events.ts";
import type { AskedReplay, HostMessage, ReplayState } from "../../webview/guard/protocol.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { ServiceConnection } from "../service/connection.ts";

interface ReplayPorts {
  readonly service: ServiceConnection;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly onProblem: (message: string) => void;
}

/** The panel's replay of the user's own sessions: its last result stays for as long as the panel lives. */
export class PastReplay implements Disposable {
  readonly #ports: ReplayPorts;
  readonly #listening: Disposable;
  #state: ReplayState | null = null;
  /** The last result, which a cancelled replay leaves. */
  #last: ReplayState | null = null;
  #running: AbortController | undefined;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
    this.#listening = ports.service.onChanged("guardPlayed", (far) => {
      if (far !== undefined && this.#state?.kind === "playing") this.#show({ ...this.#state, far });
    });
  }

  /** Sends the current state to a page that has started. */
  begin(): void {
    if (this.#state !== null) this.#tell();
  }

  /** @param since milliseconds since the epoch */
  async play(asked: AskedReplay, since: number): Promise<void> {
    if (this.#running !== undefined) return;
    const { service, t, onProblem } = this.#ports;
    const running = new AbortController();
    this.#running = running;
    this.#show({ kind: "playing", asked, far: null });
    const played = await service.ask("guardPlay", { since, family: asked.family }, running.signal);
    if (running.signal.aborted) return;
    this.#running = undefined;
    if (played.ok) {
      this.#last = { kind: "done", asked, replay: played.value.replay };
      this.#show(this.#last);
      return;
    }
    onProblem(`The service did not answer the Guard panel (replay): ${played.detail.text}`);
    this.#show({ kind: "failed", asked, message: t("The replay failed: {0}", inWords(played.detail)) });
  }

  cancel(): void {
    if (this.#running === undefined) return;
    this.#running.abort();
    this.#running = undefined;
    this.#show(this.#last);
  }

  dispose(): void {
    this.#running?.abort();
    this.#listening.dispose();
  }

  #show(state: ReplayState | null): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    this.#ports.post({ type: "replay", state: this.#state });
  }
}
