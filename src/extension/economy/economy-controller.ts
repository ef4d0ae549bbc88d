import { inWords } from "../../engine/base/language.ts";
import type { Failure } from "../../engine/base/result.ts";
import {
  panelMessage,
  type Days,
  type HostMessage,
  type PanelMessage,
} from "../../webview/economy/economy-protocol.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";

/** Updates are slow because transcripts are read in bursts. */
const kind = { name: "Economy", messages: panelMessage, updateInterval: 5000 };
/** Milliseconds. */
const day = 24 * 60 * 60_000;

export interface EconomyControllerPorts extends ControllerPorts<HostMessage> {
  /** Shows a session in Usage. */
  readonly openSession: (id: string) => void;
  /** Opens the file of an agent. @param project its folder */
  readonly openAgent: (project: string, agent: string) => void;
  readonly getStarted: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Host side of the Economy panel: answers its messages and pushes updates. */
export class EconomyController extends BasePanelController<PanelMessage, HostMessage, "economy"> {
  readonly #ports: EconomyControllerPorts;
  readonly #refreshes: LatestRequest;
  #chosen: { readonly days: Days; readonly project: string | null } = { days: 30, project: null };

  constructor(ports: EconomyControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.updateOn("ledgerChanged");
  }

  protected override answer(message: Own<PanelMessage>): void {
    const { openSession, openAgent, getStarted } = this.#ports;
    switch (message.type) {
      case "ready":
      case "narrow":
        this.begin();
        this.#chosen = { days: message.days, project: message.project };
        this.#refreshes.now();
        return;
      case "openSession":
        openSession(message.id);
        return;
      case "openAgent":
        openAgent(message.project, message.agent);
        return;
      case "getStarted":
        getStarted();
        return;
    }
  }

  protected override refresh(isAtOnce: boolean): void {
    this.#refreshes.again(isAtOnce);
  }

  protected override failed({ detail }: Failure<AskFailure>): HostMessage {
    return {
      type: "error",
      message: this.#ports.t("What agents cost could not be read: {0}", inWords(detail)),
    };
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { service, now, post } = this.#ports;
    const { days, project } = this.#chosen;
    const asked = service.ask("economyView", { since: now() - days * day, project }, signal);
    const read = await this.safely("economy", asked, signal);
    if (read !== undefined) post({ type: "economy", days, project, view: read.view });
  }
}
