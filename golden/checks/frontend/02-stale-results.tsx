/** @jsxRuntime automatic @jsxImportSource react */
import { draw, enter, find, later, settle } from "../shared/page.ts";
import assert from "node:assert/strict";
import type { Item, Page } from "../../src/shared/types.ts";

const { ItemList } = await import("../../src/admin/components/ItemList.tsx");

const page = (name: string): Page<Item> => ({
  rows: [
    {
      id: 1,
      assetTag: "CAM-001",
      name,
      category: "camera",
      condition: "good",
      dailyFeeCents: 0,
      replacementCents: 0,
    },
  ],
  ...{ page: 1, size: 20, total: 1, pages: 1 },
});

const asked: {
  search: string;
  signal: AbortSignal | undefined;
  answer: ReturnType<typeof later<Page<Item>>>;
}[] = [];
const api = {
  items: ({ search }: { search: string }, signal?: AbortSignal) => {
    const answer = later<Page<Item>>();
    asked.push({ search, signal, answer });
    return answer.promise;
  },
};
const { place, remove } = await draw(<ItemList api={api} />);
const type = async (text: string) => {
  await enter(find(place, "input"), text);
  await settle();
  return asked.at(-1)!;
};
const shown = () => place.querySelector("ul")?.textContent ?? "";
const busy = () => place.querySelector("[aria-busy]")?.getAttribute("aria-busy");
const alert = () => place.querySelector("[role=alert]")?.textContent ?? null;

asked[0]!.answer.keep(page("Everything"));
await settle();
assert.match(shown(), /Everything/);

// The older answer comes last.
const slow = await type("zo");
const quick = await type("zoom");
assert.deepEqual([slow.search, quick.search], ["zo", "zoom"]);
assert.equal(slow.signal?.aborted, true, "what nobody waits for any more was not given up");
assert.equal(quick.signal?.aborted, false);
quick.answer.keep(page("Zoom H6"));
await settle();
slow.answer.keep(page("Zorro mask"));
await settle();
assert.match(shown(), /Zoom H6/, "an older answer replaced a newer one");
assert.equal(busy(), "false");

// The older answer comes first, while the newer one is awaited.
const first = await type("a");
const second = await type("ab");
first.answer.keep(page("Aputure"));
await settle();
assert.match(shown(), /Zoom H6/, "an older answer was shown while a newer one is awaited");
assert.equal(busy(), "true", "it still waits");
second.answer.keep(page("Abbot"));
await settle();
assert.match(shown(), /Abbot/);

// What was given up fails, as it does with fetch.
const given = await type("c");
const wanted = await type("ca");
given.answer.fail(new DOMException("This operation was aborted", "AbortError"));
await settle();
assert.equal(alert(), null, "what was given up is no error");
assert.equal(busy(), "true");
wanted.answer.fail(new Error("The server is away"));
await settle();
assert.match(alert() ?? "", /away/);
assert.equal(busy(), "false");

// An error is over when there is an answer.
const after = await type("cam");
after.answer.keep(page("Camera"));
await settle();
assert.equal(alert(), null, "an error of before is still shown");
assert.match(shown(), /Camera/);

// Gone.
const last = await type("camera");
await remove();
assert.equal(last.signal?.aborted, true, "the page is gone, and it still waits");
process.exit(0);
