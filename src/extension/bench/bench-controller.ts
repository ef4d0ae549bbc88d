import { inWords } from "../../engine/base/language.ts";
import type { Disposable } from "../../engine/base/events.ts";
import type { Failure } from "../../engine/base/result.ts";
import type { BenchAsk, JobView } from "../../engine/jobs/bench-answers.ts";
import {
  panelMessage,
  type asked,
  type ChangeAsked,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../webview/bench/bench-protocol.ts";
import type * as z from "zod/mini";
import type { BenchWindow } from "./bench-window.ts";
import { failedMessage, JobRequests, planMessage, updateInterval } from "./job-requests.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";

const kind = { name: "Bench", messages: panelMessage, updateInterval };

type About = z.infer<typeof asked>;

/** Two versions of a file; text is null when the file does not exist. Untrusted text. */
export interface FileDiff {
  readonly path: string;
  readonly left: { readonly name: string; readonly text: string | null };
  readonly right: { readonly name: string; readonly text: string | null };
}

export interface BenchControllerPorts extends ControllerPorts<HostMessage> {
  readonly window: BenchWindow;
  readonly manageTrust: () => void;
  readonly openComparison: (id: string) => void;
  readonly openDiff: (diff: FileDiff) => void;
  readonly save: (view: JobView) => void;
  readonly onTrust: (listener: () => void) => Disposable;
}

/** Host side of the Bench panel: answers its messages and pushes updates. */
export class BenchController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: BenchControllerPorts;
  readonly #refreshes: LatestRequest;
  readonly #choices: LatestRequest;
  readonly #jobs: JobRequests<BenchAsk>;
  #place: Place = { kind: "home" };

  constructor(ports: BenchControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.#choices = this.latest((signal) => this.#choose(signal));
    const { service, window, post } = ports;
    this.#jobs = this.owned.add(
      new JobRequests<BenchAsk>({
        service,
        window,
        planned: (ask, answer) => post(planMessage(ask, answer)),
        done: (act, id) => {
          if (act === "start") post({ type: "show", place: { kind: "bench", id } });
          else this.#refreshes.now();
        },
        failed: (act, failure) => this.reportFailure(act, failure, true),
      }),
    );
    this.updateOn("benchChanged");
    // A newly trusted folder may bring another suite.
    this.owned.add(
      ports.onTrust(() => {
        if (this.hasStarted && this.#place.kind === "home") this.#choices.now();
      }),
    );
  }

  show(place: Place): void {
    this.postOnceStarted({ type: "show", place });
  }

  protected override answer(message: Own<PanelMessage>): void {
    switch (message.type) {
      case "ready":
        this.#jobs.begin(message.ask);
        this.begin();
        this.#go(message.place);
        return;
      case "look":
        this.#go(message.place);
        return;
      case "plan":
      case "start":
      case "cancel":
      case "resume":
        this.#jobs.handle(message);
        return;
      case "export":
        void this.#export(message.id);
        return;
      case "openChange":
        void this.#openChange(message);
        return;
      case "openComparison":
        this.#ports.openComparison(message.id);
        return;
      case "manageTrust":
        this.#ports.manageTrust();
        return;
    }
  }

  #go(place: Place): void {
    this.#place = place;
    if (place.kind !== "home") {
      this.#choices.stop();
      this.#jobs.stop();
    }
    this.refresh(true);
  }

  protected override refresh(isAtOnce: boolean): void {
    if (isAtOnce && this.#place.kind === "home") this.#choices.now();
    this.#refreshes.again(isAtOnce);
  }

  protected override failed(failure: Failure<AskFailure>, about: About): HostMessage {
    return failedMessage(failure, about, this.#ports.t);
  }

  async #export(id: string): Promise<void> {
    const read = await this.#ports.service.ask("benchRead", { id });
    if (!read.ok) this.reportFailure("bench", read, true);
    else if (read.value.view !== null) this.#ports.save(read.value.view);
  }

  /** Opens a diff against the file's original, or against the other run's version. */
  async #openChange({ id, runId, path, name, other }: ChangeAsked): Promise<void> {
    const { service, t, openDiff, post } = this.#ports;
    const [own, others] = await Promise.all([
      service.ask("benchChange", { id, runId, path }),
      ...(other === null ? [] : [service.ask("benchChange", { id: other.id, runId: other.runId, path })]),
    ]);
    if (!own.ok || own.value.change === null || others?.ok === false) {
      const gone = t("The changes of this run to {0} were not kept.", path);
      const failed = own.ok ? others : own;
      post({ type: "error", about: "run", message: failed?.ok === false ? inWords(failed.detail) : gone });
      return;
    }
    const { change } = own.value;
    const before = { name: t("Before"), text: change.before };
    // A file the other run did not change is still the original.
    const left =
      other === null ? before : { name: other.name, text: others?.value.change?.after ?? change.before };
    openDiff({ path, left, right: { name, text: change.after } });
  }

  async #choose(signal: AbortSignal): Promise<void> {
    const { service, window, post } = this.#ports;
    const isTrusted = window.isTrusted();
    const asked = { workspace: window.workspace(), env: window.env() };
    const choices = await this.safely("choices", service.ask("benchChoices", asked, signal), signal);
    if (choices !== undefined) post({ type: "choices", choices, isTrusted });
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const place = this.#place;
    const { service, post } = this.#ports;
    if (place.kind === "home") {
      const listed = await this.safely("jobs", service.ask("benchList", {}, signal), signal);
      if (listed !== undefined)
        post({ type: "jobs", jobs: listed.jobs.filter(({ ask }) => ask.kind === "bench") });
      return;
    }
    const { id } = place;
    const read = await this.safely("bench", service.ask("benchRead", { id }, signal), signal);
    if (read === undefined) return;
    post({ type: "bench", id, view: read.view });
    if (place.kind === "bench") return;
    for (const run of [{ id, runId: place.runId }, ...(place.beside === null ? [] : [place.beside])]) {
      const found = await this.safely("run", service.ask("benchRun", run, signal), signal);
      if (found !== undefined) post({ type: "run", ...run, page: found.page });
    }
  }
}
