import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ChatLog } from "../../../../src/engine/transcripts/vscode-chat/chat-records.ts";

const request = fc.record({ requestId: fc.constantFrom("a", "b", "c", "d"), promptTokens: fc.nat(9) });
const place = fc.nat(5);
const entry = fc.oneof(
  fc.record({
    kind: fc.constant(2),
    k: fc.constant(["requests"]),
    v: fc.array(request, { maxLength: 3 }),
    i: fc.option(place, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant(1),
    k: place.map((index) => ["requests", index, "promptTokens"]),
    v: fc.nat(9),
  }),
  fc.record({ kind: fc.constant(1), k: place.map((index) => ["requests", index]), v: request }),
  fc.record({
    kind: fc.constant(2),
    k: place.map((index) => ["requests", index, "response"]),
    v: fc.constant([{ kind: "toolInvocationSerialized" }]),
  }),
  fc.record({
    kind: fc.constant(0),
    v: fc.record({ requests: fc.array(request, { maxLength: 4 }) }),
  }),
);

const read = (log: ChatLog, lines: readonly object[]) => {
  for (const line of lines) log.line(Buffer.from(JSON.stringify(line)));
  return log.requests();
};

describe("the requests of a chat's log", () => {
  it("are the same whether read after every entry or only at the end", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        const lines = [{ kind: 0, v: { requests: [] } }, ...entries];
        const followed = new ChatLog();
        for (const [index, line] of lines.entries())
          assert.deepEqual(read(followed, [line]), read(new ChatLog(), lines.slice(0, index + 1)));
      }),
    );
  });
});
