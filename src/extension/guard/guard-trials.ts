import { DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { Failure } from "../../engine/base/result.ts";
import { everyAgent, plannedGuardSessions, type TrialHead } from "../../engine/rules/trial-answers.ts";
import { guardTrial, type GuardTrial, type HostMessage } from "../../webview/guard/guard-protocol.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";

interface GuardTrialPorts {
  readonly service: ServiceConnection;
  readonly post: (message: HostMessage) => void;
  /** @param isAwaited whether the user waits for it */
  readonly failed: (failure: Failure<AskFailure>, isAwaited: boolean) => void;
}

/** Milliseconds between two requests of a running trial: its figures take the service a moment. */
const updateInterval = 10_000;

/** Host side of trials of guards: those that run, else the last one. */
export class GuardTrials implements Disposable {
  readonly #ports: GuardTrialPorts;
  readonly #owned = new DisposableList();
  readonly #refreshes: LatestRequest;
  #hasBegun = false;

  constructor(ports: GuardTrialPorts) {
    this.#ports = ports;
    this.#refreshes = this.#owned.add(new LatestRequest(updateInterval, (signal) => this.#refresh(signal)));
    this.#owned.add(
      ports.service.onChanged("ledgerChanged", () => {
        if (this.#hasBegun) this.#refreshes.soon();
      }),
    );
  }

  begin(): void {
    this.#hasBegun = true;
    this.#refreshes.now();
  }

  /** The page has shown what a trial does, and the user agreed. */
  async start(guards: readonly string[]): Promise<void> {
    const asked = { agent: everyAgent, project: null, ruleIds: null, planned: plannedGuardSessions };
    const started = await this.#ports.service.ask("trialStart", {
      ...asked,
      guards: [...guards],
      isApproved: true,
    });
    if (!started.ok) this.#ports.failed(started, true);
    this.#refreshes.now();
  }

  async stop(id: string): Promise<void> {
    const stopped = await this.#ports.service.ask("trialStop", { id });
    if (!stopped.ok) this.#ports.failed(stopped, true);
    this.#refreshes.now();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { service, failed } = this.#ports;
    const listed = await service.ask("trialList", {}, signal);
    if (signal.aborted) return;
    if (!listed.ok) {
      failed(listed, false);
      return;
    }
    // Newest first.
    const own = listed.value.trials.filter(({ agent }) => agent === everyAgent);
    const running = own.filter(({ stoppedAt }) => stoppedAt === null);
    await this.#show(running.length > 0 ? running : own.slice(0, 1), signal);
  }

  async #show(heads: readonly TrialHead[], signal: AbortSignal): Promise<void> {
    const { service, post, failed } = this.#ports;
    const read = await Promise.all(
      heads.map(({ id }) => service.ask("trialStatus", { id, isWhole: false }, signal)),
    );
    if (signal.aborted) return;
    const trials: GuardTrial[] = [];
    for (const each of read) {
      if (!each.ok) {
        failed(each, false);
        return;
      }
      // Without the sessions, which the page does not show.
      trials.push(guardTrial.parse(each.value.trial));
    }
    post({ type: "trials", trials });
  }
}
