/** @jsxRuntime automatic @jsxImportSource react */
import { button, click, draw } from "../shared/page.ts";
import assert from "node:assert/strict";
import type { LoanRow } from "../../src/shared/types.ts";

const { LoanTable } = await import("../../src/admin/components/LoanTable.tsx");

const loan = (
  id: number,
  itemName: string,
  memberName: string,
  dueAt: string,
  renewals: number,
): LoanRow => ({
  id,
  itemName,
  memberName,
  dueAt,
  renewals,
  itemId: id,
  memberId: id,
  assetTag: `TAG-${id}`,
  lentAt: "2026-02-01T09:00:00.000Z",
  returnedAt: null,
});
const loans = Object.freeze([
  loan(1, "tripod", "Chiara", "2026-03-10T09:00:00.000Z", 2),
  loan(2, "Camera", "ada", "2026-03-02T09:00:00.000Z", 10),
  loan(3, "Zoom", "Bilal", "2025-12-24T09:00:00.000Z", 0),
  loan(4, "Lens", "Bilal", "2026-03-02T18:00:00.000Z", 1),
]) as LoanRow[];
const renewed: number[] = [];
const table = (shown: LoanRow[]) => (
  <LoanTable
    loans={shown}
    now="2026-03-02T12:00:00.000Z"
    onRenew={({ id }) => renewed.push(id)}
    onReturn={() => undefined}
  />
);
const { place, redraw } = await draw(table(loans));
const order = () =>
  [...place.querySelectorAll("tbody tr")].map((row) => Number(/TAG-(\d)/.exec(row.textContent ?? "")?.[1]));
const sorts = () =>
  [...place.querySelectorAll("th")]
    .map((head) => head.getAttribute("aria-sort"))
    .filter((sort) => sort !== null && sort !== "none");
const sort = (title: RegExp) => click(button(place, title));

assert.deepEqual(order(), [1, 2, 3, 4], "unsorted they are in the order given");
assert.deepEqual(sorts(), []);

await sort(/^Item/);
assert.deepEqual(order(), [2, 4, 1, 3], "by item, whatever the case");
assert.deepEqual(sorts(), ["ascending"]);
await sort(/^Item/);
assert.deepEqual(order(), [3, 1, 4, 2]);
assert.deepEqual(sorts(), ["descending"]);
assert.ok(place.querySelector("th[aria-sort=descending]")?.textContent?.includes("Item"));

await sort(/^Member/);
assert.deepEqual(order(), [2, 3, 4, 1], "members of one name stay in the order given");
assert.deepEqual(sorts(), ["ascending"]);
await sort(/^Member/);
assert.deepEqual(
  order(),
  [1, 3, 4, 2],
  "members of one name stay in the order given, also the other way round",
);

await sort(/^Due/);
assert.deepEqual(order(), [3, 2, 4, 1], "by the moment, not by its words");
await sort(/^Renewals/);
assert.deepEqual(order(), [3, 4, 1, 2], "by number");

await redraw(table(loans.slice(0, 3)));
assert.deepEqual(order(), [3, 1, 2], "a new list is sorted alike");
assert.equal(sorts().length, 1);
assert.deepEqual(
  loans.map(({ id }) => id),
  [1, 2, 3, 4],
);

const row = [...place.querySelectorAll("tbody tr")].find((each) => each.textContent?.includes("TAG-3"));
await click(button(row!, /^Renew$/));
assert.deepEqual(renewed, [3], "a row's buttons are its own");

await redraw(table([]));
assert.match(place.querySelector("tbody")?.textContent ?? "", /Nothing is on loan/);
process.exit(0);
