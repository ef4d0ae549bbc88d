import { DisposableList, type Disposable } from "../../engine/base/disposable.ts";
import { fail, succeed, type Result } from "../../engine/base/result.ts";
import type {
  NoticeName,
  NoticeParams,
  Requester,
  RequestAnswer,
  RequestName,
  RequestParams,
} from "../../engine/wire/wire.ts";

/**
 * - `starting`: there is nobody to ask yet; a change is told when there is, or will not be;
 * - `offline`: there is nobody to ask, and the detail says why in the user's words; a change is told when there is;
 * - `failed`: it was asked and could not answer.
 */
export type AskFailure = "starting" | "offline" | "failed";

/** The service, as a window's features ask it, whichever connection there is at the moment. */
export interface ServiceConnection {
  ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<Result<RequestAnswer<Name>, AskFailure>>;
  /** Hears a notice. Undefined: there is another service, or none, and any answer may be another than it was. */
  onChanged<Name extends NoticeName>(
    name: Name,
    listener: (told: NoticeParams<Name> | undefined) => void,
  ): Disposable;
  /** Ends when there is somebody to ask, or it is known that there is not, or after a while. */
  ready(): Promise<void>;
  /** Looks for somebody to ask because a person wants to; ends when it is known how that went. */
  retry(): Promise<void>;
}

interface Client extends Requester {
  on<Name extends NoticeName>(name: Name, listener: (told: NoticeParams<Name>) => void): Disposable;
}

/** `failed` says why in the user's words. */
type State = { readonly kind: "starting" | "ready" } | { readonly kind: "failed"; readonly reason: string };

/** The way to the service, which comes and goes. */
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
        return fail("failed", error instanceof Error ? error.message : String(error));
      }
    },
    onChanged: (name, listener) => listen(link, name, listener),
    ready: () => reached(link),
    retry: () => link.retry(),
  };
}

/** A connection that ended is made anew by itself, until it is said that it cannot be. */
function nobody({ state }: ConnectionLink): Result<never, AskFailure> {
  return state.kind === "failed"
    ? fail("offline", state.reason)
    : fail("starting", "the service is not connected yet");
}

/** Hears every client there is, one after the other. */
function listen<Name extends NoticeName>(
  link: ConnectionLink,
  name: Name,
  listener: (told: NoticeParams<Name> | undefined) => void,
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

/** A window that just began is connected in a moment. Milliseconds. */
const longestWait = 20_000;

function reached(link: ConnectionLink): Promise<void> {
  const isKnown = () => link.client !== undefined || link.state.kind === "failed";
  if (isKnown()) return Promise.resolve();
  return new Promise((resolve) => {
    const owned = new DisposableList();
    const look = () => {
      if (isKnown()) end();
    };
    const end = () => {
      owned.dispose();
      resolve();
    };
    const timer = setTimeout(end, longestWait);
    owned.add({ dispose: () => clearTimeout(timer) });
    owned.add(link.onClient(look));
    owned.add(link.onChange(look));
  });
}
