import type { Disposable } from "../../engine/base/disposable.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
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
import { exportComparison, type ComparisonFile } from "./export.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/words.ts";

/** Between two answers that nobody asked for. Milliseconds. */
const updateInterval = 500;

type About = z.infer<typeof asked>;
/** What the panel is told to show. */
type Shown = Extract<HostMessage, { type: "show" | "showPlan" }>;

export interface CompareConversationPorts {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly pick: () => void;
  readonly save: (file: ComparisonFile) => void;
  readonly openRun: (run: Extract<BenchPlace, { kind: "run" }>) => void;
  readonly showLog: () => void;
  readonly onProblem: (message: string) => void;
}

/** What the host of one Compare panel does about what the panel says, and what it tells it by itself. */
export class CompareConversation implements Disposable {
  readonly #ports: CompareConversationPorts;
  readonly #looks: LatestAsk;
  readonly #plans: LatestAsk;
  readonly #listening: Disposable;
  #place: Place | undefined;
  #ask: CompareAsk | undefined;
  #isVisible = true;
  #isStale = false;
  /** What to show as soon as the panel's script runs. */
  #awaited: Shown | undefined;

  constructor(ports: CompareConversationPorts) {
    this.#ports = ports;
    this.#looks = new LatestAsk(updateInterval, (signal) => this.#look(signal));
    this.#plans = new LatestAsk(updateInterval, (signal) => this.#plan(signal));
    this.#listening = ports.service.onChanged("benchChanged", (changed) =>
      this.#update(changed === undefined),
    );
  }

  /** A message of the panel, which is outside data like any other. */
  hear(said: unknown): void {
    const message = panelMessage.safeParse(said);
    if (message.success) this.#answer(message.data);
    else this.#ports.onProblem("The Compare panel sent a message that is not understood.");
  }

  /** Nothing is asked for a panel nobody sees. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.#update(false);
  }

  tell(shown: Shown): void {
    if (this.#place === undefined) this.#awaited = shown;
    else this.#ports.post(shown);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#looks.dispose();
    this.#plans.dispose();
  }

  #answer(message: PanelMessage): void {
    const { service, window } = this.#ports;
    switch (message.type) {
      case "ready":
        // The script begins anew each time a hidden panel is shown: it knows nothing then but what it asks.
        this.#ask = message.ask ?? undefined;
        this.#go(message.place);
        if (message.place.kind === "plan") this.#plans.now();
        if (this.#awaited !== undefined) this.#ports.post(this.#awaited);
        this.#awaited = undefined;
        return;
      case "look":
        this.#go(message.place);
        return;
      case "pick":
        this.#ports.pick();
        return;
      case "plan":
        this.#ask = message.ask;
        this.#plans.now();
        return;
      case "start":
        void this.#act(
          "start",
          service.ask("benchStart", { ask: message.ask, env: window.env(), project: window.workspace() }),
          ({ id }) => this.#ports.post({ type: "show", place: { kind: "comparison", id } }),
        );
        return;
      case "cancel":
        void this.#act("cancel", service.ask("benchCancel", { id: message.id }), () => this.#looks.now());
        return;
      case "resume":
        void this.#act("resume", service.ask("benchResume", { id: message.id, env: window.env() }), () =>
          this.#looks.now(),
        );
        return;
      case "export":
        void this.#export(message.id, message.format);
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
      case "retry":
        void this.#retry();
        return;
      case "showLog":
        this.#ports.showLog();
        return;
    }
  }

  #go(place: Place): void {
    this.#place = place;
    this.#isStale = false;
    if (place.kind !== "plan") this.#plans.stop();
    this.#looks.now();
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    if (this.#place === undefined) return;
    this.#go(this.#place);
    if (this.#place.kind === "plan") this.#plans.now();
  }

  /** @param isAnew there is another service, or none: what it would plan may be another too */
  #update(isAnew: boolean): void {
    if (this.#place === undefined) return;
    this.#isStale = !this.#isVisible;
    if (!this.#isVisible) return;
    if (isAnew && this.#place.kind === "plan") this.#plans.now();
    if (isAnew) this.#looks.now();
    else this.#looks.soon();
  }

  /** What cannot be planned is no error of the panel: it says so beside its form. */
  async #plan(signal: AbortSignal): Promise<void> {
    const { service, window, post } = this.#ports;
    const ask = this.#ask;
    if (ask === undefined) return;
    const answer = await service.ask("benchPlan", { ask, env: window.env() }, signal);
    if (signal.aborted || (!answer.ok && answer.reason === "starting")) return;
    if (answer.ok) post({ type: "plan", ask, plan: answer.value.plan, problem: null });
    else if (answer.reason === "offline") post({ type: "offline", message: answer.detail });
    else post({ type: "plan", ask, plan: null, problem: answer.detail });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const place = this.#place;
    const { service, post } = this.#ports;
    if (place === undefined || place.kind === "plan") return;
    if (place.kind === "home") {
      const listed = await this.#safely("jobs", service.ask("benchList", {}, signal), signal);
      if (listed !== undefined)
        post({ type: "jobs", jobs: listed.jobs.filter(({ ask }) => ask.kind === "compare") });
      return;
    }
    const { id } = place;
    const read = await this.#safely("comparison", service.ask("benchRead", { id }, signal), signal);
    if (read !== undefined) post({ type: "comparison", id, view: read.view });
  }

  async #export(id: string, format: ExportFormat): Promise<void> {
    const { service, t, save } = this.#ports;
    const read = await service.ask("benchRead", { id });
    if (!read.ok) {
      this.#report("export", read);
      return;
    }
    const file = read.value.view === null ? undefined : exportComparison(read.value.view, format);
    if (file === undefined)
      this.#ports.post({ type: "error", about: "export", message: t("There is nothing to export yet.") });
    else save(file);
  }

  async #act<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    done: (answer: Answer) => void,
  ): Promise<void> {
    const answer = await asked;
    if (answer.ok) done(answer.value);
    else this.#report(about, answer);
  }

  /** The answer, or undefined when there is none, which the panel is told unless it no longer waits. */
  async #safely<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const answer = await asked;
    if (signal.aborted) return undefined;
    if (answer.ok) return answer.value;
    // The panel goes on waiting, or showing what it has: a change is told.
    if (answer.reason !== "starting") this.#report(about, answer);
    return undefined;
  }

  #report(about: About, { reason, detail }: Failure<AskFailure>): void {
    const { t, post, onProblem } = this.#ports;
    onProblem(`The service did not answer (${about}): ${detail}`);
    if (reason === "offline") post({ type: "offline", message: detail });
    else if (reason === "starting")
      post({ type: "error", about, message: t("The service is not connected yet. Try again in a moment.") });
    else post({ type: "error", about, message: t("The service could not do that: {0}", detail) });
  }
}
