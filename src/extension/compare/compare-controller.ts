import type { Failure } from "../../engine/base/result.ts";
import type { CompareAsk } from "../../engine/jobs/answers/compare.ts";
import type { Place as BenchPlace } from "../../webview/bench/protocol.ts";
import {
  panelMessage,
  type asked,
  type ExportFormat,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../webview/compare/protocol.ts";
import type * as z from "zod";
import type { BenchWindow } from "../bench/asked-with.ts";
import { exportComparison, type ComparisonFile } from "./export-compare.ts";
import { failedMessage, JobRequests, planMessage, updateInterval } from "../bench/job-requests.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";

const kind = { name: "Compare", messages: panelMessage, updateInterval };

type About = z.infer<typeof asked>;
/** Messages that make the panel show something. */
type Shown = Extract<HostMessage, { type: "show" | "showPlan" }>;

export interface CompareControllerPorts extends ControllerPorts<HostMessage> {
  readonly window: BenchWindow;
  readonly pick: () => void;
  readonly save: (file: ComparisonFile) => void;
  readonly openRun: (run: Extract<BenchPlace, { kind: "run" }>) => void;
}

/** Host side of the Compare panel: answers its messages and pushes updates. */
export class CompareController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: CompareControllerPorts;
  readonly #refreshes: LatestRequest;
  readonly #jobs: JobRequests<CompareAsk>;
  #place: Place = { kind: "home" };

  constructor(ports: CompareControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.#jobs = this.owned.add(
      new JobRequests<CompareAsk>({
        service: ports.service,
        window: ports.window,
        planned: (ask, answer) => {
          if (!answer.ok && answer.reason === "offline")
            ports.post({ type: "offline", message: answer.detail });
          else ports.post(planMessage(ask, answer));
        },
        done: (act, id) => {
          if (act === "start") ports.post({ type: "show", place: { kind: "comparison", id } });
          else this.#refreshes.now();
        },
        failed: (act, failure) => this.reportFailure(act, failure, true),
      }),
    );
    this.owned.add(ports.service.onChanged("benchChanged", (changed) => this.update(changed === undefined)));
  }

  show(shown: Shown): void {
    this.postOnceBegun(shown);
  }

  protected override answer(message: Own<PanelMessage>): void {
    switch (message.type) {
      case "plan":
      case "start":
      case "cancel":
      case "resume":
        this.#jobs.handle(message);
        return;
      case "ready":
        this.#jobs.begin(message.ask);
        this.begin();
        this.#go(message.place);
        if (message.place.kind === "plan") this.#jobs.plan();
        return;
      case "look":
        this.#go(message.place);
        return;
      case "pick":
        this.#ports.pick();
        return;
      case "openRun": {
        const { id, runId, beside } = message;
        this.#ports.openRun({
          kind: "run",
          id,
          runId,
          beside: beside === null ? null : { id, runId: beside },
        });
        return;
      }
      case "export":
        void this.#export(message.id, message.format);
        return;
    }
  }

  #go(place: Place): void {
    this.#place = place;
    if (place.kind !== "plan") this.#jobs.stop();
    this.#refreshes.now();
  }

  protected override refresh(isAnew: boolean): void {
    if (isAnew && this.#place.kind === "plan") this.#jobs.plan();
    if (isAnew) this.#refreshes.now();
    else this.#refreshes.soon();
  }

  protected override failed(failure: Failure<AskFailure>, about: About): HostMessage {
    return failedMessage(failure, about, this.#ports.t);
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const place = this.#place;
    const { service, post } = this.#ports;
    if (place.kind === "plan") return;
    if (place.kind === "home") {
      const listed = await this.safely("jobs", service.ask("benchList", {}, signal), signal);
      if (listed !== undefined)
        post({ type: "jobs", jobs: listed.jobs.filter(({ ask }) => ask.kind === "compare") });
      return;
    }
    const { id } = place;
    const read = await this.safely("comparison", service.ask("benchRead", { id }, signal), signal);
    if (read !== undefined) post({ type: "comparison", id, view: read.view });
  }

  async #export(id: string, format: ExportFormat): Promise<void> {
    const { service, t, save } = this.#ports;
    const read = await service.ask("benchRead", { id });
    if (!read.ok) {
      this.reportFailure("export", read, true);
      return;
    }
    const file = read.value.view === null ? undefined : exportComparison(read.value.view, format);
    if (file === undefined)
      this.#ports.post({ type: "error", about: "export", message: t("There is nothing to export yet.") });
    else save(file);
  }
}
