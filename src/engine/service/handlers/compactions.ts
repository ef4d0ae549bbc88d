import { fail } from "../../base/result.ts";
import type { compactionRequests } from "../../continuity/put-back-requests.ts";
import type { CompactionHost } from "../../continuity/host/compaction-host.ts";
import { feature, type Feature, type Handlers } from "./feature.ts";
import { english } from "../../base/text/english.ts";

const missing = fail("no_hooks", english("this service answers no hooks"));

const handlers: Handlers<CompactionHost, keyof typeof compactionRequests> = {
  putBack: (compactions, wish) => compactions.putBack(wish),
};

/**
 * What compactions lost, for clients.
 * @param part undefined where a service has no ledger
 */
export function compactionFeature(part: CompactionHost | undefined): Feature {
  return feature({ part, missing, handlers: () => handlers });
}
