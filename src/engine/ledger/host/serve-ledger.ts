import { DisposableList } from "../../base/events.ts";
import { fail } from "../../base/result.ts";
import { sentence } from "../../base/language.ts";
import {
  type ServeClient,
  type MaybePart,
  type Handlers,
  type Client,
  serve,
  answerWith,
  sendLatest,
} from "../../protocol/serve.ts";
import type { Peer } from "../../protocol/peer.ts";
import { ledgerNotices, ledgerQuestions, ledgerRequests, type LedgerQuestion } from "../ledger-requests.ts";
import type { LedgerHost } from "./ledger-host.ts";

export function ledgerPart(part: LedgerHost | undefined): MaybePart<LedgerHost> {
  return {
    part,
    missing: fail("no_ledger", sentence("this service holds no ledger")),
    abandonsCancelled: true,
  };
}

const { usage, catchUp, ledgerStatus, claimAnomaly, checkLedger, compactLedger, backupLedger } =
  ledgerRequests;
const { machines, mergeMachine, forgetMachine } = ledgerRequests;
const requests = {
  usage,
  catchUp,
  ledgerStatus,
  claimAnomaly,
  checkLedger,
  compactLedger,
  backupLedger,
  machines,
  mergeMachine,
  forgetMachine,
};

const handlers: Handlers<LedgerHost, typeof requests> = {
  usage: (ledger, question) => ledger.usage(question),
  catchUp: (ledger, _, signal) => ledger.catchUp(signal),
  ledgerStatus: (ledger) => ledger.status(),
  claimAnomaly: (ledger, { id }) => ledger.claimAnomaly(id),
  checkLedger: (ledger) => ledger.check(),
  compactLedger: (ledger) => ledger.compact(),
  backupLedger: (ledger, { file }) => ledger.backup(file),
  machines: (ledger) => ledger.read(async (open) => ({ machines: [...(await open.ask("machines", null))] })),
  mergeMachine: (ledger, rows) => ledger.mergeMachine(rows),
  forgetMachine: (ledger, { id }) => ledger.forgetMachine(id),
};

/**
 * The ledger for clients.
 * @param part undefined in a service without a ledger
 */
export function serveLedger(part: LedgerHost | undefined): ServeClient {
  const others = serve({ ...ledgerPart(part), requests, handlers: () => handlers, publish });
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

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name));
}

/** Notifies a slow client less often, but of every anomaly. */
function publish(ledger: LedgerHost, client: Client): DisposableList {
  const list = new DisposableList();
  list.add(
    sendLatest(ledger.onChange, (freshness) => client.notify(ledgerNotices.ledgerChanged, { freshness })),
  );
  list.add(ledger.onAnomaly((anomaly) => void client.notify(ledgerNotices.anomalyFound, anomaly)));
  return list;
}
