import assert from "node:assert/strict";
import { it } from "node:test";
import { isMain } from "./is-main.ts";

it("knows the program that Node was started with, and none where it was started with a pattern", () => {
  const file = import.meta.filename;
  assert.equal(isMain(file, file), true);
  assert.equal(isMain(file, import.meta.dirname), false);
  assert.equal(isMain(file, "scripts/**/!(*.process).test.ts"), false);
});
