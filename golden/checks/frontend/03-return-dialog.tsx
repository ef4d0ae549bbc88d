/** @jsxRuntime automatic @jsxImportSource react */
import { button, click, draw, enter, find, later, press, settle } from "../shared/page.ts";
import assert from "node:assert/strict";

const { ReturnDialog } = await import("../../src/admin/components/ReturnDialog.tsx");
const loan = {
  ...{ id: 1, itemId: 1, memberId: 1, itemName: "Zoom H6", assetTag: "AUD-001", memberName: "Ada" },
  ...{ lentAt: "2026-03-01T09:00:00.000Z", dueAt: "2026-03-04T09:00:00.000Z", returnedAt: null, renewals: 0 },
};

let cancelled = 0;
let answer = later<void>();
const confirmed: (string | undefined)[] = [];
const dialog = (
  <ReturnDialog
    loan={loan}
    onCancel={() => (cancelled += 1)}
    onConfirm={(condition) => {
      confirmed.push(condition);
      return answer.promise;
    }}
  />
);
const { place, remove } = await draw(dialog);
await settle();

const box = find(place, "[role=dialog], dialog");
assert.equal(box.getAttribute("aria-modal") ?? (box.tagName === "DIALOG" ? "true" : null), "true");
const name =
  box.getAttribute("aria-label") ??
  document.getElementById(box.getAttribute("aria-labelledby") ?? "")?.textContent ??
  "";
assert.match(name, /Zoom H6/, "the dialog has no name");
assert.equal(document.activeElement?.tagName, "SELECT", "the focus is not on the condition");

await press(find(place, "select"), "Enter");
await press(find(place, "select"), "a");
assert.equal(cancelled, 0);
await press(find(place, "select"), "Escape");
assert.equal(cancelled, 1, "Escape does not cancel");

await enter(find(place, "select"), "worn");
await click(button(place, /^Take back/));
assert.deepEqual(confirmed, ["worn"]);
for (const each of place.querySelectorAll("button")) {
  assert.equal(each.disabled, true, `${each.textContent} can be pressed while it is taken back`);
  await click(each);
}
await press(box, "Escape");
assert.deepEqual([confirmed.length, cancelled], [1, 1], "something could be done while it is taken back");

const before = answer;
answer = later();
before.fail(new Error("The server is away"));
await settle();
assert.match(find(place, "[role=alert]").textContent, /The server is away/);
assert.equal(find(place, "select").value, "worn", "what was chosen is lost");
for (const each of place.querySelectorAll("button"))
  assert.equal(each.disabled, false, "it can't be tried again");

await click(button(place, /^Take back/));
assert.equal(confirmed.length, 2);
assert.equal(place.querySelector("[role=alert]"), null, "the error of before is still shown");
answer.keep();
await settle();
await remove();

// As it was.
answer = later();
const second = await draw(dialog);
await click(button(second.place, /^Take back/));
assert.equal(confirmed.at(-1), undefined);
answer.keep();
await settle();
await second.remove();
process.exit(0);
