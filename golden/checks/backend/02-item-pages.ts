import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk();
for (let count = 1; count <= 130; count += 1)
  await desk.addItem({
    category: count % 2 === 0 ? "lens" : "camera",
    name: count <= 7 ? `Rare ${count}` : `Camera ${count}`,
  });
const items = async (query: string) => (await desk.call("GET", `/items?${query}`)).body;
const tags = (page: { rows: { assetTag: string }[] }) => page.rows.map(({ assetTag }) => assetTag);

const first = await items("");
assert.equal(first.rows.length, 20);
assert.equal(tags(first)[0], "CAM-001", "the first page does not begin with the first item");
assert.deepEqual({ ...first, rows: null }, { rows: null, page: 1, size: 20, total: 130, pages: 7 });

const last = await items("page=7");
assert.deepEqual([last.rows.length, last.total, last.pages], [10, 130, 7]);
assert.equal(tags(last).at(-1), "CAM-130");

const all = new Set<string>();
for (let page = 1; page <= 7; page += 1) for (const tag of tags(await items(`page=${page}`))) all.add(tag);
assert.equal(all.size, 130, "some items are on no page");

const filtered = await items("category=lens&size=50");
assert.deepEqual(
  [filtered.rows.length, filtered.total, filtered.pages],
  [50, 65, 2],
  "the total is of what was asked for",
);
const searched = await items("search=Rare&size=5&page=2");
assert.deepEqual([searched.rows.length, searched.total, searched.pages], [2, 7, 2]);

const beyond = await items("page=99");
assert.deepEqual([beyond.rows, beyond.total, beyond.pages, beyond.page], [[], 130, 7, 99]);
const none = await items("search=nothing-is-called-so");
assert.deepEqual([none.rows, none.total, none.pages], [[], 0, 0]);

const large = await items("size=5000");
assert.deepEqual([large.rows.length, large.size, large.pages], [100, 100, 2], "a page has 100 rows at most");
for (const query of ["page=0", "page=-1", "size=0", "size=-5"]) {
  const answer = await desk.call("GET", `/items?${query}`);
  assert.equal(answer.status, 400, `${query} was answered with ${answer.status}`);
}
desk.close();
