import { fail } from "../../base/result.ts";
import { sendLatest } from "../../rpc/latest-notice.ts";
import { feature, type Feature, type Handlers } from "./feature.ts";
import type { handoverRequests } from "../../wire/handover.ts";
import type { Handovers } from "../continuity/handover-host.ts";

const missing = fail("no_ledger", "this service holds no ledger");

const handlers: Handlers<Handovers, keyof typeof handoverRequests> = {
  handoverMake: (handovers, { session }) => handovers.make(session),
  handoverOpen: (handovers, { id }) => handovers.open(id),
  handoverStart: (handovers, { id, to }) => handovers.start(id, to),
  handoverList: (handovers) => handovers.list(),
};

/**
 * Handing work over, for clients.
 * @param part undefined where a service has no ledger
 */
export function handoverFeature(part: Handovers | undefined): Feature {
  return feature({
    part,
    missing,
    handlers: () => handlers,
    publish: (handovers, client) =>
      sendLatest(handovers.onChange, (all) => client.notify("handoversChanged", { handovers: all })),
  });
}
