import { isObject, parseJson } from "../../../../src/engine/base/parse.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readReplyDetails, readToolResults } from "../../../../src/engine/transcripts/claude/row-details.ts";
import type { RowObject } from "../../../../src/engine/transcripts/claude/message-parts.ts";
import { readWork } from "../../../../src/engine/transcripts/claude/work.ts";
import { readRecordings } from "../../support/recordings.ts";

const reply = (...content: unknown[]) => ({ type: "assistant", message: { id: "msg_1", content } });
const results = (...content: unknown[]) => ({ type: "user", message: { content } });

describe("the agent's work in a row", () => {
  it("is a call with its kind, its file and its turn", () => {
    const input = { file_path: "/argo/a.ts", limit: 3 };
    assert.deepEqual(readWork(reply({ type: "tool_use", id: "t1", name: "Read", input })), {
      messageId: "msg_1",
      texts: [],
      calls: [{ id: "t1", tool: "Read", kind: "read", input, file: "/argo/a.ts" }],
      results: [],
    });
  });

  it("is the reply, as a text or in blocks", () => {
    assert.deepEqual(readWork(reply({ type: "text", text: "one" }, { type: "text", text: "" })).texts, [
      "one",
      "",
    ]);
    assert.deepEqual(readWork({ type: "assistant", message: { content: "all" } }).texts, ["all"]);
    assert.deepEqual(readWork(results({ type: "text", text: "asked" })).texts, []);
  });

  it("is the result, with its texts one per line", () => {
    const content = [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }];
    const row = results(
      { type: "tool_result", tool_use_id: "t1", content, is_error: true },
      { type: "tool_result", tool_use_id: "t2", content: "all of it" },
      { type: "tool_result", content: "nobody's" },
    );
    assert.deepEqual(readWork(row).results, [
      { id: "t1", isError: true, text: "a\nb" },
      { id: "t2", isError: false, text: "all of it" },
    ]);
  });

  it("can be read from any row", () => {
    const key = fc.constantFrom("type", "message", "content", "input", "id", "name", "text", "tool_use_id");
    const any = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("assistant", "tool_use", "tool_result", "text", 1, null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value")),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(key, any), (row) => {
        const { calls, results: found } = readWork(row);
        assert.ok([...calls, ...found].every(({ id }) => id !== ""));
      }),
    );
  });

  it("equals the work that the ledger's reader counts, in every recording", () => {
    let [calls, returned] = [0, 0];
    for (const row of rows()) {
      const work = readWork(row);
      if (row["type"] === "assistant") {
        const known = readReplyDetails(row).calls;
        calls += known.length;
        assert.deepEqual(
          work.calls.map(({ id, tool, kind, file }) => [id, tool, kind === "read" ? file : null]),
          known.map(({ id, tool, reads }) => [id, tool, reads]),
        );
      }
      if (row["type"] !== "user") continue;
      const known = readToolResults(row);
      returned += known.length;
      assert.deepEqual(
        work.results.map(({ id, isError }) => [id, isError]),
        known.map(({ id, isError }) => [id, isError === true]),
      );
    }
    assert.ok(calls > 30 && returned > 30, `${calls} calls, ${returned} results`);
  });
});

function rows(): RowObject[] {
  const files = readRecordings().flatMap(({ files: all }) => all);
  return files
    .flatMap(({ path }) => readFileSync(path, "utf8").split("\n"))
    .map((line) => parseJson(line))
    .filter(isObject);
}
