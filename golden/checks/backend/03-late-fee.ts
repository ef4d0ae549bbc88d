import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk();
const ada = await desk.addMember("Ada");
const start = desk.clock.at;
const hour = 3_600_000;

/** Cents that are charged for coming back so many hours late. */
async function fee(hours: number, item: Record<string, unknown> = {}): Promise<number> {
  desk.clock.at = start;
  const lent = await desk.lend(await desk.addItem(item), ada);
  assert.equal(lent.status, 201, lent.text);
  desk.clock.at = new Date(Date.parse(lent.body.dueAt) + hours * hour).toISOString();
  const { status, body, text } = await desk.call("POST", `/loans/${lent.body.id}/return`, {});
  assert.equal(status, 200, text);
  for (const fine of body.fines) {
    assert.equal(fine.reason, "late");
    await desk.call("POST", `/fines/${fine.id}/settle`);
  }
  return body.fines.reduce((sum: number, fine: { amountCents: number }) => sum + fine.amountCents, 0);
}

const cases: [hours: number, cents: number][] = [
  [-10, 0],
  [0, 0],
  [1, 0],
  [2, 0],
  [2.01, 500],
  [23, 500],
  [24, 500],
  [24.5, 1000],
  [25.5, 1000],
  [48, 1000],
  [49, 1500],
  [240, 5000],
];
for (const [hours, cents] of cases) assert.equal(await fee(hours), cents, `${hours} hours late`);

assert.equal(await fee(24 * 30, { replacementCents: 4000 }), 4000, "more than the item is worth");
assert.equal(await fee(24 * 8, { replacementCents: 4000 }), 4000);
assert.equal(await fee(24 * 7, { replacementCents: 4000 }), 3500);
assert.equal(
  await fee(24 * 30, { replacementCents: 0 }),
  15000,
  "an item whose worth is not known has no limit",
);
assert.equal(await fee(24 * 3, { dailyFeeCents: 0 }), 0);
desk.close();
