import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { knownUnsteady } from "./known-unsteady.ts";
import { listFaults, reportRetries } from "./second-tries.ts";

const eyes = { file: "test/host/eyes.test.ts", reason: "the editor drops a click" };

test("a file that needed a second try is a fault unless it is listed, and then the list's reason is printed", () => {
  const tries = [{ step: "eyes", files: [eyes.file, "test/host/other.test.ts"] }];
  const { known, faults } = reportRetries(tries, [eyes]);
  assert.deepEqual(known, ["eyes: test/host/eyes.test.ts failed, then passed: the editor drops a click"]);
  assert.equal(faults.length, 1);
  assert.match(
    faults[0] ?? "",
    /^eyes: test\/host\/other\.test\.ts failed, then passed\. Mend it, or list it/u,
  );
});

test("a listed file is known by its name as Windows writes it too", () => {
  const { known, faults } = reportRetries([{ step: "eyes", files: ["test\\host\\eyes.test.ts"] }], [eyes]);
  assert.deepEqual([known.length, faults], [1, []]);
});

test("a step that named no file that failed is a fault, whatever is listed", () => {
  assert.equal(reportRetries([{ step: "unit", files: [] }], [eyes]).faults.length, 1);
});

test("a list without matches passes, and no second try is not a fault", () => {
  assert.deepEqual(
    listFaults([], () => false),
    [],
  );
  assert.deepEqual(reportRetries([], [eyes]), { known: [], faults: [] });
});

test("a listed file that is gone, has no reason or is listed twice is a fault", () => {
  const there = (file: string) => file === eyes.file;
  assert.deepEqual(listFaults([eyes], there), []);
  assert.match(listFaults([eyes], () => false).join(), /eyes\.test\.ts, which is not there/u);
  assert.match(listFaults([{ ...eyes, reason: " " }], there).join(), /without a reason/u);
  assert.match(listFaults([eyes, eyes], there).join(), /twice/u);
});

test("the list of this repository is in order", () => {
  const root = path.resolve(import.meta.dirname, "../..");
  assert.deepEqual(
    listFaults(knownUnsteady, (file) => existsSync(path.join(root, file))),
    [],
  );
});
