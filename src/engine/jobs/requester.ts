import type { Peer } from "../protocol/peer.ts";
import type { Requester, RequestKinds, RequestName } from "./all-requests.ts";

/** Sends requests of the given kinds. */
export function requesterOf<Of extends RequestName>(
  peer: Pick<Peer, "sendRequest">,
  kinds: RequestKinds<Of>,
): Requester<Of> {
  return { ask: (name, params, signal) => peer.sendRequest(kinds[name], params, signal) };
}
