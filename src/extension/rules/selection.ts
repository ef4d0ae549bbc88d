import { DisposableList, type Disposable } from "../../engine/base/disposable.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import type { BenchChoices } from "../../engine/jobs/answers/bench.ts";
import type { SelectAsk } from "../../engine/jobs/answers/select.ts";
import type { HostMessage, PanelMessage } from "../../webview/rules/protocol.ts";
import { BenchFeed } from "../bench/feed.ts";
import type { BenchWindow } from "../bench/asked-with.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/words.ts";

/** Between two answers that nobody asked for. Milliseconds. */
const updateInterval = 500;

type SelectionMessage = Extract<PanelMessage, { type: "plan" | "start" | "cancel" | "resume" }>;

export interface RulesSelectionPorts {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly onProblem: (message: string) => void;
}

/** What the host of one Rule Review panel does about measuring rules: their price, and selections as they go on. */
export class RulesSelection implements Disposable {
  readonly #ports: RulesSelectionPorts;
  readonly #owned = new DisposableList();
  readonly #feed: BenchFeed;
  readonly #offers: LatestAsk;
  readonly #plans: LatestAsk;
  #agent: string | null = null;
  #ask: SelectAsk | undefined;
  #isTold = false;

  constructor(ports: RulesSelectionPorts) {
    this.#ports = ports;
    const { service, onProblem } = ports;
    this.#feed = this.#owned.add(new BenchFeed(service, onProblem));
    this.#offers = this.#owned.add(new LatestAsk(updateInterval, (signal) => this.#offer(signal)));
    this.#plans = this.#owned.add(new LatestAsk(updateInterval, (signal) => this.#plan(signal)));
    this.#owned.add(this.#feed.onChange(() => this.#tellJobs()));
    this.#owned.add(
      service.onChanged("benchChanged", (changed) => {
        if (changed === undefined && this.#agent !== null) this.#offers.now();
      }),
    );
  }

  /** The panel's script begins anew, and knows nothing. */
  begin(agent: string | null): void {
    this.#isTold = true;
    this.#ask = undefined;
    this.#tellJobs();
    this.look(agent);
  }

  /** @param agent whose selection is looked at; null where something else is */
  look(agent: string | null): void {
    this.#agent = agent;
    if (agent === null) {
      this.#offers.stop();
      this.#plans.stop();
    } else this.#offers.now();
  }

  hear(message: SelectionMessage): void {
    const { service, window } = this.#ports;
    switch (message.type) {
      case "plan":
        this.#ask = message.ask;
        this.#plans.now();
        return;
      case "start":
        void this.#act(
          service.ask("benchStart", { ask: message.ask, env: window.env(), project: window.workspace() }),
          this.#ports.t("Rules are being measured."),
        );
        return;
      case "cancel":
        void this.#act(service.ask("benchCancel", { id: message.id }), this.#ports.t("Measuring ended."));
        return;
      case "resume":
        void this.#act(
          service.ask("benchResume", { id: message.id, env: window.env() }),
          this.#ports.t("Rules are being measured."),
        );
        return;
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #tellJobs(): void {
    if (!this.#isTold) return;
    const jobs = this.#feed.jobs.filter(({ ask }) => ask.kind === "select");
    this.#ports.post({ type: "jobs", jobs });
  }

  async #offer(signal: AbortSignal): Promise<void> {
    const agent = this.#agent;
    if (agent === null) return;
    const { service, window } = this.#ports;
    const asked = { workspace: window.workspace(), env: window.env() };
    const choices = await service.ask("benchChoices", asked, signal);
    if (signal.aborted) return;
    if (!choices.ok) {
      this.#tell(choices);
      return;
    }
    const { drivers, driver } = choices.value;
    this.#ports.post({ type: "offer", agent, suite: suiteOf(choices.value, agent), drivers, driver });
  }

  /** What cannot be planned is no error of the panel: it says so beside its form. */
  async #plan(signal: AbortSignal): Promise<void> {
    const ask = this.#ask;
    if (ask === undefined) return;
    const { service, window, post } = this.#ports;
    const answer = await service.ask("benchPlan", { ask, env: window.env() }, signal);
    if (signal.aborted || (!answer.ok && answer.reason === "starting")) return;
    if (answer.ok) post({ type: "plan", ask, plan: answer.value.plan, problem: null });
    else post({ type: "plan", ask, plan: null, problem: answer.detail });
  }

  async #act(asked: Promise<Result<object, AskFailure>>, message: string): Promise<void> {
    const done = await asked;
    if (done.ok) this.#ports.post({ type: "done", message, follow: null });
    else this.#tell(done, true);
  }

  /** @param isAwaited a person waits for it */
  #tell({ reason, detail }: Failure<AskFailure>, isAwaited = false): void {
    const { t, post, onProblem } = this.#ports;
    // What nobody waits for is asked again when there is somebody to ask.
    if (reason === "starting" && !isAwaited) return;
    onProblem(`The service did not do what Rule Review asked: ${detail}`);
    if (reason === "offline") post({ type: "offline", message: detail });
    else post({ type: "error", message: t("That could not be done: {0}", detail) });
  }
}

/** The workspace's own suite, where it has tasks of the agent; else the one that comes with purser. */
function suiteOf({ suites }: BenchChoices, agent: string): SelectAsk["suite"] | null {
  const fitting = suites.filter(({ agents }) => agents.some(({ name }) => name === agent));
  const own = fitting.find(({ suite }) => suite.origin === "workspace");
  return (own ?? fitting[0])?.suite ?? null;
}
