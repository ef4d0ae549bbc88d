import { DisposableList, type Disposable } from "../base/disposable.ts";
import type { Failure } from "../base/result.ts";
import type { HandlerResult, Peer } from "../protocol/peer.ts";
import type { RequestKind } from "../protocol/request.ts";
import {
  noticeKinds,
  requestKinds,
  type NoticeName,
  type NoticeParams,
  type RequestAnswer,
  type RequestName,
  type RequestParams,
} from "../jobs/all-requests.ts";

/** A client, as features see it. */
export interface Client {
  /** Whether the client has left: nothing may be started for it any more. */
  readonly isOver: boolean;
  /** Disposed when the client leaves. */
  readonly owned: DisposableList;
  /** Resolves when the notice has been sent. */
  notify<Name extends NoticeName>(name: Name, params: NoticeParams<Name>): Promise<void>;
}

/** A feature serving one client. Disposing it ends what the client follows. */
export interface ServedClient extends Disposable {
  /** Called when the client has shown the token: from now on it is notified. */
  welcome(): void;
}

/** A feature of the service, created for each client that connects. */
export type Feature = (peer: Peer) => ServedClient;

type Handler<Part, Params, Answer> = (
  part: Part,
  params: Params,
  signal: AbortSignal,
) => Promise<HandlerResult<Answer>> | HandlerResult<Answer>;

/** Request handlers by name. */
export type Handlers<Part, Name extends RequestName> = {
  readonly [Each in Name]: Handler<Part, RequestParams<Each>, RequestAnswer<Each>>;
};

/** An optional part of the service, and the failure that requests get without it. */
export interface MaybePart<Part> {
  readonly part: Part | undefined;
  readonly missing: Failure;
  /** Whether a cancelled request is answered at once, while its work goes on in the background. */
  readonly abandonsCancelled?: boolean;
}

export interface FeatureInput<Part, Name extends RequestName> extends MaybePart<Part> {
  /** Creates the handlers of one client. */
  readonly handlers: (client: Client) => Handlers<Part, Name>;
  /** Notifies a client that has shown the token. */
  readonly publish?: (part: Part, client: Client) => Disposable;
}

export function feature<Part, Name extends RequestName>(input: FeatureInput<Part, Name>): Feature {
  const { part, handlers, publish } = input;
  return (peer) => {
    const owned = new DisposableList();
    let isOver = false;
    owned.add({ dispose: () => (isOver = true) });
    const client: Client = {
      owned,
      get isOver() {
        return isOver || peer.isClosed;
      },
      notify: (name, params) => peer.sendNotification(noticeKinds[name], params),
    };
    const table = handlers(client);
    const register = <Each extends Name>(name: Each, handle: Handlers<Part, Name>[Each]) =>
      answerWith(peer, input, requestKinds[name], handle);
    for (const name of namesOf(table)) register(name, table[name]);
    return {
      welcome: () => {
        if (part !== undefined && publish !== undefined) owned.add(publish(part, client));
      },
      dispose: () => owned.dispose(),
    };
  };
}

/** Answers one kind of request with a part of the service. */
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

/** @throws when aborted first */
async function untilAborted<Value>(work: Promise<Value> | Value, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(new Error("it was cancelled", { cause: signal.reason }));
    signal.addEventListener("abort", abort, { once: true });
  });
  return await Promise.race([work, aborted]);
}

export function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name));
}
