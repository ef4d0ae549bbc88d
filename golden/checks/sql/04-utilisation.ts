import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk("2026-03-20T12:00:00.000Z");
const member = await desk.addMember("Ada");
for (let count = 0; count < 7; count += 1) await desk.addItem();
const lent = (item: number, from: string, to: string | null) =>
  desk.db.run(
    "INSERT INTO loans (item_id, member_id, lent_at, due_at, returned_at) VALUES (?, ?, ?, '2026-12-31', ?)",
    [item, member.id, `${from}:00:00.000Z`, to === null ? null : `${to}:00:00.000Z`],
  );
const [one, two, three, four, five, six] = desk.db
  .all("SELECT id FROM items ORDER BY id")
  .map(({ id }) => Number(id));
lent(one!, "2026-02-05T00", "2026-02-07T12"); // inside
lent(one!, "2026-02-10T00", "2026-02-11T00");
lent(two!, "2026-01-30T00", "2026-02-03T00"); // over the beginning
lent(two!, "2026-02-27T00", "2026-03-04T00"); // over the end
lent(three!, "2026-01-01T00", "2026-03-15T00"); // over all of it
lent(four!, "2026-02-20T00", null); // goes on
lent(five!, "2026-01-10T00", "2026-02-01T00"); // ends as it begins
lent(five!, "2026-03-01T00", "2026-03-02T00"); // begins as it ends
lent(six!, "2026-03-18T12", null); // begins after it

const report = async (month: string) =>
  Object.fromEntries(
    (await desk.call("GET", `/reports/utilisation?month=${month}`)).body.map((row: any) => [
      row.assetTag.slice(-1),
      [row.loans, row.daysOut],
    ]),
  );
const tags = desk.db
  .all("SELECT asset_tag FROM items ORDER BY id")
  .map((row) => String(row.asset_tag).slice(-1));
const expected = (rows: [number, number][]) =>
  Object.fromEntries(rows.map((row, index) => [tags[index], row]));

assert.deepEqual(
  await report("2026-02"),
  expected([
    [2, 3.5],
    [2, 4],
    [1, 28],
    [1, 9],
    [0, 0],
    [0, 0],
    [0, 0],
  ]),
);
// The month that goes on: what is out is out until now.
assert.deepEqual(
  await report("2026-03"),
  expected([
    [0, 0],
    [1, 3],
    [1, 14],
    [1, 19.5],
    [1, 1],
    [1, 2],
    [0, 0],
  ]),
);
// One that is to come.
const later = await report("2026-05");
assert.deepEqual(
  later,
  expected([
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ]),
);
// In the order of the tags, names included.
const rows = (await desk.call("GET", "/reports/utilisation?month=2026-02")).body;
assert.deepEqual(
  rows.map((row: any) => row.assetTag),
  rows.map((row: any) => row.assetTag).toSorted(),
);
assert.ok(rows.every((row: any) => typeof row.name === "string" && Number.isInteger(row.itemId)));
desk.close();
