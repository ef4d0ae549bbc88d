import assert from "node:assert/strict";
import { it } from "node:test";
import { AskedMessages } from "../../../src/extension/messages/asked.ts";

it("A message is asked about once, and once more when it can be answered here after all", () => {
  const asked = new AskedMessages();
  const isNew = (id: string, answerUntil: number | null) => asked.isNew({ id, answerUntil });
  assert.deepEqual(
    [isNew("a", null), isNew("a", null), isNew("a", 5), isNew("a", 5), isNew("a", null), isNew("a", 9)],
    [true, false, true, false, false, false],
  );
  assert.deepEqual([isNew("b", 5), isNew("b", null)], [true, false]);
});
