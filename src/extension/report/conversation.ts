import { DisposableList, type Disposable } from "../../engine/base/disposable.ts";
import type { Failure } from "../../engine/base/result.ts";
import { panelMessage, type HostMessage, type PanelMessage } from "../../webview/report/protocol.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/words.ts";

/** Between two reports that nobody asked for: transcripts are read in bursts. Milliseconds. */
const updateInterval = 5000;

export interface StatusConversationPorts {
  readonly service: ServiceConnection;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  /** Shows Rule Review. @param id a rule of it */
  readonly review: (id: string | null) => void;
  readonly openBenchmark: () => void;
  readonly getStarted: () => void;
  readonly showLog: () => void;
  readonly onProblem: (message: string) => void;
}

/** What the host of one Status panel does about what the panel says, and what it tells it by itself. */
export class StatusConversation implements Disposable {
  readonly #ports: StatusConversationPorts;
  readonly #looks: LatestAsk;
  readonly #owned = new DisposableList();
  #hasBegun = false;
  #project: string | null = null;
  #isVisible = true;
  #isStale = false;

  constructor(ports: StatusConversationPorts) {
    this.#ports = ports;
    this.#looks = this.#owned.add(new LatestAsk(updateInterval, (signal) => this.#look(signal)));
    this.#owned.add(
      ports.service.onChanged("rulesChanged", (changed) => this.#update(changed === undefined)),
    );
    this.#owned.add(
      ports.service.onChanged("ledgerChanged", (changed) => {
        // Of another service the other listener hears.
        if (changed !== undefined) this.#update(false);
      }),
    );
  }

  /** A message of the panel, which is outside data like any other. */
  hear(said: unknown): void {
    const message = panelMessage.safeParse(said);
    if (message.success) this.#answer(message.data);
    else this.#ports.onProblem("The Status panel sent a message that is not understood.");
  }

  /** Nothing is asked for a panel nobody sees. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.#update(false);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #answer(message: PanelMessage): void {
    const { review, openBenchmark, getStarted, showLog } = this.#ports;
    switch (message.type) {
      case "ready":
      case "narrow":
        this.#hasBegun = true;
        this.#project = message.project;
        this.#looks.now();
        return;
      case "review":
        review(message.id);
        return;
      case "openBenchmark":
        openBenchmark();
        return;
      case "getStarted":
        getStarted();
        return;
      case "retry":
        void this.#retry();
        return;
      case "showLog":
        showLog();
        return;
    }
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    this.#looks.now();
  }

  /** @param isAnew there is another service, or none: whoever asked the last one may have had no answer */
  #update(isAnew: boolean): void {
    this.#isStale = !this.#isVisible;
    if (!this.#isVisible || !this.#hasBegun) return;
    if (isAnew) this.#looks.now();
    else this.#looks.soon();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const read = await this.#ports.service.ask("rulesReport", { project: this.#project }, signal);
    if (signal.aborted) return;
    if (read.ok) this.#ports.post({ type: "report", report: read.value.report });
    else this.#tell(read);
  }

  #tell({ reason, detail }: Failure<AskFailure>): void {
    const { t, post, onProblem } = this.#ports;
    // The panel goes on waiting, or showing what it has: a change is told.
    if (reason === "starting") return;
    onProblem(`The service did not answer the Status panel: ${detail}`);
    if (reason === "offline") post({ type: "offline", message: detail });
    else post({ type: "error", message: t("The report could not be made: {0}", detail) });
  }
}
