import { plainSentence, sentence } from "../../engine/base/language.ts";
import { DisposableList, type Disposable } from "../../engine/base/events.ts";
import { fail, succeed, type Result } from "../../engine/base/result.ts";
import type {
  NoticeName,
  NoticeParams,
  Requester,
  RequestAnswer,
  RequestName,
  RequestParams,
} from "../../engine/jobs/all-requests.ts";

/**
 * - `starting`: not connected yet; a change is notified once it is, or cannot be;
 * - `offline`: unavailable, with the reason in the user's language; a change is notified once it is back;
 * - `failed`: the service could not answer the request.
 */
export type AskFailure = "starting" | "offline" | "failed";

/** The service as a window's features use it, independent of the current connection. */
export interface ServiceConnection {
  ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<Result<RequestAnswer<Name>, AskFailure>>;
  /** Listens for a notification. Undefined: the service is new or lost, and any answer may differ. */
  onChanged<Name extends NoticeName>(
    name: Name,
    listener: (notice: NoticeParams<Name> | undefined) => void,
  ): Disposable;
  /** Resolves when the service is connected or known to be unavailable, or after a timeout. */
  ready(): Promise<void>;
  /** Reconnects at the user's request; resolves when the outcome is known. */
  retry(): Promise<void>;
}

interface Client extends Requester {
  on<Name extends NoticeName>(name: Name, listener: (notice: NoticeParams<Name>) => void): Disposable;
}

/** `failed` gives the reason in the user's language. */
type State = { readonly kind: "starting" | "ready" } | { readonly kind: "failed"; readonly reason: string };

/** The connection to the service, which comes and goes. */
export interface ConnectionLink {
  readonly client: Client | undefined;
  readonly state: State;
  onClient(listener: () => void): Disposable;
  onChange(listener: (state: State) => void): Disposable;
  retry(): Promise<void>;
}

export function serviceConnection(link: ConnectionLink): ServiceConnection {
  return {
    async ask(name, params, signal) {
      if (link.client === undefined) return nobody(link);
      try {
        const asked = await link.client.ask(name, params, signal);
        if (asked.ok) return succeed(asked.value);
        return fail(asked.reason === "closed" ? "starting" : "failed", asked.detail);
      } catch (error) {
        return fail(
          "failed",
          error instanceof Error ? plainSentence(error.message) : plainSentence(String(error)),
        );
      }
    },
    onChanged: (name, listener) => listen(link, name, listener),
    ready: () => reached(link),
    retry: () => link.retry(),
  };
}

/** A lost connection is retried automatically, until the link reports failure. */
function nobody({ state }: ConnectionLink): Result<never, AskFailure> {
  return state.kind === "failed"
    ? fail("offline", plainSentence(state.reason))
    : fail("starting", sentence("the service is not connected yet"));
}

/** Listens on the current client, and on each one after it. */
function listen<Name extends NoticeName>(
  link: ConnectionLink,
  name: Name,
  listener: (notice: NoticeParams<Name> | undefined) => void,
): Disposable {
  let current: Disposable | undefined;
  const attach = () => {
    current?.dispose();
    current = link.client?.on(name, listener);
  };
  attach();
  const owned = new DisposableList();
  owned.add({ dispose: () => current?.dispose() });
  owned.add(
    link.onClient(() => {
      attach();
      listener(undefined);
    }),
  );
  owned.add(
    link.onChange(({ kind }) => {
      if (kind === "failed") listener(undefined);
    }),
  );
  return owned;
}

/** Maximum wait: a newly opened window is usually connected in a moment. Milliseconds. */
const maxWait = 20_000;

function reached(link: ConnectionLink): Promise<void> {
  const isKnown = () => link.client !== undefined || link.state.kind === "failed";
  if (isKnown()) return Promise.resolve();
  return new Promise((resolve) => {
    const owned = new DisposableList();
    const check = () => {
      if (isKnown()) end();
    };
    const end = () => {
      owned.dispose();
      resolve();
    };
    const timer = setTimeout(end, maxWait);
    owned.add({ dispose: () => clearTimeout(timer) });
    owned.add(link.onClient(check));
    owned.add(link.onChange(check));
  });
}
