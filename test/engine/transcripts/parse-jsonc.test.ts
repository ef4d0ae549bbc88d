import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJsonc } from "../../../src/engine/transcripts/parse-jsonc.ts";

describe("parseJsonc", () => {
  it("accepts comments, trailing commas and a byte order mark", () => {
    assert.deepEqual(parseJsonc('// Mine.\n{"a": [1, /* and */ 2,],}'), { a: [1, 2] });
    assert.deepEqual(parseJsonc('\uFEFF{"a": 1}'), { a: 1 });
  });

  it("returns undefined for an empty text, and for one nested deeper than the stack", () => {
    for (const text of ["", "[".repeat(200_000), '{"a":'.repeat(200_000)])
      assert.equal(parseJsonc(text), undefined, text.slice(0, 10));
  });
});
