import { inWords } from "../../engine/base/language.ts";
import type { Failure } from "../../engine/base/result.ts";
import type { ReportView } from "../../engine/rules/rules-answers.ts";
import { panelMessage, type HostMessage, type PanelMessage } from "../../webview/report/report-protocol.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";

/** Updates are slow because transcripts are read in bursts. */
const kind = { name: "Status", messages: panelMessage, updateInterval: 5000 };

export interface StatusControllerPorts extends ControllerPorts<HostMessage> {
  /** Shows Rule Review. @param id a rule to open */
  readonly review: (id: string | null) => void;
  readonly openBenchmark: () => void;
  /** Saves the report, with the folder that it is narrowed to. */
  readonly save: (report: ReportView, project: string | null) => void;
  readonly getStarted: () => void;
}

/** Host side of the Status panel: answers its messages and pushes updates. */
export class StatusController extends BasePanelController<PanelMessage, HostMessage, "report"> {
  readonly #ports: StatusControllerPorts;
  readonly #refreshes: LatestRequest;
  #project: string | null = null;
  /** The report on the page, and its project. */
  #shown: { readonly report: ReportView; readonly project: string | null } | null = null;

  constructor(ports: StatusControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.updateOn("rulesChanged");
    this.owned.add(
      ports.service.onChanged("ledgerChanged", (changed) => {
        // A new or lost service is handled by the listener above.
        if (changed !== undefined) this.update(false);
      }),
    );
  }

  protected override answer(message: Own<PanelMessage>): void {
    const { review, openBenchmark, getStarted, save } = this.#ports;
    switch (message.type) {
      case "ready":
      case "narrow":
        this.begin();
        this.#project = message.project;
        this.#refreshes.now();
        return;
      case "review":
        review(message.id);
        return;
      case "openBenchmark":
        openBenchmark();
        return;
      case "export":
        if (this.#shown !== null) save(this.#shown.report, this.#shown.project);
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
    return { type: "error", message: this.#ports.t("The report could not be made: {0}", inWords(detail)) };
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const project = this.#project;
    const asked = this.#ports.service.ask("rulesReport", { project }, signal);
    const read = await this.safely("report", asked, signal);
    if (read === undefined) return;
    this.#shown = { report: read.report, project };
    this.#ports.post({ type: "report", report: read.report });
  }
}
