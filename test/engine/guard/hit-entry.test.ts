import assert from "node:assert/strict";
import test from "node:test";
import { hitEntry } from "../../../src/engine/guard/hit-entry.ts";

const key = `ghp_${"a1B2".repeat(9)}`;

function excerptOf(excerpt: string): string | null | undefined {
  const facts = { rule: "r", family: "safety", action: "ask", done: "asked", savedBytes: null } as const;
  return hitEntry({ session_id: "s" }, { ...facts, excerpt, program: "claude-code", at: 1 }).excerpt;
}

test("A call's excerpt has no secret, and no half of one where it is cut", () => {
  assert.equal(excerptOf(`deploy ${key} now`), "deploy [secret] now");
  assert.equal(excerptOf(`deploy ${key.slice(0, 12)}…`), "deploy …");
  assert.equal(excerptOf(`${"ab ".repeat(130)}${key}`), "ab ".repeat(130));
});
