import { writeSync } from "node:fs";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { ledgerPorts, response } from "../support/support.ts";

/**
 * The process to kill: four callers append one response after another, some with a larger copy of the last one, and
 * print the id of each acknowledged one. Runs until it is killed, making snapshots all the time.
 */
const [folder = "", round = ""] = process.argv.slice(2);

const opened = await openLedger({
  ...ledgerPorts({ machine: thisMachine() }),
  folder,
  snapshotAfter: 40_000,
});
if (!opened.ok) throw new Error(opened.detail.text);
const ledger = opened.value;
if (ledger.readOnly !== null) throw new Error(ledger.readOnly.detail.text);
if (ledger.report.reread) throw new Error("something acknowledged was lost");

await Promise.all(Array.from({ length: 4 }, (_, caller) => append(caller)));

async function append(caller: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const messageId = `${round}-${caller}-${number}`;
    const sessionId = `session-${round}`;
    const copies = [response(number, { messageId, sessionId, usage: { ...response(1).usage, output: 1 } })];
    const entries = number % 3 === 0 ? [...copies, response(number, { messageId, sessionId })] : copies;
    const done = await ledger.append(entries);
    if (!done.ok) throw new Error(`${done.reason}: ${done.detail.text}`);
    writeSync(1, `${messageId}\n`);
  }
}
