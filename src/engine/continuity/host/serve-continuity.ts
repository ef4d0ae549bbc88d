import { fail, succeed } from "../../base/result.ts";
import { shownScorecard } from "../scorecard.ts";
import { type Handlers, type ServeClient, serve, sendLatest } from "../../protocol/serve.ts";
import { handoverNotices, handoverRequests } from "../handover-requests.ts";
import { type LedgerHost, ledgerPart } from "../../ledger/ledger-host.ts";
import type { Handovers } from "./handover-host.ts";
import type { StartOffers } from "./create-start.ts";
import { sentence } from "../../base/language.ts";
import { guardEffectRequests } from "../../guard/guard-requests.ts";
import { mistakeEntry } from "../../guard/delivery.ts";
import { sentTexts } from "../../ledger/learned.ts";
import { effectsForgotten } from "../learn/conclusion.ts";
import type { LearningHost } from "./learning-host.ts";
import { learningRequests, compactionRequests } from "../continuity-requests.ts";
import type { CompactionHost } from "./compaction-host.ts";

const noLedger = fail("no_ledger", sentence("this service holds no ledger"));

export interface HandoverParts {
  readonly handovers: Handovers;
  readonly offers: StartOffers;
  readonly ledger: Pick<LedgerHost, "ask">;
}

const handoverHandlers: Handlers<HandoverParts, typeof handoverRequests> = {
  handoverMake: ({ handovers }, { session, reader, unattended }) =>
    handovers.make(session, reader, unattended),
  handoverOpen: ({ handovers }, { id }) => handovers.open(id),
  handoverWrite: ({ handovers }, { id, card }) => handovers.write(id, card),
  handoverStart: ({ handovers }, { id, to }) => handovers.start(id, to),
  handoverGap: ({ handovers }, { id }) => handovers.gap(id),
  handoverPutBack: ({ handovers }, { id, items }) => handovers.putBack(id, items),
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

export function serveHandovers(part: HandoverParts | undefined): ServeClient {
  return serve({
    requests: handoverRequests,
    part,
    missing: noLedger,
    handlers: () => handoverHandlers,
    publish: ({ handovers }, client) =>
      sendLatest(handovers.onChange, (all) =>
        client.notify(handoverNotices.handoversChanged, { handovers: all }),
      ),
  });
}

export function serveEffects(part: LedgerHost | undefined): ServeClient {
  return serve({
    ...ledgerPart(part),
    requests: guardEffectRequests,
    handlers: () => ({
      guardWake: async (ledger, { rule, at }) => {
        const appended = await ledger.append([
          { kind: "guard-wake", id: `${rule}@${at}`, rule, at },
          // Counts that learning made for it are no longer valid, and are not made again.
          ...(sentTexts.some((kind) => kind === rule) ? effectsForgotten(rule) : []),
        ]);
        return appended.ok ? succeed({}) : appended;
      },
      guardUnwake: async (ledger, { rule, at }) => {
        const ids = JSON.stringify([`${rule}@${at}`]);
        const appended = await ledger.append([{ kind: "unlearn", table: "guard_wakes", ids }]);
        return appended.ok ? succeed({}) : appended;
      },
      guardMistake: async (ledger, { hit, at, ...part }) => {
        const appended = await ledger.append([mistakeEntry(part, { hit, at })]);
        return appended.ok ? succeed({}) : appended;
      },
    }),
  });
}

const noLearning = fail("no_learning", sentence("this service learns nothing"));

const learningHandlers: Handlers<LearningHost, typeof learningRequests> = {
  learnStatus: (learning) => succeed({ status: learning.status() }),
  learnRun: (learning, { task }, signal) => learning.run(task, signal),
  learnItems: (learning, { project }) => learning.items(project),
  learnMark: (learning, mark) => learning.mark(mark),
};

export function serveLearning(part: LearningHost | undefined): ServeClient {
  return serve({
    requests: learningRequests,
    part,
    missing: noLearning,
    handlers: () => learningHandlers,
  });
}

const noHooks = fail("no_hooks", sentence("this service answers no hooks"));

const putBackHandlers: Handlers<CompactionHost, typeof compactionRequests> = {
  putBack: (compactions, wish) => compactions.putBack(wish),
};

export function servePutBack(part: CompactionHost | undefined): ServeClient {
  return serve({
    requests: compactionRequests,
    part,
    missing: noHooks,
    handlers: () => putBackHandlers,
  });
}
