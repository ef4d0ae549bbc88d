import assert from "node:assert/strict";
import test from "node:test";
import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open, response } from "../support/support.ts";

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };

function call(number: number): LedgerEntry {
  const messageId = `msg_${number}`;
  return { kind: "tool-call", id: `toolu_${number}`, sessionId: "session-1", messageId, tool: "Bash" };
}

/** Whether the ledger's newest snapshot has the indexes by message: both, or none. */
async function isIndexed(ledger: Ledger, folder: string): Promise<boolean> {
  assert.ok((await ledger.snapshot()).ok);
  const db = new DatabaseSync(path.join(folder, "ledger.sqlite"), { readOnly: true });
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%_message'").all();
  db.close();
  assert.ok(found.length === 0 || found.length === 2);
  return found.length > 0;
}

test("a ledger is filled without the indexes by message, and gets them afterwards", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  assert.equal(await isIndexed(ledger, folder), true);
  await appendEntries(ledger, response(1), call(1));
  assert.equal(await isIndexed(ledger, folder), false);
  ledger.index();
  await appendEntries(ledger, response(2), call(2));
  assert.equal(await isIndexed(ledger, folder), true);
});

test("a question by message makes the indexes", async (t) => {
  for (const question of ["sessionPage", "usage"] as const) {
    const folder = scratchFolder(t);
    const ledger = await open(t, folder);
    await appendEntries(ledger, response(1), call(1));
    if (question === "usage") ledger.ask(question, { by: "tool", since: null, until: null }, basis);
    else assert.deepEqual(ledger.ask(question, "session-1", basis)?.turns[0]?.tools, ["Bash"]);
    await appendEntries(ledger, response(2), call(2));
    assert.equal(await isIndexed(ledger, folder), true, question);
  }
});

test("a ledger that was not filled completely gets the indexes when it is opened again", async (t) => {
  const folder = scratchFolder(t);
  const first = await open(t, folder);
  await appendEntries(first, response(1), call(1));
  assert.equal(await isIndexed(first, folder), false);
  await first.close();
  const later = await open(t, folder);
  await appendEntries(later, response(2), call(2));
  assert.equal(await isIndexed(later, folder), true);
});
