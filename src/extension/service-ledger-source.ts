import type { Disposable } from "../engine/base/disposable.ts";
import { DisposableList } from "../engine/base/disposable.ts";
import { fail, succeed, type Result } from "../engine/base/result.ts";
import type { ServiceClient } from "../engine/service/service-client.ts";
import type { LedgerFailure, LedgerSource } from "./ledger-source.ts";

type Client = Pick<ServiceClient, "overview" | "sessionPage" | "onLedgerChanged">;

/** The way to the service, which comes and goes. */
interface Link {
  readonly client: Client | undefined;
  onClient(listener: () => void): Disposable;
}

/** The ledger as the service has it. */
export function serviceLedgerSource(link: Link): LedgerSource {
  return {
    async overview(filter, signal) {
      const { client } = link;
      return client === undefined ? offline() : answered(await client.overview(filter, signal));
    },
    async sessionPage(id, signal) {
      const { client } = link;
      return client === undefined ? offline() : answered(await client.sessionPage(id, signal));
    },
    onChange: (listener) => listen(link, listener),
  };
}

function offline(): Result<never, LedgerFailure> {
  return fail("offline", "the service is not connected");
}

function answered<Answer>(asked: Result<Answer>): Result<Answer, LedgerFailure> {
  if (asked.ok) return succeed(asked.value);
  // A connection that ended while it was asked is one that comes back.
  return fail(asked.reason === "closed" ? "offline" : "failed", asked.detail);
}

/** Hears every client there is, one after the other. */
function listen(link: Link, listener: () => void): Disposable {
  let current: Disposable | undefined;
  const attach = () => {
    current?.dispose();
    current = link.client?.onLedgerChanged(listener);
  };
  attach();
  const owned = new DisposableList();
  owned.add({ dispose: () => current?.dispose() });
  owned.add(
    link.onClient(() => {
      attach();
      listener();
    }),
  );
  return owned;
}
