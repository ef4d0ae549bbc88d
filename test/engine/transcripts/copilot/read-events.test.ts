import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  began,
  by,
  compacted,
  ended,
  event,
  readEventLines,
  said,
  start,
  tokensOf,
  used,
  vector,
} from "./event-rows.ts";

describe("reading Copilot's events", () => {
  it("reads the session", () => {
    const { facts } = readEventLines([
      began,
      event(1, "session.title_changed", { title: "The harbor" }),
      event(2, "session.context_changed", { cwd: "/home/dev/pier", branch: "pier" }),
      event(3, "session.model_change", { newModel: "gpt-6" }),
    ]);
    const { sessionId, cwd, branch, title, agentVersion, model, lastAt, contextLeft } = facts;
    assert.deepEqual(
      [sessionId, cwd, branch, title, agentVersion, model, lastAt],
      ["s1", "/home/dev/pier", "pier", "The harbor", "1.0.102", "gpt-6", start + 3000],
    );
    assert.equal(contextLeft.provenance, "unknown");
  });

  it("reads each response, with the cache as part of its input", () => {
    const { records, facts } = readEventLines([began, used(1, 1, vector(100, 40, 10, 30))]);
    const [record] = records;
    const usage = { input: 30, output: 10, cacheCreation5m: 30, cacheCreation1h: 0, cacheRead: 40 };
    assert.deepEqual(record?.usage, usage);
    assert.deepEqual([record.responseId, record.window, record.isReplay], ["call-1", 922_000, false]);
    assert.deepEqual([facts.window.value, facts.window.provenance], [922_000, "official"]);
  });

  it("counts a response once if totals include it, or if it is written twice", () => {
    const lines = [began, used(1, 1, vector(100, 40, 10)), used(2, 1, vector(100, 40, 10))];
    const all = [...lines, used(3, 2, vector(50, 0, 5)), ended(4, { "gpt-5.4": vector(150, 40, 15) }, 2)];
    assert.deepEqual(tokensOf(readEventLines(all).records), ["gpt-5.4 60 40 10", "gpt-5.4 50 0 5"]);
  });

  it("counts the part of the totals beyond single responses", () => {
    const lines = [began, used(1, 1, vector(100, 40, 10)), ended(2, { "gpt-5.4": vector(130, 40, 14) }, 2)];
    assert.deepEqual(tokensOf(readEventLines(lines).records), ["gpt-5.4 60 40 10", "gpt-5.4 30 0 4"]);
  });

  it("recognises another session's response as a copy", () => {
    const [record] = readEventLines([began, used(1, 7, vector(1, 0, 1), "s0")]).records;
    assert.deepEqual([record?.isReplay, record?.key], [true, "copilot s0 7"]);
  });

  it("recognises a subagent's response as the session's own, despite its own source", () => {
    const lines = [began, used(1, 1, vector(9, 0, 1)), by("a1", used(2, 1, vector(5, 0, 1), "s7"))];
    const { records } = readEventLines(lines);
    const actual = records.map(({ usedBy, agentId, isReplay }) => [usedBy, agentId, isReplay]);
    assert.deepEqual(actual, [
      ["s1", null, false],
      ["s1", "a1", false],
    ]);
  });

  it("recognises a subagent's response as a copy if the conversation that called it is one", () => {
    const copied = [used(1, 1, vector(9, 0, 1), "s0"), by("a1", used(2, 1, vector(5, 0, 1), "s7"))];
    const { records } = readEventLines([began, ...copied, used(3, 1, vector(3, 0, 1))]);
    const actual = records.map(({ usedBy, isReplay }) => [usedBy, isReplay]);
    assert.deepEqual(actual, [
      ["s0", true],
      ["s7", true],
      ["s1", false],
    ]);
  });

  it("counts a compaction's own requests once; no total includes them", () => {
    const lines = [began, used(1, 1, vector(100, 40, 10)), compacted(2, vector(90, 50, 7))];
    const all = [...lines, compacted(2, vector(90, 50, 7)), ended(3, { "gpt-5.4": vector(100, 40, 10) })];
    assert.deepEqual(tokensOf(readEventLines(all).records), ["gpt-5.4 60 40 10", "gpt-5.4 40 50 7"]);
    const cancelled = compacted(3, vector(8, 0, 2), { success: false, outcome: "cancelled" });
    assert.deepEqual(tokensOf(readEventLines([...lines, cancelled]).records).slice(2), ["gpt-5.4 8 0 2"]);
  });

  it("counts no compaction in addition to the totals of versions without usage records", () => {
    const lines = [began, compacted(2, vector(90, 50, 7)), ended(3, { a: vector(100, 40, 10) })];
    assert.deepEqual(tokensOf(readEventLines(lines).records), ["a 60 40 10"]);
  });

  it("knows the rows of a compaction's model calls", () => {
    const { skipped } = readEventLines([began, event(1, "model.messages_snapshot", { messages: [] })]);
    assert.deepEqual([...skipped.unknown], []);
  });

  it("uses only the growth of cumulative totals", () => {
    const first = { a: vector(100, 20, 10), b: vector(9, 0, 1) };
    const lines = [began, ended(1, first, 2), ended(2, { ...first, a: vector(160, 30, 25) }, 3)];
    assert.deepEqual(tokensOf(readEventLines(lines).records), ["a 80 20 10", "b 9 0 1", "a 50 10 15"]);
    assert.equal(
      readEventLines([...lines, ended(3, { ...first, a: vector(160, 30, 25) }, 3)]).records.length,
      3,
    );
  });

  it("uses the whole totals, for every model alike, when one went back", () => {
    const lines = [began, ended(1, { a: vector(100, 20, 10), b: vector(9, 0, 1) })];
    const restarted = [...lines, ended(2, { a: vector(50, 5, 40), b: vector(20, 0, 2) })];
    assert.deepEqual(tokensOf(readEventLines(restarted).records).slice(2), ["a 45 5 40", "b 20 0 2"]);
    const without = [...lines, ended(2, { a: vector(150, 20, 40) })];
    assert.deepEqual(tokensOf(readEventLines(without).records).slice(2), ["a 130 20 40"]);
  });

  it("distinguishes totals of a process from totals of a session by the output of its messages", () => {
    const lines = [began, said(1, 10), ended(2, { a: vector(100, 20, 10) })];
    const ofProcess = [...lines, said(3, 25), ended(4, { a: vector(160, 30, 25) })];
    assert.deepEqual(tokensOf(readEventLines(ofProcess).records), ["a 80 20 10", "a 130 30 25"]);
    const ofSession = [...lines, said(3, 25), ended(4, { a: vector(160, 30, 35) })];
    assert.deepEqual(tokensOf(readEventLines(ofSession).records), ["a 80 20 10", "a 50 10 25"]);
  });

  it("reports a plan's quota from a response that has one", () => {
    const resetDate = "2026-12-01T00:00:00.000Z";
    const quotaSnapshots = { premium: { remainingPercentage: 75, resetDate } };
    const line = event(1, "session.usage_record", { usage: { ...vector(1, 0, 1), quotaSnapshots } });
    const limit = { name: "premium", usedPercent: 25, windowMinutes: null, resetsAt: Date.parse(resetDate) };
    assert.deepEqual(readEventLines([began, line]).facts.rateLimits, [
      { ...limit, at: start + 1000, provenance: "official" },
    ]);
    const unlimited = { chat: { remainingPercentage: 100, isUnlimitedEntitlement: true } };
    const free = event(1, "session.usage_record", {
      usage: { ...vector(1, 0, 1), quotaSnapshots: unlimited },
    });
    assert.deepEqual(readEventLines([began, free]).facts.rateLimits, []);
  });

  it("counts lines it cannot read, and lines of unknown types", () => {
    const { skipped } = readEventLines([
      began,
      "{",
      event(1, "session.shutdown", {}),
      event(2, "novelty", {}),
    ]);
    assert.deepEqual([skipped.malformed, [...skipped.unknown]], [2, [["novelty", 1]]]);
  });
});
