import assert from "node:assert/strict";
import test from "node:test";
import { MessageRows } from "../../../../src/engine/ledger/store/response-copies.ts";

test("every row of a message is found, and hardly any others", () => {
  const rows = new MessageRows();
  const messages = Array.from({ length: 100_000 }, (_, index) => `msg_01${(index % 90_000).toString(16)}`);
  for (const message of messages) rows.add(message);
  assert.equal(rows.count, messages.length);
  let others = 0;
  for (const [index, message] of messages.entries()) {
    const found = rows.of(message);
    assert.ok(found.includes(index + 1));
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
    );
    others += found.filter((row) => messages[row - 1] !== message).length;
    assert.ok(rows.of(`req_${index}`).length <= 2);
  }
  assert.ok(others < 100, `${others} rows of other messages`);
});
