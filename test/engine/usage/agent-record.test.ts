import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noUsage } from "../../../src/engine/usage/token-counts.ts";
import { countOnce, type UsageRecord } from "../../../src/engine/usage/agent-record.ts";

function record(key: string | null, isReplay: boolean, sessionId = "s1"): UsageRecord {
  const rest = { cwd: null, model: null, at: null, responseId: null, usage: noUsage, raw: {}, window: null };
  return { agent: "codex", sessionId, ...rest, isReplay, key };
}

describe("counting records once", () => {
  it("keeps one of each key, the original before a copy, in the order of the first", () => {
    const [copy, other, original] = [record("a", true, "s2"), record("b", false), record("a", false)];
    assert.deepEqual(countOnce([copy, other, original, copy, other]), [original, other]);
  });

  it("keeps a copy whose original is gone, once", () => {
    const copies = [record("a", true, "s2"), record("a", true, "s3")];
    assert.deepEqual(countOnce(copies), [copies[0]]);
  });

  it("drops copies of an unknown original, and keeps everything that is not a copy", () => {
    const own = record(null, false);
    assert.deepEqual(countOnce([record(null, true), own, own]), [own, own]);
  });
});
