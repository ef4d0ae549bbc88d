import { DisposableList } from "../../base/disposable.ts";
import { fail, succeed } from "../../base/result.ts";
import { entriesOfRun } from "../../bench/entries.ts";
import { comparisonEntries } from "../../compare/comparison-entries.ts";
import { effectsForgotten } from "../../continuity/learn/effectiveness.ts";
import { learnRotation } from "../../recurring/figures/learned-rotation.ts";
import { economyViewOf } from "../../recurring/figures/view.ts";
import { mistakeEntry } from "../../guard/effect/outcome-entry.ts";
import { toldTexts } from "../../ledger/questions/learned/told-texts.ts";
import { readReceipt } from "../../verdict/receipt/receipt.ts";
import { answerWith, feature, namesOf, type Client, type Feature, type Handlers } from "./feature.ts";
import { sendLatest } from "../../protocol/latest-notice.ts";
import type { LedgerHost } from "../../ledger/host/host.ts";
import { ledgerQuestions, type LedgerQuestion, type ledgerRequests } from "../../ledger/ledger-requests.ts";
import type { Peer } from "../../protocol/peer.ts";
import { english } from "../../base/text/english.ts";

const ledgerPart = (part: LedgerHost | undefined) => ({
  part,
  missing: fail("no_ledger", english("this service holds no ledger")),
  abandonsCancelled: true,
});

/** The newest wakes tell how programs cost now. */
const mostLearnedFrom = 2000;

const handlers: Handlers<LedgerHost, Exclude<keyof typeof ledgerRequests, LedgerQuestion>> = {
  usage: (ledger, question) => ledger.usage(question),
  catchUp: (ledger, _, signal) => ledger.catchUp(signal),
  ledgerStatus: (ledger) => ledger.status(),
  claimAnomaly: (ledger, { id }) => ledger.claimAnomaly(id),
  async goldenRecord(ledger, { runs }) {
    const appended = await ledger.append(runs.flatMap(entriesOfRun));
    return appended.ok ? succeed({}) : appended;
  },
  async comparisonRecord(ledger, { receipt }) {
    const read = readReceipt(receipt);
    if (!read.ok) return read;
    const appended = await ledger.append(comparisonEntries(read.value, receipt));
    return appended.ok ? succeed({}) : appended;
  },
  async wakeRecord(ledger, { wakes }) {
    const appended = await ledger.append(wakes.map((wake) => ({ kind: "wake", ...wake })));
    return appended.ok ? succeed({}) : appended;
  },
  wakeRotation: (ledger, { program }) =>
    ledger.read(async (open) => {
      const wakes = await open.ask("wakes", { since: 0, project: null, most: mostLearnedFrom });
      return { learned: learnRotation(wakes, program) };
    }),
  economyView: (ledger, { since, project }) =>
    ledger.read(async (open) => ({
      view: await economyViewOf((name, query) => open.ask(name, query), { since, project }),
    })),
  async guardWake(ledger, { rule, at }) {
    const appended = await ledger.append([
      { kind: "guard-wake", id: `${rule}@${at}`, rule, at },
      // Counts that learning made of it hold no more, and are not made again.
      ...(toldTexts.some((kind) => kind === rule) ? effectsForgotten(rule) : []),
    ]);
    return appended.ok ? succeed({}) : appended;
  },
  async guardMistake(ledger, { hit, at, ...part }) {
    const appended = await ledger.append([mistakeEntry(part, { hit, at })]);
    return appended.ok ? succeed({}) : appended;
  },
  checkLedger: (ledger) => ledger.check(),
  compactLedger: (ledger) => ledger.compact(),
  backupLedger: (ledger, { file }) => ledger.backup(file),
};

/**
 * The ledger for clients.
 * @param part undefined where a service has none
 */
export function ledgerFeature(part: LedgerHost | undefined): Feature {
  const others = feature({ ...ledgerPart(part), handlers: () => handlers, publish });
  return (peer) => {
    answerQuestions(peer, part);
    return others(peer);
  };
}

/** Passes every question that clients may ask straight to the ledger, by name. */
function answerQuestions(peer: Peer, part: LedgerHost | undefined): void {
  const register = <Name extends LedgerQuestion>(name: Name, kind: (typeof ledgerQuestions)[Name]) =>
    answerWith(peer, ledgerPart(part), kind, (ledger, { asked }) => ledger.answer(name, asked));
  for (const name of namesOf(ledgerQuestions)) register(name, ledgerQuestions[name]);
}

/** Notifies a slow client less often, but of every anomaly. */
function publish(ledger: LedgerHost, client: Client): DisposableList {
  const list = new DisposableList();
  list.add(sendLatest(ledger.onChange, (freshness) => client.notify("ledgerChanged", { freshness })));
  list.add(ledger.onAnomaly((anomaly) => void client.notify("anomalyFound", anomaly)));
  return list;
}
