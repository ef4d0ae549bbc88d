import assert from "node:assert/strict";
import { test } from "node:test";
import { rethrowUnlessSystemError } from "../../../src/engine/base/result.ts";

test("returns for a system error and rethrows any other", () => {
  rethrowUnlessSystemError(Object.assign(new Error("no such file"), { code: "ENOENT" }));
  const bug = new TypeError("not a function");
  assert.throws(() => rethrowUnlessSystemError(bug), bug);
});
