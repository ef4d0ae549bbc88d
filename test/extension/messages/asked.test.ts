import assert from "node:assert/strict";
import { it } from "node:test";
import { AskedMessages } from "../../../src/extension/messages/message-questions.ts";

it("asks about a message once, and once more if it can be answered here later", () => {
  const asked = new AskedMessages();
  const isNew = (id: string, answerUntil: number | null) => asked.isNew({ id, answerUntil });
  assert.deepEqual(
    [isNew("a", null), isNew("a", null), isNew("a", 5), isNew("a", 5), isNew("a", null), isNew("a", 9)],
    [true, false, true, false, false, false],
  );
  assert.deepEqual([isNew("b", 5), isNew("b", null)], [true, false]);
});
