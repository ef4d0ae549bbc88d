import { fail } from "../../base/result.ts";
import { compactionRequests } from "../continuity-requests.ts";
import type { CompactionHost } from "./compaction-host.ts";
import { serve, type ServeClient, type Handlers } from "../../protocol/serve.ts";
import { sentence } from "../../base/language.ts";

const missing = fail("no_hooks", sentence("this service answers no hooks"));

const handlers: Handlers<CompactionHost, typeof compactionRequests> = {
  putBack: (compactions, wish) => compactions.putBack(wish),
};

/**
 * What compactions lost, for clients.
 * @param part undefined for a service without a ledger
 */
export function servePutBack(part: CompactionHost | undefined): ServeClient {
  return serve({
    requests: compactionRequests,
    part,
    missing,
    handlers: () => handlers,
  });
}
