import { compose } from "../../../src/engine/base/language.ts";
import { Emitter } from "../../../src/engine/base/events.ts";
import { fail, type Result } from "../../../src/engine/base/result.ts";
import type {
  NoticeName,
  NoticeParams,
  RequestAnswer,
  RequestName,
  RequestParams,
} from "../../../src/engine/jobs/all-requests.ts";
import type { AskFailure, ServiceConnection } from "../../../src/extension/service/connection.ts";

type Answer<Name extends RequestName> = (
  params: RequestParams<Name>,
  signal?: AbortSignal,
) => Result<RequestAnswer<Name>, AskFailure> | Promise<Result<RequestAnswer<Name>, AskFailure>>;

export type Answers = { [Name in RequestName]?: Answer<Name> };

/** A service with answers that the test defines. */
export class FakeConnection implements ServiceConnection {
  /** Answers by request name. Other requests fail. */
  readonly answersTo: Answers;
  readonly asked: { readonly name: RequestName; readonly params: unknown }[] = [];
  /** Why no service can be reached, or null. */
  unreachable: Result<never, AskFailure> | null = null;
  retried = 0;
  readonly notices: { readonly [Name in NoticeName]: Emitter<NoticeParams<Name> | undefined> } = {
    snapshot: new Emitter(),
    goodbye: new Emitter(),
    ledgerChanged: new Emitter(),
    anomalyFound: new Emitter(),
    benchChanged: new Emitter(),
    rulesChanged: new Emitter(),
    budgetsChanged: new Emitter(),
    messageAsked: new Emitter(),
    messageSettled: new Emitter(),
    guardPlayed: new Emitter(),
    handoversChanged: new Emitter(),
  };

  constructor(answersTo: Answers = {}) {
    this.answersTo = answersTo;
  }

  async ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<Result<RequestAnswer<Name>, AskFailure>> {
    if (this.unreachable !== null) return this.unreachable;
    this.asked.push({ name, params });
    const answer: Answer<Name> | undefined = this.answersTo[name];
    return (await answer?.(params, signal)) ?? fail("failed", compose`the test does not answer ${name}`);
  }

  onChanged: ServiceConnection["onChanged"] = (name, listener) => this.notices[name].on(listener);
  ready: ServiceConnection["ready"] = () => Promise.resolve();
  retry: ServiceConnection["retry"] = () => {
    this.retried += 1;
    return Promise.resolve();
  };

  /** Simulates a switch to another service, or to none. */
  switchService(): void {
    for (const notice of Object.values(this.notices)) notice.fire(undefined);
  }
}
