import { DisposableList } from "../../engine/base/disposable.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import type * as z from "zod";
import { LatestAsk } from "../editor/latest-ask.ts";
import type { Translate } from "../editor/words.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { PanelTalk } from "./single.ts";

/** What every page may say, besides its own. */
type Common = "retry" | "showLog";
/** What one page says besides that. */
export type Own<Said extends { readonly type: string }> = Exclude<Said, { readonly type: Common }>;

/** The service cannot be asked now. The host goes on by itself when it can. */
interface Offline {
  readonly type: "offline";
  readonly message: string;
}

export interface ConversationPorts<Told> {
  readonly service: ServiceConnection;
  readonly t: Translate;
  readonly post: (message: Told | Offline) => void;
  readonly showLog: () => void;
  readonly onProblem: (message: string) => void;
}

export interface ConversationKind<Said> {
  /** For the log. */
  readonly name: string;
  /** What the page may say. */
  readonly messages: z.ZodType<Said>;
  /** Between two answers that nobody asked for. Milliseconds. */
  readonly updateInterval: number;
}

/**
 * The host's side of one panel, without an editor: answers what its page says, and keeps what it shows up to date. A feature adds what
 * its page says besides `retry` and `showLog`, what it asks anew on a change, and its words for what failed.
 */
export abstract class PanelConversation<
  Said extends { readonly type: string },
  Told,
  About extends string,
> implements PanelTalk {
  protected readonly owned = new DisposableList();
  readonly #ports: ConversationPorts<Told>;
  readonly #kind: ConversationKind<Said>;
  #hasBegun = false;
  #isVisible = true;
  #isStale = false;
  /** What to tell the page as soon as its script runs. */
  #awaited: Told | undefined;

  constructor(ports: ConversationPorts<Told>, kind: ConversationKind<Said>) {
    this.#ports = ports;
    this.#kind = kind;
  }

  /** A message of the page, which is outside data like any other. */
  hear(said: unknown): void {
    const message = this.#kind.messages.safeParse(said);
    if (!message.success)
      this.#ports.onProblem(`The ${this.#kind.name} panel sent a message that is not understood.`);
    else if (isOwn(message.data)) this.answer(message.data);
    else if (message.data.type === "showLog") this.#ports.showLog();
    else void this.#retry();
  }

  /** Nothing is asked for a panel nobody sees. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.update(false);
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Whether the page's script runs. */
  protected get hasBegun(): boolean {
    return this.#hasBegun;
  }

  protected abstract answer(message: Own<Said>): void;

  /** Asks anew for what the page shows. @param isAnew at once: there is another service, or none, or a person wants it */
  protected abstract refresh(isAnew: boolean): void;

  /** What the page is told of a request that failed. */
  protected abstract failed(failure: Failure<AskFailure>, about: About): Told;

  /** The page's script runs. It begins anew each time a hidden panel is shown: it knows nothing then but what it asks. */
  protected begin(): void {
    this.#hasBegun = true;
    this.#isStale = false;
    if (this.#awaited !== undefined) this.#ports.post(this.#awaited);
    this.#awaited = undefined;
  }

  /** Tells the page to show something, now or as soon as its script runs. */
  protected postOnceBegun(message: Told): void {
    if (this.#hasBegun) this.#ports.post(message);
    else this.#awaited = message;
  }

  /** Something changed. @param isAnew there is another service, or none: any answer may be another than it was */
  protected update(isAnew: boolean): void {
    if (!this.#hasBegun) return;
    this.#isStale = !this.#isVisible;
    if (this.#isVisible) this.refresh(isAnew);
  }

  /** A person had the service looked for again. */
  protected again(): void {
    this.refresh(true);
  }

  /** One question of the page's, of which only the latest counts. */
  protected latest(ask: (signal: AbortSignal) => Promise<void>): LatestAsk {
    return this.owned.add(new LatestAsk(this.#kind.updateInterval, ask));
  }

  /** Does what a person waits for; the page is told why where it could not be done. */
  protected async act<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    done: (answer: Answer) => void,
  ): Promise<void> {
    const answer = await asked;
    if (answer.ok) done(answer.value);
    else this.tell(about, answer, true);
  }

  /** The answer, or undefined when there is none, which the page is told unless it no longer waits. */
  protected async safely<Answer>(
    about: About,
    asked: Promise<Result<Answer, AskFailure>>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const answer = await asked;
    if (signal.aborted) return undefined;
    if (answer.ok) return answer.value;
    this.tell(about, answer);
    return undefined;
  }

  /** @param isAwaited a person waits for it */
  protected tell(about: About, failure: Failure<AskFailure>, isAwaited = false): void {
    // The page goes on waiting, or showing what it has: a change is told.
    if (failure.reason === "starting" && !isAwaited) return;
    const { post, onProblem } = this.#ports;
    onProblem(`The service did not answer the ${this.#kind.name} panel (${about}): ${failure.detail}`);
    if (failure.reason === "offline") post({ type: "offline", message: failure.detail });
    else post(this.failed(failure, about));
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    if (this.#hasBegun) this.again();
  }
}

function isOwn<Said extends { readonly type: string }>(message: Said): message is Own<Said> {
  return message.type !== "retry" && message.type !== "showLog";
}
