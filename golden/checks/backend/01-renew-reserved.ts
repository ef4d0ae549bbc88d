import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk();
const [ada, bilal, chiara] = [
  await desk.addMember("Ada"),
  await desk.addMember("Bilal"),
  await desk.addMember("Chiara"),
];
const renew = (loan: { id: number }) => desk.call("POST", `/loans/${loan.id}/renew`);

const item = await desk.addItem();
const loan = (await desk.lend(item, ada)).body;
const reservation = (await desk.reserve(item, bilal)).body;

const refused = await renew(loan);
assert.equal(refused.status, 409, "a loan somebody waits for was renewed");
assert.equal(refused.body.error.code, "item_reserved");
const open = (await desk.call("GET", "/loans")).body.find((each: { id: number }) => each.id === loan.id);
assert.equal(open.dueAt, loan.dueAt, "the due date moved although it was refused");
assert.equal(open.renewals, 0);

await desk.call("DELETE", `/reservations/${reservation.id}`);
const renewed = await renew(loan);
assert.equal(renewed.status, 200, `nobody waits any more, and yet: ${renewed.text}`);
assert.equal(renewed.body.dueAt, "2026-03-16T09:00:00.000Z");

// Another item's reservation is nobody's business.
const other = await desk.addItem();
const otherLoan = (await desk.lend(other, ada)).body;
await desk.reserve(item, chiara);
assert.equal((await renew(otherLoan)).status, 200, "another item's reservation is in the way");

// Fulfilled ones, of whoever has the item now, are over.
const third = await desk.addItem();
const first = (await desk.lend(third, ada)).body;
await desk.reserve(third, bilal);
await desk.call("POST", `/loans/${first.id}/return`, {});
const second = (await desk.lend(third, bilal)).body;
assert.equal((await renew(second)).status, 200, "a reservation that was fulfilled is in the way");

// What was refused before is refused as before.
desk.clock.at = "2026-04-20T09:00:00.000Z";
assert.equal((await renew(second)).body.error.code, "overdue");
desk.close();
