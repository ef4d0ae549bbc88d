import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { placeSample } from "../../../src/extension/sample/unpack.ts";

const moment = Date.UTC(2026, 10, 2, 12);
const packed = { version: 1, moment, workspace: "/home/dev/harbor", claude: "/home/dev/.claude" };
const place = { now: moment, workspace: "/tmp/s/harbor", claude: "/tmp/s/claude" };

test("times and folders move in every text, also in JSON inside of JSON", () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 4000 }), fc.integer({ min: 0, max: 300 }), (days, ago) => {
      const shift = days * 86_400_000;
      const at = moment - ago * 86_400_000;
      const inner = JSON.stringify({ at, when: new Date(at).toISOString(), file: "/home/dev/harbor/a.ts" });
      const file = JSON.stringify({ inner, cwd: "/home/dev/harbor" });
      const text = JSON.stringify({
        ...packed,
        files: [["a", file]],
        entries: [{ json: inner, at }],
        jobs: [],
      });
      const placed = placeSample(text, { ...place, now: moment + shift });
      assert.ok(placed.ok);
      const wanted = { at: at + shift, when: new Date(at + shift).toISOString(), file: "/tmp/s/harbor/a.ts" };
      const [[, moved] = ["", ""]] = placed.value.files;
      assert.deepEqual(JSON.parse(moved), { inner: JSON.stringify(wanted), cwd: "/tmp/s/harbor" });
      assert.deepEqual(placed.value.entries, [{ json: JSON.stringify(wanted), at: at + shift }]);
    }),
  );
});

test("a folder's address is the folder's, whatever its name", () => {
  const text = JSON.stringify({
    ...packed,
    files: [["a", "file:///home/dev/harbor"]],
    entries: [],
    jobs: [],
  });
  const placed = placeSample(text, { ...place, workspace: "/tmp/50 % #1/harbor" });
  assert.ok(placed.ok);
  assert.equal(fileURLToPath(placed.value.files[0]?.[1] ?? ""), path.resolve("/tmp/50 % #1/harbor"));
});

test("leaves numbers that are not times, and digits in ids, unchanged", () => {
  const text = JSON.stringify({
    ...packed,
    files: [["a", "id-1793620800000 x1793620800000 0.1793620800000 17936208000001 9793620800000"]],
    entries: [{ seed: 1_200_000_000_000 }],
    jobs: [],
  });
  const placed = placeSample(text, { ...place, now: moment + 1000 });
  assert.ok(placed.ok);
  assert.equal(
    placed.value.files[0]?.[1],
    "id-1793620800000 x1793620800000 0.1793620800000 17936208000001 9793620800000",
  );
  assert.deepEqual(placed.value.entries, [{ seed: 1_200_000_000_000 }]);
});

test("treats anything but the packed sample as damaged, and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(JSON.stringify(packed))), (text) => {
      const placed = placeSample(text, place);
      assert.equal(placed.ok ? "" : placed.reason, "damaged");
    }),
  );
});

test("refuses a temporary folder if its name would break JSON, and names it", () => {
  for (const mark of ['"', "\\", "\n"]) {
    const text = JSON.stringify({ ...packed, files: [], entries: [], jobs: [] });
    const placed = placeSample(text, { ...place, workspace: `/tmp/a${mark}b` });
    assert.equal(placed.ok ? "" : placed.reason, "unfit");
  }
});
