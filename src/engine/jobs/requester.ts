import { goldenRequests } from "../bench/golden-requests.ts";
import { comparisonRequests } from "../compare/comparison-requests.ts";
import { ledgerRequests } from "../ledger/ledger-requests.ts";
import { economyRequests } from "../recurring/wake-requests.ts";
import { rulesRequests } from "../rules/rule-requests.ts";
import type { Peer } from "../protocol/peer.ts";
import type { Requester, RequestKinds, RequestName } from "./all-requests.ts";

export function requesterOf<Of extends RequestName>(
  peer: Pick<Peer, "sendRequest">,
  kinds: RequestKinds<Of>,
): Requester<Of> {
  return { ask: (name, params, signal) => peer.sendRequest(kinds[name], params, signal) };
}

export const benchJobRequests = {
  ...ledgerRequests,
  ...goldenRequests,
  ...comparisonRequests,
  ...economyRequests,
  ...rulesRequests,
};
