import type { Disposable } from "../engine/base/disposable.ts";
import { DisposableList } from "../engine/base/disposable.ts";
import { fail, succeed, type Result } from "../engine/base/result.ts";
import type { ServiceClient } from "../engine/service/service-client.ts";
import type { LedgerFailure, LedgerSource } from "./ledger-source.ts";

type Client = Pick<ServiceClient, "overview" | "sessionPage" | "onLedgerChanged">;

/** `failed` says why in the user's words. */
type State = { readonly kind: "starting" | "ready" } | { readonly kind: "failed"; readonly reason: string };

/** The way to the service, which comes and goes. */
interface Link {
  readonly client: Client | undefined;
  readonly state: State;
  onClient(listener: () => void): Disposable;
  onChange(listener: (state: State) => void): Disposable;
  retry(): Promise<void>;
}

/** The ledger as the service has it. */
export function serviceLedgerSource(link: Link): LedgerSource {
  return {
    async overview(filter, signal) {
      const { client } = link;
      return client === undefined ? nobody(link) : answered(await client.overview(filter, signal));
    },
    async sessionPage(id, signal) {
      const { client } = link;
      return client === undefined ? nobody(link) : answered(await client.sessionPage(id, signal));
    },
    retry: () => link.retry(),
    onChange: (listener) => listen(link, listener),
  };
}

/** A connection that ended is made anew by itself, until it is said that it cannot be. */
function nobody({ state }: Link): Result<never, LedgerFailure> {
  return state.kind === "failed"
    ? fail("offline", state.reason)
    : fail("starting", "the service is not connected yet");
}

function answered<Answer>(asked: Result<Answer>): Result<Answer, LedgerFailure> {
  if (asked.ok) return succeed(asked.value);
  return fail(asked.reason === "closed" ? "starting" : "failed", asked.detail);
}

/** Hears every client there is, one after the other. */
function listen(link: Link, listener: (isAnew: boolean) => void): Disposable {
  let current: Disposable | undefined;
  const attach = () => {
    current?.dispose();
    current = link.client?.onLedgerChanged(() => listener(false));
  };
  attach();
  const owned = new DisposableList();
  owned.add({ dispose: () => current?.dispose() });
  owned.add(
    link.onClient(() => {
      attach();
      listener(true);
    }),
  );
  owned.add(
    link.onChange(({ kind }) => {
      if (kind === "failed") listener(true);
    }),
  );
  return owned;
}
