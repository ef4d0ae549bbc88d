import { DisposableList, type Disposable } from "../../engine/base/events.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import type { NoticeName } from "../../engine/jobs/all-requests.ts";
import type * as z from "zod/mini";
import { LatestRequest } from "../editor/latest-request.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";

/** Handles the messages of a panel's page. */
export interface PanelController extends Disposable {
  handleMessage(message: unknown): void;
  setVisible(isVisible: boolean): void;
}

import { inWords } from "../../engine/base/language.ts";

/** Messages that every page may send. */
type Common = "retry" | "showLog";
/** The other messages of one page. */
export type Own<FromPage extends { readonly type: string }> = Exclude<FromPage, { readonly type: Common }>;

/** The service is unavailable. The host resumes on its own once it is back. */
interface Offline {
  readonly type: "offline";
  readonly message: string;
}

export interface ControllerPorts<ToPage> {
  readonly service: ServiceConnection;
  readonly t: Translate;
  readonly post: (message: ToPage | Offline) => void;
  readonly showLog: () => void;
  readonly onProblem: (message: string) => void;
}

export interface ControllerKind<FromPage> {
  /** The panel's name in the log. */
  readonly name: string;
  /** Schema of the page's messages. */
  readonly messages: z.ZodMiniType<FromPage>;
  /** Minimum time between two unrequested updates. Milliseconds. */
  readonly updateInterval: number;
}

/**
 * The host's side of one panel, independent of the editor: answers its page's messages, and keeps its content
 * up to date. A feature adds its page's messages besides `retry` and `showLog`, what to request again after a
 * change, and its error messages.
 */
export abstract class BasePanelController<
  FromPage extends { readonly type: string },
  ToPage,
  About extends string,
> implements PanelController {
  protected readonly owned = new DisposableList();
  readonly #ports: ControllerPorts<ToPage>;
  readonly #kind: ControllerKind<FromPage>;
  #hasStarted = false;
  #isVisible = true;
  #isStale = false;
  /** The message to send as soon as the page's script runs. */
  #awaited: ToPage | undefined;

  constructor(ports: ControllerPorts<ToPage>, kind: ControllerKind<FromPage>) {
    this.#ports = ports;
    this.#kind = kind;
  }

  /** Handles a message of the page, which is untrusted like any outside data. */
  handleMessage(value: unknown): void {
    const message = this.#kind.messages.safeParse(value);
    if (!message.success)
      this.#ports.onProblem(`The ${this.#kind.name} panel sent a message that is not understood.`);
    else if (isOwn(message.data)) this.answer(message.data);
    else if (message.data.type === "showLog") this.#ports.showLog();
    else void this.#retry();
  }

  /** Requests nothing for a hidden panel. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.update(false);
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Whether the page's script is running. */
  protected get hasStarted(): boolean {
    return this.#hasStarted;
  }

  protected abstract answer(message: Own<FromPage>): void;

  /** Requests the page's content again. @param isAtOnce for a new or lost service, or because the user waits */
  protected abstract refresh(isAtOnce: boolean): void;

  /** The page's message about a failed request. */
  protected abstract failed(failure: Failure<AskFailure>, about: About): ToPage;

  /** Called when the page's script runs. It restarts each time a hidden panel is shown, and then knows only what it requests. */
  protected begin(): void {
    this.#hasStarted = true;
    this.#isStale = false;
    if (this.#awaited !== undefined) this.#ports.post(this.#awaited);
    this.#awaited = undefined;
  }

  /** Sends a message now, or as soon as the page's script runs: that of a hidden panel does not. */
  protected postOnceStarted(message: ToPage): void {
    if (this.#hasStarted && this.#isVisible) this.#ports.post(message);
    else this.#awaited = message;
  }

  /** Handles a change. @param isAtOnce the service is new or lost: any answer may differ */
  protected update(isAtOnce: boolean): void {
    if (!this.#hasStarted) return;
    this.#isStale = !this.#isVisible;
    if (this.#isVisible) this.refresh(isAtOnce);
  }

  /** Updates the page after each notification of a kind. */
  protected updateOn(name: NoticeName): void {
    this.owned.add(this.#ports.service.onChanged(name, (changed) => this.update(changed === undefined)));
  }

  /** Refreshes after the user retried the connection. */
  protected again(): void {
    this.refresh(true);
  }

  /** Creates a request of which only the latest counts. */
  protected latest(ask: (signal: AbortSignal) => Promise<void>): LatestRequest {
    return this.owned.add(new LatestRequest(this.#kind.updateInterval, ask));
  }

  /** Completes a request the user waits for, or reports its failure to the page. */
  protected async perform<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    done: (answer: Answer) => void,
  ): Promise<void> {
    const answer = await asked;
    if (answer.ok) done(answer.value);
    else this.reportFailure(about, answer, true);
  }

  /** Returns the answer, or undefined for a failure, which is reported to the page unless the request was aborted. */
  protected async safely<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const answer = await asked;
    if (signal.aborted) return undefined;
    if (answer.ok) return answer.value;
    this.reportFailure(about, answer);
    return undefined;
  }

  /** @param isAwaited whether the user waits for it */
  protected reportFailure(about: About, failure: Failure<AskFailure>, isAwaited = false): void {
    // The page keeps waiting, or showing what it has: a change notification follows.
    if (failure.reason === "starting" && !isAwaited) return;
    const { post, onProblem } = this.#ports;
    onProblem(`The service did not answer the ${this.#kind.name} panel (${about}): ${failure.detail.text}`);
    if (failure.reason === "offline") post({ type: "offline", message: inWords(failure.detail) });
    else post(this.failed(failure, about));
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    if (this.#hasStarted) this.again();
  }
}

function isOwn<FromPage extends { readonly type: string }>(message: FromPage): message is Own<FromPage> {
  return message.type !== "retry" && message.type !== "showLog";
}
