import type { Disposable } from "../../engine/base/events.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import type { JobOrder } from "../../engine/jobs/bench-answers.ts";
import { inWords } from "../../engine/base/language.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { RequestAnswer } from "../../engine/jobs/all-requests.ts";
import type { BenchWindow } from "./bench-window.ts";

/** Minimum time between two unrequested updates. Milliseconds. */
export const updateInterval = 500;

type Action = "start" | "cancel" | "resume";
type Planned = Result<RequestAnswer<"benchPlan">, AskFailure>;

/** Messages of a page about jobs, of any kind. */
export type JobMessage<Ask extends JobOrder> =
  | { readonly type: "plan" | "start"; readonly ask: Ask }
  | { readonly type: "cancel" | "resume"; readonly id: string };

export interface JobRequestsPorts<Ask extends JobOrder> {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  /** Receives what a request would spend, or why that is unknown. */
  readonly planned: (ask: Ask, answer: Planned) => void;
  /** @param id the job's */
  readonly done: (act: Action, id: string) => void;
  readonly failed: (act: Action, failure: Failure<AskFailure>) => void;
}

/** Requests of panels about jobs: what one would spend, and to start, cancel or resume it. */
export class JobRequests<Ask extends JobOrder> implements Disposable {
  readonly #ports: JobRequestsPorts<Ask>;
  readonly #plans: LatestRequest;
  #ask: Ask | null = null;

  constructor(ports: JobRequestsPorts<Ask>) {
    this.#ports = ports;
    this.#plans = new LatestRequest(updateInterval, (signal) => this.#plan(signal));
  }

  /** Resets for a restarted page script. @param ask the request in its form */
  begin(ask: Ask | null): void {
    this.#ask = ask;
  }

  handle(message: JobMessage<Ask>): void {
    const { service, window } = this.#ports;
    const env = window.env();
    switch (message.type) {
      case "plan":
        this.#ask = message.ask;
        this.plan();
        return;
      case "start": {
        const { ask } = message;
        void this.#start(service.ask("benchStart", { ask, env, project: window.workspace() }));
        return;
      }
      case "cancel":
        void this.#perform(message.type, message.id, service.ask("benchCancel", { id: message.id }));
        return;
      case "resume":
        void this.#perform(message.type, message.id, service.ask("benchResume", { id: message.id, env }));
        return;
    }
  }

  /** Plans the form's request, if there is one. */
  plan(): void {
    this.#plans.now();
  }

  /** Stops planning: the plan is no longer shown. */
  stop(): void {
    this.#plans.stop();
  }

  dispose(): void {
    this.#plans.dispose();
  }

  async #plan(signal: AbortSignal): Promise<void> {
    const ask = this.#ask;
    if (ask === null) return;
    const { service, window, planned } = this.#ports;
    const answer = await service.ask("benchPlan", { ask, env: window.env() }, signal);
    if (signal.aborted || (!answer.ok && answer.reason === "starting")) return;
    planned(ask, answer);
  }

  async #start(asked: Promise<Result<{ readonly id: string }, AskFailure>>): Promise<void> {
    const started = await asked;
    if (started.ok) {
      this.#ports.window.began(started.value.id);
      this.#ports.done("start", started.value.id);
    } else this.#ports.failed("start", started);
  }

  async #perform(act: Action, id: string, asked: Promise<Result<object, AskFailure>>): Promise<void> {
    const done = await asked;
    if (done.ok) {
      if (act === "resume") this.#ports.window.began(id);
      this.#ports.done(act, id);
    } else this.#ports.failed(act, done);
  }
}

/**
 * The page's message about a plan. A request that cannot be planned is not a panel error: the problem is
 * shown beside its form.
 */
export function planMessage<Ask extends JobOrder>(ask: Ask, answer: Planned) {
  const type = "plan" as const;
  if (answer.ok) return { type, ask, plan: answer.value.plan, problem: null };
  return { type, ask, plan: null, problem: inWords(answer.detail) };
}

/** The page's message about a failed request. */
export function failedMessage<About extends string>(
  { reason, detail }: Failure<AskFailure>,
  about: About,
  t: Translate,
) {
  const message =
    reason === "starting"
      ? t("The service is not connected yet. Try again in a moment.")
      : t("The service could not do that: {0}", inWords(detail));
  return { type: "error" as const, about, message };
}
