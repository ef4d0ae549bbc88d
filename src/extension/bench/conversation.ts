import type { Disposable } from "../../engine/base/disposable.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import type { BenchAsk } from "../../engine/jobs/answers/bench.ts";
import {
  panelMessage,
  type asked,
  type ChangeAsked,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../webview/bench/protocol.ts";
import type * as z from "zod";
import type { BenchWindow } from "./asked-with.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/words.ts";

/** Between two answers that nobody asked for. Milliseconds. */
const updateInterval = 500;

type About = z.infer<typeof asked>;

/** Two texts of a file; null where it is not there. Text from outside. */
export interface FileDiff {
  readonly path: string;
  readonly left: { readonly name: string; readonly text: string | null };
  readonly right: { readonly name: string; readonly text: string | null };
}

export interface BenchConversationPorts {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly showLog: () => void;
  readonly manageTrust: () => void;
  readonly openDiff: (diff: FileDiff) => void;
  readonly onTrust: (listener: () => void) => Disposable;
  readonly onProblem: (message: string) => void;
}

/** What the host of one Bench panel does about what the panel says, and what it tells it by itself. */
export class BenchConversation implements Disposable {
  readonly #ports: BenchConversationPorts;
  readonly #looks: LatestAsk;
  readonly #choices: LatestAsk;
  readonly #plans: LatestAsk;
  readonly #listening: Disposable;
  readonly #trust: Disposable;
  #place: Place | undefined;
  #ask: BenchAsk | undefined;
  #isVisible = true;
  #isStale = false;
  /** What to show as soon as the panel's script runs. */
  #awaited: Place | undefined;

  constructor(ports: BenchConversationPorts) {
    this.#ports = ports;
    this.#looks = new LatestAsk(updateInterval, (signal) => this.#look(signal));
    this.#choices = new LatestAsk(updateInterval, (signal) => this.#choose(signal));
    this.#plans = new LatestAsk(updateInterval, (signal) => this.#plan(signal));
    this.#listening = ports.service.onChanged("benchChanged", (changed) =>
      this.#update(changed === undefined),
    );
    // There may be a suite more then.
    this.#trust = ports.onTrust(() => {
      if (this.#place?.kind === "home") this.#choices.now();
    });
  }

  /** A message of the panel, which is outside data like any other. */
  hear(said: unknown): void {
    const message = panelMessage.safeParse(said);
    if (message.success) this.#answer(message.data);
    else this.#ports.onProblem("The Bench panel sent a message that is not understood.");
  }

  /** Nothing is asked for a panel nobody sees. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.#update(false);
  }

  show(place: Place): void {
    if (this.#place === undefined) this.#awaited = place;
    else this.#ports.post({ type: "show", place });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#trust.dispose();
    this.#looks.dispose();
    this.#choices.dispose();
    this.#plans.dispose();
  }

  #answer(message: PanelMessage): void {
    const { service, window } = this.#ports;
    switch (message.type) {
      case "ready":
        // The script begins anew each time a hidden panel is shown: it knows nothing then but what it asks.
        this.#ask = message.ask ?? undefined;
        this.#go(message.place);
        if (this.#awaited !== undefined) this.#ports.post({ type: "show", place: this.#awaited });
        this.#awaited = undefined;
        return;
      case "look":
        this.#go(message.place);
        return;
      case "plan":
        this.#ask = message.ask;
        this.#plans.now();
        return;
      case "start":
        void this.#act(
          "start",
          service.ask("benchStart", { ask: message.ask, env: window.env(), project: window.workspace() }),
          ({ id }) => this.#ports.post({ type: "show", place: { kind: "bench", id } }),
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
      case "openChange":
        void this.#openChange(message);
        return;
      case "retry":
        void this.#retry();
        return;
      case "showLog":
        this.#ports.showLog();
        return;
      case "manageTrust":
        this.#ports.manageTrust();
        return;
    }
  }

  #go(place: Place): void {
    const wasHome = this.#place?.kind === "home";
    this.#place = place;
    this.#isStale = false;
    if (place.kind === "home") this.#choices.now();
    else if (wasHome) {
      this.#choices.stop();
      this.#plans.stop();
    }
    this.#looks.now();
  }

  /** Beside what the file was, or beside what the other run left. */
  async #openChange({ id, runId, path, name, other }: ChangeAsked): Promise<void> {
    const { service, t, openDiff, post } = this.#ports;
    const [own, others] = await Promise.all([
      service.ask("benchChange", { id, runId, path }),
      ...(other === null ? [] : [service.ask("benchChange", { id: other.id, runId: other.runId, path })]),
    ]);
    if (!own.ok || own.value.change === null || others?.ok === false) {
      const gone = t("What this run did to {0} was not kept.", path);
      const failed = own.ok ? others : own;
      post({ type: "error", about: "run", message: failed?.ok === false ? failed.detail : gone });
      return;
    }
    const { change } = own.value;
    const before = { name: t("Before"), text: change.before };
    // A file that the other run did not change is as it was.
    const left =
      other === null ? before : { name: other.name, text: others?.value.change?.after ?? change.before };
    openDiff({ path, left, right: { name, text: change.after } });
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    if (this.#place !== undefined) this.#go(this.#place);
  }

  /** @param isAnew there is another service, or none: what there is to choose from may be another too */
  #update(isAnew: boolean): void {
    if (this.#place === undefined) return;
    this.#isStale = !this.#isVisible;
    if (!this.#isVisible) return;
    if (isAnew && this.#place.kind === "home") this.#choices.now();
    if (isAnew) this.#looks.now();
    else this.#looks.soon();
  }

  async #choose(signal: AbortSignal): Promise<void> {
    const { service, window, post } = this.#ports;
    const isTrusted = window.isTrusted();
    const asked = { workspace: window.workspace(), env: window.env() };
    const choices = await this.#safely("choices", service.ask("benchChoices", asked, signal), signal);
    if (choices !== undefined) post({ type: "choices", choices, isTrusted });
  }

  /** What cannot be planned is no error of the panel: it says so beside its form. */
  async #plan(signal: AbortSignal): Promise<void> {
    const { service, window, post } = this.#ports;
    const ask = this.#ask;
    if (ask === undefined) return;
    const answer = await service.ask("benchPlan", { ask, env: window.env() }, signal);
    if (signal.aborted || (!answer.ok && answer.reason === "starting")) return;
    if (answer.ok) post({ type: "plan", ask, plan: answer.value.plan, problem: null });
    else post({ type: "plan", ask, plan: null, problem: answer.detail });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const place = this.#place;
    const { service, post } = this.#ports;
    if (place === undefined) return;
    if (place.kind === "home") {
      const listed = await this.#safely("jobs", service.ask("benchList", {}, signal), signal);
      if (listed !== undefined)
        post({ type: "jobs", jobs: listed.jobs.filter(({ ask }) => ask.kind === "bench") });
      return;
    }
    const { id } = place;
    const read = await this.#safely("bench", service.ask("benchRead", { id }, signal), signal);
    if (read === undefined) return;
    post({ type: "bench", id, view: read.view });
    if (place.kind === "bench") return;
    for (const run of [{ id, runId: place.runId }, ...(place.beside === null ? [] : [place.beside])]) {
      const found = await this.#safely("run", service.ask("benchRun", run, signal), signal);
      if (found !== undefined) post({ type: "run", ...run, page: found.page });
    }
  }

  async #act<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    done: (answer: Answer) => void,
  ): Promise<void> {
    const answer = await asked;
    if (answer.ok) done(answer.value);
    else this.#tell(about, answer);
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
    if (answer.reason !== "starting") this.#tell(about, answer);
    return undefined;
  }

  #tell(about: About, { reason, detail }: Failure<AskFailure>): void {
    const { t, post, onProblem } = this.#ports;
    onProblem(`The service did not answer (${about}): ${detail}`);
    if (reason === "offline") post({ type: "offline", message: detail });
    else if (reason === "starting")
      post({ type: "error", about, message: t("The service is not connected yet. Try again in a moment.") });
    else post({ type: "error", about, message: t("The service could not do that: {0}", detail) });
  }
}
