import { fail, succeed } from "../../base/result.ts";
import { shownScorecard } from "../scorecard/kept.ts";
import { type Handlers, type ServeClient, serve, sendLatest } from "../../protocol/serve.ts";
import { handoverNotices, handoverRequests } from "../handover-requests.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { Handovers } from "./handover-host.ts";
import type { StartOffers } from "./start-offers.ts";
import { sentence } from "../../base/language.ts";

const missing = fail("no_ledger", sentence("this service holds no ledger"));

export interface HandoverParts {
  readonly handovers: Handovers;
  readonly offers: StartOffers;
  readonly ledger: Pick<LedgerHost, "ask">;
}

const handlers: Handlers<HandoverParts, typeof handoverRequests> = {
  handoverMake: ({ handovers }, { session, reader, unattended }) =>
    handovers.make(session, reader, unattended),
  handoverOpen: ({ handovers }, { id }) => handovers.open(id),
  handoverStart: ({ handovers }, { id, to }) => handovers.start(id, to),
  handoverImproveWith: ({ handovers }) => succeed({ model: handovers.summingModel }),
  handoverToImprove: ({ handovers }, { id }) => handovers.toImprove(id),
  handoverImprove: ({ handovers }, { id, section }) => handovers.improve(id, section),
  handoverList: ({ handovers }) => handovers.list(),
  sessionOffer: ({ offers }, { session, folder }) => offers.offerFor(session, folder),
  sessionPacket: ({ offers }, { session }) => offers.textOf(session),
  async sessionScorecard({ ledger }, { session }) {
    const figures = await ledger.ask("sessionFigures", session);
    if (!figures.ok) return figures;
    if (figures.value === null) return succeed({ scorecard: null });
    const [packet, kept] = await Promise.all([
      ledger.ask("packetOf", session),
      ledger.ask("storedScorecard", session),
    ]);
    const stored = { packet: packet.ok ? packet.value : null, kept: kept.ok ? kept.value : null };
    return succeed({ scorecard: shownScorecard(figures.value, stored) });
  },
};

/**
 * Handing work over, for clients.
 * @param part undefined where a service has no ledger
 */
export function serveHandovers(part: HandoverParts | undefined): ServeClient {
  return serve({
    requests: handoverRequests,
    part,
    missing,
    handlers: () => handlers,
    publish: ({ handovers }, client) =>
      sendLatest(handovers.onChange, (all) =>
        client.notify(handoverNotices.handoversChanged, { handovers: all }),
      ),
  });
}
