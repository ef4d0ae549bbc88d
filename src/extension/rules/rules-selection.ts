import { DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { Failure } from "../../engine/base/result.ts";
import type { BenchChoices } from "../../engine/jobs/bench-answers.ts";
import type { SelectAsk } from "../../engine/jobs/compare-answers.ts";
import type { HostMessage } from "../../webview/rules/rules-protocol.ts";
import { BenchFeed } from "../experiments/bench-feed.ts";
import type { BenchWindow } from "../experiments/bench-window.ts";
import { JobRequests, planMessage, updateInterval, type JobMessage } from "../experiments/job-requests.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/describe-editor.ts";

export interface RulesSelectionPorts {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly onProblem: (message: string) => void;
  /** @param isAwaited whether the user waits for it */
  readonly failed: (failure: Failure<AskFailure>, isAwaited: boolean) => void;
}

/** Host side of measuring rules in the Rules panel: their price, and the progress of selections. */
export class RulesSelection implements Disposable {
  readonly #ports: RulesSelectionPorts;
  readonly #owned = new DisposableList();
  readonly #feed: BenchFeed;
  readonly #offers: LatestRequest;
  readonly #jobs: JobRequests<SelectAsk>;
  #agent: string | null = null;
  #hasStarted = false;

  constructor(ports: RulesSelectionPorts) {
    this.#ports = ports;
    const { service, window, post, t, onProblem, failed } = ports;
    this.#feed = this.#owned.add(new BenchFeed(service, onProblem));
    this.#offers = this.#owned.add(new LatestRequest(updateInterval, (signal) => this.#offer(signal)));
    this.#jobs = this.#owned.add(
      new JobRequests<SelectAsk>({
        service,
        window,
        planned: (ask, answer) => post(planMessage(ask, answer)),
        done: (act) => {
          const message = act === "cancel" ? t("Measuring ended.") : t("Rules are being measured.");
          post({ type: "done", message, follow: null });
        },
        failed: (_, failure) => failed(failure, true),
      }),
    );
    this.#owned.add(this.#feed.onChange(() => this.#postJobs()));
    this.#owned.add(
      service.onChanged("benchChanged", (changed) => {
        if (changed === undefined && this.#agent !== null) this.#offers.now();
      }),
    );
  }

  /** Resets for a restarted panel script, which knows nothing. */
  begin(agent: string | null): void {
    this.#hasStarted = true;
    this.#jobs.begin(null);
    this.#postJobs();
    this.show(agent);
  }

  /** @param agent the agent of the shown selection; null when something else is shown */
  show(agent: string | null): void {
    this.#agent = agent;
    if (agent === null) {
      this.#offers.stop();
      this.#jobs.stop();
    } else this.#offers.now();
  }

  handle(message: JobMessage<SelectAsk>): void {
    this.#jobs.handle(message);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #postJobs(): void {
    if (!this.#hasStarted) return;
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
      this.#ports.failed(choices, false);
      return;
    }
    const { drivers, driver } = choices.value;
    this.#ports.post({ type: "offer", agent, suite: suiteOf(choices.value, agent), drivers, driver });
  }
}

/** The workspace's own suite, if it has tasks for the agent; else the built-in one. */
function suiteOf({ suites }: BenchChoices, agent: string): SelectAsk["suite"] | null {
  const fitting = suites.filter(({ agents }) => agents.some(({ name }) => name === agent));
  const own = fitting.find(({ suite }) => suite.origin === "workspace");
  return (own ?? fitting[0])?.suite ?? null;
}
