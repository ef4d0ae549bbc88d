import type { Disposable } from "../base/disposable.ts";
import { DisposableList } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import { entriesOfRun } from "../bench/bench-entries.ts";
import { comparisonEntries } from "../compare/comparison-entries.ts";
import type { Anomaly, Freshness } from "../ledger/answers.ts";
import { readReceipt } from "../verdict/receipt.ts";
import { comparisonRecord, goldenRead, goldenRecord } from "./golden-protocol.ts";
import { LatestSender } from "./latest-sender.ts";
import type { LedgerKeeper } from "./ledger-keeper.ts";
import {
  anomalyFound,
  backupLedger,
  catchUp,
  checkLedger,
  claimAnomaly,
  compactLedger,
  ledgerChanged,
  ledgerStatus,
  overviewOf,
  sessionPageOf,
  usage,
  useCounts,
} from "./ledger-protocol.ts";
import type { AnswerOf, Peer } from "./peer.ts";
import type { RequestKind } from "./protocol.ts";

/** Answers one client's questions about the ledger. @param keeper undefined where a service holds none */
export function answerOfLedger(peer: Peer, keeper: LedgerKeeper | undefined): void {
  const answer = <Params, Answer>(
    kind: RequestKind<Params, Answer>,
    ask: (ledger: LedgerKeeper, params: Params, signal: AbortSignal) => Promise<AnswerOf<Answer>>,
  ) =>
    peer.answer(kind, (params, signal) =>
      keeper === undefined
        ? fail("no_ledger", "this service holds no ledger")
        : untilAborted(ask(keeper, params, signal), signal),
    );
  answer(usage, (ledger, question) => ledger.usage(question));
  answer(overviewOf, (ledger, { filter }) => ledger.overview(filter));
  answer(sessionPageOf, (ledger, { id }) => ledger.sessionPage(id));
  answer(useCounts, async (ledger, { since }) => {
    const { freshness } = ledger;
    const read = await ledger.read(async (kept) => {
      const [counts, { charactersPerToken }] = [
        await kept.ask("useCounts", since),
        await kept.ask("rentFacts", null),
      ];
      return { ...counts, charactersPerToken };
    });
    return read.ok ? succeed({ ...read.value, freshness }) : read;
  });
  answer(catchUp, (ledger, _, signal) => ledger.catchUp(signal));
  answer(ledgerStatus, (ledger) => ledger.status());
  answer(claimAnomaly, (ledger, { id }) => ledger.claimAnomaly(id));
  answer(goldenRead, async (ledger, { since }) => {
    const book = await ledger.ask("goldenBook", since);
    return book.ok ? succeed({ book: book.value }) : book;
  });
  answer(goldenRecord, async (ledger, { runs }) => {
    const told = await ledger.append(runs.flatMap(entriesOfRun));
    return told.ok ? succeed({}) : told;
  });
  answer(comparisonRecord, async (ledger, { receipt }) => {
    const read = readReceipt(receipt);
    if (!read.ok) return read;
    const told = await ledger.append(comparisonEntries(read.value, receipt));
    return told.ok ? succeed({}) : told;
  });
  answer(checkLedger, (ledger) => ledger.check());
  answer(compactLedger, (ledger) => ledger.compact());
  answer(backupLedger, (ledger, { file }) => ledger.backup(file));
}

/** Tells a client what happens to the ledger, from now on. A slow one is told less often, but of every anomaly. */
export function tellOfLedger(peer: Peer, keeper: LedgerKeeper): Disposable {
  const sender = new LatestSender((freshness: Freshness) => peer.tell(ledgerChanged, { freshness }));
  const list = new DisposableList();
  list.add(keeper.onChange((freshness) => sender.offer(freshness)));
  list.add(keeper.onAnomaly((anomaly: Anomaly) => void peer.tell(anomalyFound, anomaly)));
  list.add({ dispose: () => sender.clear() });
  return list;
}

/** What nobody waits for any more is not waited for. @throws the signal's reason */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("it was cancelled", { cause: signal.reason })), {
      once: true,
    });
  });
  return await Promise.race([work, aborted]);
}
