import { sentence } from "../../base/language.ts";
import { fail } from "../../base/result.ts";
import { serve, type Handlers, type ServeClient } from "../../protocol/serve.ts";
import type { GuardHost } from "./guard-host.ts";
import { guardRequests } from "../guard-requests.ts";

const missing = fail("no_guard", sentence("this service holds no ledger"));

const handlers: Handlers<GuardHost, typeof guardRequests> = {
  guardRead: (guard, asked) => guard.view(asked),
  guardRules: (guard) => guard.rules(),
  guardExcept: (guard, wish) => guard.except(wish),
  guardUndo: (guard, { id }) => guard.undo(id),
};

/**
 * Guard rules for clients.
 * @param part undefined where a service has no ledger
 */
export function serveGuard(part: GuardHost | undefined): ServeClient {
  return serve({
    requests: guardRequests,
    part,
    missing,
    handlers: () => handlers,
  });
}
