import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withoutAdjoined } from "../../../../src/engine/ledger/redact/copies.ts";

// In two parts, so that no scanner of repositories takes them for keys in use.
const keys = [
  ["ghp_", "aB3dE6gH9jK2mN5pQ8rS1tU4vW7x"],
  ["AKIA", "ABCDEFGH23456789"],
  ["sk-ant-", "api03-Zx8Yw7Vu6Ts5Rq4Po3"],
  ["glpat-", "x1Y2z3A4b5C6d7E8f9G0"],
].map((parts) => parts.join(""));
const blanked = (text: string) => withoutAdjoined(Buffer.from(text, "latin1")).toString("latin1");

describe("keys in a file that cannot be read in its own format", () => {
  it("are overwritten where other texts adjoin them", () => {
    for (const key of keys) {
      assert.equal(blanked(`main${key}`), `main${"*".repeat(key.length)}`);
      const after = blanked(`Fix the pier${key}Oct 3: done`);
      assert.ok(!after.includes(key) && after.startsWith("Fix the pier*"), after);
      assert.equal(after.length, `Fix the pier${key}Oct 3: done`.length);
    }
  });

  it("are overwritten where they continue in another page", () => {
    for (const key of keys)
      for (let cut = 1; cut < key.length; cut += 1)
        for (const page of ["\0\0\u0001\u0005", "\0\0\0*", "\0\0\0A"]) {
          const after = blanked(`title ${key.slice(0, cut)}${page}${key.slice(cut)} end`);
          assert.equal(after, `title ${"*".repeat(cut)}${page}${"*".repeat(key.length - cut)} end`);
        }
  });

  it("are the only bytes overwritten", () => {
    const text = `an ordinary text\0\0\0\u0007${"\u0001".repeat(20)}src/engine/ledger/redact/copies.ts`;
    assert.equal(blanked(text), text);
    const long = "word ".repeat(500_000);
    assert.equal(blanked(`${long}${keys[0]}${long}`).length, 2 * long.length + (keys[0]?.length ?? 0));
    assert.ok(!blanked(`${long}${keys[0]}${long}`).includes("ghp_"));
  });
});
