import type { Socket } from "node:net";
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  NullLogger,
  ResponseError,
  StreamMessageWriter,
  type CancellationToken,
  type MessageConnection,
} from "vscode-jsonrpc/node";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { type Result, type Failure, succeed, fail, errorText } from "../base/result.ts";
import { Emitter, type Disposable } from "../base/events.ts";
import { FrameReader, type FrameOptions } from "./frame-reader.ts";
import type { NoticeKind, RequestKind } from "./protocol-request.ts";
import { plainSentence, sentence, type Sentence } from "../base/language.ts";

export interface PeerOptions extends FrameOptions {
  /** Logs something unexpected that the connection survives. */
  readonly onProblem: (message: string) => void;
}

interface AskFailure extends Failure<"closed" | "refused" | "cancelled" | "malformed"> {
  /** The other side's error code, if it refused. */
  readonly code?: number;
}
export type RequestResult<Answer> = { readonly ok: true; readonly value: Answer } | AskFailure;

/** One end of a connection. Everything received is validated against its schema. */
export class Peer implements Disposable {
  readonly #closes = new Emitter<void>();
  /** Fires once when the connection has ended on either side. */
  readonly onClose = this.#closes.on;
  readonly #socket: Socket;
  readonly #options: PeerOptions;
  readonly #connection: MessageConnection;
  readonly #handlers = new Map<string, Disposable & { readonly kind: unknown }>();
  #isClosed = false;

  constructor(socket: Socket, options: PeerOptions) {
    this.#socket = socket;
    this.#options = options;
    const reader = new FrameReader(socket, options);
    // The library would mostly log that the other side disconnected, which is handled here.
    this.#connection = createMessageConnection(reader, new StreamMessageWriter(socket), NullLogger);
    // A `close` event follows, and is enough.
    socket.on("error", () => undefined);
    socket.once("close", () => this.#closed());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Starts reading. Register handlers and listeners first. */
  listen(): void {
    this.#connection.listen();
  }

  /** A returned failure is the answer; an exception is a bug, and logged. */
  onRequest<Params, Answer>(
    kind: RequestKind<Params, Answer>,
    handle: (params: Params, signal: AbortSignal) => Promise<HandlerResult<Answer>> | HandlerResult<Answer>,
  ): void {
    this.#connection.onRequest(
      kind.method,
      async (sent: unknown, token: CancellationToken): Promise<unknown> => {
        const params = kind.params.safeParse(sent);
        if (!params.success) {
          this.#options.onProblem(`${kind.method} came with parameters that are none of its own`);
          return new ResponseError(ErrorCodes.InvalidParams, `${kind.method}: these are not its parameters`);
        }
        const stop = new AbortController();
        const cancelled = token.onCancellationRequested(() => stop.abort());
        try {
          const answer = await handle(params.data, stop.signal);
          if (answer.ok) return answer.value;
          return refusal(answer.code ?? ErrorCodes.InternalError, answer.detail);
        } catch (error) {
          if (stop.signal.aborted)
            return refusal(requestCancelled, sentence("{0} was cancelled", kind.method));
          this.#options.onProblem(`${kind.method} failed: ${errorText(error)}`);
          return new ResponseError(
            ErrorCodes.InternalError,
            `${kind.method} failed; the service's log says why`,
          );
        } finally {
          cancelled.dispose();
        }
      },
    );
  }

  /** Each notice is validated once, however many listeners there are. */
  onNotification<Params>(kind: NoticeKind<Params>, listener: (params: Params) => void): Disposable {
    const before = this.#handlers.get(kind.method);
    if (before === undefined) return this.#channel(kind).notices.on(listener);
    if (!isOfKind(before, kind)) throw new Error(`${kind.method} is listened to as two kinds of notice`);
    return before.notices.on(listener);
  }

  async sendRequest<Params, Answer>(
    kind: RequestKind<Params, Answer>,
    params: Params,
    signal?: AbortSignal,
  ): Promise<RequestResult<Answer>> {
    if (this.#isClosed) return fail("closed", sentence("the connection is over"));
    if (signal?.aborted === true) return fail("cancelled", sentence("{0} was cancelled", kind.method));
    const cancellation = new CancellationTokenSource();
    const cancel = () => cancellation.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const sent = await this.#connection.sendRequest<unknown>(kind.method, params, cancellation.token);
      const answer = kind.answer.safeParse(sent);
      return answer.success
        ? succeed(answer.data)
        : fail("malformed", sentence("the answer to {0} is none of its own", kind.method));
    } catch (error) {
      return askFailure(error);
    } finally {
      signal?.removeEventListener("abort", cancel);
      cancellation.dispose();
    }
  }

  /** Resolves when the system has accepted the notice, which takes longer if the other side reads slowly, or when the connection has ended. */
  async sendNotification<Params>(kind: NoticeKind<Params>, params: Params): Promise<void> {
    if (this.#isClosed) return;
    const sent = this.#connection.sendNotification(kind.method, params);
    let listening: Disposable | undefined;
    const over = new Promise<void>((resolve) => (listening = this.onClose(resolve)));
    await Promise.race([sent.catch((error: unknown) => void askFailure(error)), over]);
    // A connection lasts for days, with a notice every second: listeners must not accumulate.
    listening?.dispose();
  }

  /** Closes after pending messages are sent, or after half a second without that. */
  end(): void {
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), lingering);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  /** Closes at once; nothing is received after that. */
  dispose(): void {
    for (const channel of this.#handlers.values()) channel.dispose();
    this.#socket.destroy();
  }

  #channel<Params>(kind: NoticeKind<Params>): Channel<Params> {
    const notices = new Emitter<Params>();
    const channel = { kind, notices, dispose: () => notices.dispose() };
    this.#handlers.set(kind.method, channel);
    this.#connection.onNotification(kind.method, (sent: unknown) => {
      const params = kind.params.safeParse(sent);
      if (params.success) notices.fire(params.data);
      else this.#options.onProblem(`${kind.method} came with parameters that are none of its own`);
    });
    return channel;
  }

  #closed(): void {
    this.#isClosed = true;
    this.#connection.dispose();
    for (const channel of this.#handlers.values()) channel.dispose();
    this.#closes.fire();
    this.#closes.dispose();
  }
}

interface Channel<Params> extends Disposable {
  readonly kind: NoticeKind<Params>;
  readonly notices: Emitter<Params>;
}

function isOfKind<Params>(
  channel: Disposable & { readonly kind: unknown },
  kind: NoticeKind<Params>,
): channel is Channel<Params> {
  return channel.kind === kind;
}

/** A failure has a code of the protocol where one fits. */
export type HandlerResult<Answer> = Result<Answer> & { readonly code?: number };

/** Milliseconds. */
const lingering = 500;
/** The library exports no name for it. */
const requestCancelled = -32_800;
const overCodes: readonly number[] = [ErrorCodes.PendingResponseRejected, ErrorCodes.MessageWriteError];

/** Its message is for other programs; its data is the sentence. */
function refusal(code: number, detail: Sentence): ResponseError<Sentence> {
  return new ResponseError(code, detail.text, detail);
}

function askFailure(error: unknown): AskFailure {
  if (!(error instanceof Error)) throw error;
  if (!(error instanceof ResponseError)) return fail("closed", plainSentence(error.message));
  const { code } = error;
  if (overCodes.includes(code)) return fail("closed", sentence("the connection ended meanwhile"));
  const sent = sentenceSchema.safeParse(error.data);
  const detail = sent.success ? sent.data : plainSentence(error.message);
  return code === requestCancelled ? fail("cancelled", detail) : { ...fail("refused", detail), code };
}
