import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inLine, quoted } from "../../../../src/engine/continuity/handover/improvement.ts";

// Put together here, so that no scanner takes this file for a leak.
const key = ["ghp", "_", "a1B2".repeat(9)].join("");

describe("a quotation of a session", () => {
  it("contains no secret divided by invisible letters", () => {
    const divided = `use ${key.slice(0, 12)}\u200B${key.slice(12)} here`;
    assert.equal(quoted(divided, 500), "> use [secret] here");
    assert.equal(inLine(divided, 500), "use [secret] here");
  });

  it("contains no multi-line secret", () => {
    const lines = ["MIIEvQIBADANBg", "kqhkiG9w0BAQEF"];
    const pem = [
      "-----BEGIN PRIVATE",
      " KEY-----\n",
      lines.join("\n"),
      "\n-----END PRIVATE",
      " KEY-----",
    ].join("");
    const text = quoted(`before\n${pem}\nafter`, 500);
    assert.equal(text, "> before\n> [secret]\n> after");
  });

  it("keeps indentation, and marks what is left out", () => {
    assert.equal(quoted("a\n\n    b\n", 500), "> a\n>\n>     b");
    assert.equal(quoted("first\nsecond", 7), "> first\n> (The rest is left out.)");
  });
});
