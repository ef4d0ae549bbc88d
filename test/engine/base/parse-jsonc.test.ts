import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJsonc } from "../../../src/engine/transcripts/vscode-chat/parse-jsonc.ts";

describe("JSON with comments", () => {
  it("is parsed, trailing commas too", () => {
    assert.deepEqual(parseJsonc('// Mine.\n{"a": [1, /* and */ 2,],}'), { a: [1, 2] });
  });

  it("is undefined for an empty text, or one nested deeper than any settings", () => {
    for (const text of ["", "[".repeat(200_000), '{"a":'.repeat(200_000)])
      assert.equal(parseJsonc(text), undefined, text.slice(0, 10));
  });
});
