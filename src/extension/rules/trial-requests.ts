import { DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { Failure } from "../../engine/base/result.ts";
import { plannedSessions } from "../../engine/rules/trial.ts";
import { everyAgent, type TrialHead } from "../../engine/rules/trial-answers.ts";
import type { HostMessage, PanelMessage } from "../../webview/rules/rules-protocol.ts";
import type { BenchWindow } from "../experiments/bench-window.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import { inWords } from "../../engine/base/language.ts";

export interface TrialRequestsPorts {
  readonly service: ServiceConnection;
  readonly window: Pick<BenchWindow, "workspace">;
  /** Claude Code's configuration folder. */
  readonly root: () => string;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  /** @param isAwaited whether the user waits for it */
  readonly failed: (failure: Failure<AskFailure>, isAwaited: boolean) => void;
}

type TrialMessage = Extract<
  PanelMessage,
  { type: "planTrial" | "startTrial" | "stopTrial" | "chooseTrial" | "letInByTrial" }
>;

/**
 * Milliseconds between two requests of a running trial: computing its interim result takes the service a
 * moment.
 */
const updateInterval = 10_000;

/** Host side of rules on trial in the Rules panel. */
export class TrialRequests implements Disposable {
  readonly #ports: TrialRequestsPorts;
  readonly #owned = new DisposableList();
  readonly #refreshes: LatestRequest;
  readonly #plans: LatestRequest;
  #agent: string | null = null;
  #isEverywhere = false;
  /** The trial that the user chose; null for the running or the newest one. */
  #chosen: string | null = null;
  #hasStarted = false;

  constructor(ports: TrialRequestsPorts) {
    this.#ports = ports;
    this.#refreshes = this.#owned.add(new LatestRequest(updateInterval, (signal) => this.#refresh(signal)));
    this.#plans = this.#owned.add(new LatestRequest(updateInterval, (signal) => this.#plan(signal)));
    this.#owned.add(
      ports.service.onChanged("ledgerChanged", () => {
        if (this.#agent !== null) this.#refreshes.soon();
      }),
    );
  }

  /** @param agent the agent of the shown trial; null when something else is shown */
  show(agent: string | null): void {
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    if (agent !== this.#agent) this.#chosen = null;
    this.#agent = agent;
    this.#plans.stop();
    if (agent !== null || isFirst) this.#refreshes.now();
    else this.#refreshes.stop();
    if (agent !== null) this.#plans.now();
  }

  handle(message: TrialMessage): void {
    switch (message.type) {
      case "planTrial":
        this.#agent = message.agent;
        this.#isEverywhere = message.isEverywhere;
        this.#plans.now();
        return;
      case "startTrial":
        void this.#start(message);
        return;
      case "stopTrial":
        void this.#stop(message.id);
        return;
      case "chooseTrial":
        this.#agent = message.agent;
        this.#chosen = message.id;
        this.#refreshes.now();
        return;
      case "letInByTrial":
        void this.#letIn(message.id);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { service, post, failed } = this.#ports;
    const agent = this.#agent;
    const listed = await service.ask("trialList", {}, signal);
    if (signal.aborted) return;
    if (!listed.ok) {
      if (agent !== null) failed(listed, false);
      return;
    }
    const trials = listed.value.trials.filter((trial) => trial.agent !== everyAgent);
    post({ type: "trials", trials });
    if (agent !== null) await this.#refreshTrial(agent, trials, signal);
  }

  async #refreshTrial(agent: string, trials: readonly TrialHead[], signal: AbortSignal): Promise<void> {
    const { service, post, failed } = this.#ports;
    // Newest first: a running one is the newest of its agent's, unless another folder has a newer one.
    const own = trials.filter((trial) => trial.agent === agent);
    const chosen = own.find(({ id }) => id === this.#chosen);
    const shown = chosen ?? own.find(({ stoppedAt }) => stoppedAt === null) ?? own[0];
    if (shown === undefined) {
      post({ type: "trial", agent, trial: null });
      return;
    }
    const read = await service.ask("trialStatus", { id: shown.id, isWhole: false }, signal);
    if (signal.aborted) return;
    if (read.ok) post({ type: "trial", agent, trial: read.value.trial });
    else failed(read, false);
  }

  async #plan(signal: AbortSignal): Promise<void> {
    const agent = this.#agent;
    if (agent === null) return;
    const { service, post } = this.#ports;
    const asked = this.#asked(agent, this.#isEverywhere);
    const answer = await service.ask("trialStart", { ...asked, ruleIds: null, isApproved: false }, signal);
    if (signal.aborted) return;
    post({
      type: "trialPlan",
      agent,
      folder: this.#ports.window.workspace(),
      isEverywhere: asked.project === null,
      plan: answer.ok ? answer.value.plan : null,
      problem: answer.ok ? null : inWords(answer.detail),
    });
  }

  /** Begins with exactly the rules that were shown. */
  async #start({ agent, isEverywhere, ruleIds, switchesOff }: Extract<TrialMessage, { type: "startTrial" }>) {
    const { service, t } = this.#ports;
    const asked = { ...this.#asked(agent, isEverywhere), ruleIds, switchesOff, isApproved: true };
    const started = await service.ask("trialStart", asked);
    if (started.ok) {
      this.#chosen = null;
      this.#done(t("Each new session is given these rules by the chance that they save."));
    } else this.#ports.failed(started, true);
  }

  async #stop(id: string): Promise<void> {
    const { service, t } = this.#ports;
    const stopped = await service.ask("trialStop", { id });
    if (stopped.ok) this.#done(t("The trial is stopped. New sessions are given none of its rules."));
    else this.#ports.failed(stopped, true);
  }

  async #letIn(ruleId: string): Promise<void> {
    const { service, t, root } = this.#ports;
    const done = await service.ask("trialLetIn", { ruleId, root: root() });
    if (!done.ok) this.#ports.failed(done, true);
    else if (done.value.memory === null) this.#done(t("The rule is in its agent's memory."));
    else
      this.#done(
        t("The rule is added, but its agent's memory is not written: {0}", inWords(done.value.memory)),
      );
  }

  #done(message: string): void {
    this.#ports.post({ type: "done", message, follow: null });
    this.#refreshes.now();
    this.#plans.now();
  }

  #asked(agent: string, isEverywhere: boolean) {
    const project = isEverywhere ? null : this.#ports.window.workspace();
    return { agent, project, planned: plannedSessions };
  }
}
