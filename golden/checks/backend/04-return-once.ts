import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk();
const [ada, bilal] = [await desk.addMember("Ada"), await desk.addMember("Bilal")];
const giveBack = (loan: { id: number }, body: unknown = {}) =>
  desk.call("POST", `/loans/${loan.id}/return`, body);
const state = () =>
  ["loans", "items", "fines", "reservations"].map((table) =>
    desk.db.all(`SELECT * FROM ${table} ORDER BY id`),
  );

// Twice.
const item = await desk.addItem();
const loan = (await desk.lend(item, ada)).body;
desk.clock.at = "2026-03-12T09:00:00.000Z";
assert.equal((await giveBack(loan)).body.fines.length, 1);
const once = state();
desk.clock.at = "2026-03-20T09:00:00.000Z";
const again = await giveBack(loan, { condition: "broken" });
assert.equal(again.status, 409, "an item came back twice");
assert.equal(again.body.error.code, "already_returned");
assert.deepEqual(state(), once, "the second time changed something");

// All of it or nothing, wherever it fails.
desk.db.run("UPDATE fines SET settled_at = made_at");
const steps: [name: string, on: string][] = [
  ["the late fee", "BEFORE INSERT ON fines WHEN new.reason = 'late'"],
  ["the damage", "BEFORE INSERT ON fines WHEN new.reason = 'damage'"],
  ["the condition", "BEFORE UPDATE ON items"],
  ["the reservation", "BEFORE UPDATE ON reservations"],
];
for (const [name, on] of steps) {
  const next = await desk.addItem({ dailyFeeCents: 100, replacementCents: 1000 });
  const out = (await desk.lend(next, ada)).body;
  await desk.reserve(next, bilal);
  desk.clock.at = new Date(Date.parse(out.dueAt) + 3 * 86_400_000).toISOString();
  const before = state();
  const toldBefore = desk.told.length;
  desk.db.script(`CREATE TRIGGER fails ${on} BEGIN SELECT raise(ABORT, 'out of order'); END`);
  assert.equal((await giveBack(out, { condition: "broken" })).status, 500);
  assert.deepEqual(state(), before, `a part was done although ${name} failed`);
  assert.equal(desk.told.length, toldBefore, `somebody was told although ${name} failed`);
  desk.db.script("DROP TRIGGER fails");

  const done = await giveBack(out, { condition: "broken" });
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(
    done.body.fines.map((fine: { reason: string }) => fine.reason),
    ["late", "damage"],
  );
  assert.equal(desk.told.length, toldBefore + 1);
  desk.db.run("UPDATE fines SET settled_at = made_at");
  desk.db.run("UPDATE reservations SET status = 'cancelled'");
}
desk.close();
