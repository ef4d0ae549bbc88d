import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk();
const names = [
  "Softbox 50% diffusion",
  "Softbox 500",
  "Mount_A",
  "MountXA",
  "Back\\slash",
  "Zoom H6",
  "O'Brien grip",
];
for (const [index, name] of names.entries())
  await desk.addItem({
    name,
    dailyFeeCents: [300, 100, 200, 200, 900, 50, 70][index],
    category: index < 2 ? "light" : "audio",
  });

const ask = (query: Record<string, string>) =>
  desk.call("GET", `/items?${new URLSearchParams({ page: "0", ...query })}`);
// Whichever number the first page has: that is another matter.
async function items(query: Record<string, string>): Promise<any[]> {
  const answers = [
    await ask(query),
    await desk.call("GET", `/items?${new URLSearchParams({ page: "1", ...query })}`),
  ];
  const found =
    answers.find(({ status, body }) => status === 200 && body.rows.length > 0) ??
    answers.find(({ status }) => status === 200);
  assert.ok(found !== undefined, `${JSON.stringify(query)}: ${answers[0]?.text}`);
  return found.body.rows;
}
const search = async (text: string) => (await items({ search: text })).map(({ name }) => name);

assert.deepEqual(await search("50%"), ["Softbox 50% diffusion"]);
assert.deepEqual(await search("%"), ["Softbox 50% diffusion"]);
assert.deepEqual(await search("Mount_A"), ["Mount_A"]);
assert.deepEqual(await search("_"), ["Mount_A"]);
assert.deepEqual(await search("\\"), ["Back\\slash"]);
assert.deepEqual(await search("k\\s"), ["Back\\slash"]);
assert.deepEqual(await search("zoom"), ["Zoom H6"], "case does not matter");
assert.deepEqual(await search("O'B"), ["O'Brien grip"]);
assert.equal((await search("CAM-00")).length, 7, "asset tags are searched as well");

const order = async (sort: string) =>
  (await items({ sort })).map(({ assetTag }) => Number(assetTag.slice(-1)));
assert.deepEqual(await order("assetTag"), [1, 2, 3, 4, 5, 6, 7]);
assert.deepEqual(await order("-assetTag"), [7, 6, 5, 4, 3, 2, 1]);
assert.deepEqual(await order("dailyFeeCents"), [6, 7, 2, 3, 4, 1, 5]);
assert.deepEqual(await order("-dailyFeeCents"), [5, 1, 3, 4, 2, 7, 6], "where fees are the same, tags go up");
assert.deepEqual(await order("category"), [3, 4, 5, 6, 7, 1, 2]);
// Whether "_" comes before "X" depends on how case is dealt with, of which nothing was asked.
const byName = (await items({ sort: "name" }))
  .map(({ name }) => name)
  .filter((name) => !name.startsWith("Mount"));
assert.deepEqual(byName, names.filter((name) => !name.startsWith("Mount")).sort());

for (const sort of [
  "daily_fee_cents",
  "id",
  "name; DROP TABLE loans",
  "(SELECT 1)",
  "constructor",
  "__proto__",
  "-",
  "--name",
  "name,id",
]) {
  const { status, body, text } = await desk.call("GET", `/items?${new URLSearchParams({ page: "1", sort })}`);
  assert.equal(status, 400, `sort=${sort} was answered with ${status}: ${text}`);
  assert.equal(body.error.code, "unknown_sort", `sort=${sort}`);
}
desk.close();
