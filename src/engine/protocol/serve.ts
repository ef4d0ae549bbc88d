import { DisposableList, type Disposable } from "../base/events.ts";
import type { Failure } from "../base/result.ts";
import type { HandlerResult, Peer } from "./peer.ts";
import type { NoticeKind, RequestKind } from "./protocol-request.ts";
export { notice, request, type NoticeKind, type RequestKind } from "./protocol-request.ts";

/**
 * Sends one value at a time. Of values that arrive in between only the latest is sent: a slow reader gets fewer values, not late ones. `send`
 * resolves when the value has been sent.
 */
export class LatestSender<Value> {
  readonly #send: (value: Value) => Promise<void>;
  #isSending = false;
  #next: { readonly value: Value } | undefined;

  constructor(send: (value: Value) => Promise<void>) {
    this.#send = send;
  }

  offer(value: Value): void {
    this.#next = { value };
    if (!this.#isSending) void this.#drain();
  }

  /** Discards the waiting value. */
  clear(): void {
    this.#next = undefined;
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    while (this.#next !== undefined) {
      const { value } = this.#next;
      this.#next = undefined;
      await this.#send(value);
    }
    this.#isSending = false;
  }
}

export interface Client {
  /** Nothing may be started for the client after that. */
  readonly isOver: boolean;
  /** Disposed when the client leaves. */
  readonly owned: DisposableList;
  /** Resolves when the notice has been sent. */
  notify<Params>(kind: NoticeKind<Params>, params: Params): Promise<void>;
}

export interface ServedClient extends Disposable {
  /** Called when the client has shown the token: from now on it is notified. */
  welcome(): void;
}

export type ServeClient = (peer: Peer) => ServedClient;

type Handler<Part, Params, Answer> = (
  part: Part,
  params: Params,
  signal: AbortSignal,
) => Promise<HandlerResult<Answer>> | HandlerResult<Answer>;

type ParamsOf<Kind> = Kind extends RequestKind<infer Params, unknown> ? Params : never;
export type AnswerOf<Kind> = Kind extends RequestKind<unknown, infer Answer> ? Answer : never;

export type RequestTable<Table> = {
  readonly [Name in keyof Table]: RequestKind<ParamsOf<Table[Name]>, AnswerOf<Table[Name]>>;
};

/** For a table of request kinds: `Handlers<Feed, typeof budgetRequests>`. */
export type Handlers<Part, Table> = {
  readonly [Name in keyof Table]: Handler<Part, ParamsOf<Table[Name]>, AnswerOf<Table[Name]>>;
};

/** An optional part of the service, and the failure without it. */
export interface MaybePart<Part> {
  readonly part: Part | undefined;
  readonly missing: Failure;
  /** Answer a cancelled request at once, while its work continues. */
  readonly abandonsCancelled?: boolean;
}

export interface ServeInput<Part, Table extends RequestTable<Table>> extends MaybePart<Part> {
  readonly requests: Table & RequestTable<Table>;
  /** The handlers of one client. */
  readonly handlers: (client: Client) => Handlers<Part, Table>;
  /** For a client that has shown the token. */
  readonly publish?: (part: Part, client: Client) => Disposable;
}

export function serve<Part, Table extends RequestTable<Table>>(input: ServeInput<Part, Table>): ServeClient {
  const { part, requests, handlers, publish } = input;
  return (peer) => {
    const owned = new DisposableList();
    let isOver = false;
    owned.add({ dispose: () => (isOver = true) });
    const client: Client = {
      owned,
      get isOver() {
        return isOver || peer.isClosed;
      },
      notify: (kind, params) => peer.sendNotification(kind, params),
    };
    const table = handlers(client);
    const kinds: RequestTable<Table> = requests;
    const register = <Name extends keyof Table>(
      kind: RequestTable<Table>[Name],
      handle: Handlers<Part, Table>[Name],
    ) => answerWith(peer, input, kind, handle);
    for (const name in requests) register(kinds[name], table[name]);
    return {
      welcome: () => {
        if (part !== undefined && publish !== undefined) owned.add(publish(part, client));
      },
      dispose: () => owned.dispose(),
    };
  };
}

export function answerWith<Part, Params, Answer>(
  peer: Pick<Peer, "onRequest">,
  { part, missing, abandonsCancelled = false }: MaybePart<Part>,
  kind: RequestKind<Params, Answer>,
  handle: Handler<Part, Params, Answer>,
): void {
  peer.onRequest(kind, (params, signal) => {
    if (part === undefined) return missing;
    const answer = handle(part, params, signal);
    return abandonsCancelled ? untilAborted(answer, signal) : answer;
  });
}

/** Throws when aborted first. */
async function untilAborted<Value>(work: Promise<Value> | Value, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(new Error("it was cancelled", { cause: signal.reason }));
    signal.addEventListener("abort", abort, { once: true });
  });
  return await Promise.race([work, aborted]);
}

/** Raised by every change except new members and methods. An older client is then asked to update. */
export const protocolVersion = 4;

/** A slow client gets only the latest value. */
export function sendLatest<Value>(
  listen: (listener: (value: Value) => void) => Disposable,
  send: (value: Value) => Promise<void>,
): Disposable {
  const sender = new LatestSender(send);
  const listening = listen((value) => sender.offer(value));
  return {
    dispose: () => {
      listening.dispose();
      sender.clear();
    },
  };
}
