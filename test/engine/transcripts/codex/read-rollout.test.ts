import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countRollouts } from "../../../../src/engine/transcripts/codex.ts";
import { textOfTerms } from "../../../../src/engine/usage/price-terms.ts";
import {
  count,
  idAt,
  meta,
  readLines,
  response,
  row,
  settings,
  start,
  tokensOf,
  turn,
  vector,
} from "./rollout-rows.ts";

const id = idAt(0);
const head = meta(0, { id, git: { branch: "main" } });

describe("reading a rollout", () => {
  it("reads the session", () => {
    const { facts } = readLines([head, turn(1, idAt(1))], "another");
    assert.deepEqual(
      [facts.sessionId, facts.cwd, facts.branch, facts.agentVersion, facts.model, facts.kind, facts.lastAt],
      [id, "/home/dev/harbor", "main", "0.169.0", "gpt-5.5", "main", start + 1000],
    );
  });

  it("uses the file's id where no line has one", () => {
    const { facts, records } = readLines([count(1, vector(10, 0, 1))], "by-name");
    assert.equal(facts.sessionId, "by-name");
    assert.equal(records[0]?.sessionId, "by-name");
  });

  it("normalises: the cache is part of the input, reasoning part of the output", () => {
    const [record] = readLines([
      head,
      turn(1, idAt(1)),
      response(2, id, "r1", vector(100, 40, 10, 30, 5)),
    ]).records;
    const usage = { input: 30, output: 10, cacheCreation5m: 30, cacheCreation1h: 0, cacheRead: 40 };
    assert.deepEqual(record?.usage, usage);
    assert.deepEqual(record.raw, vector(100, 40, 10, 30, 5));
    assert.deepEqual([record.responseId, record.model, record.isReplay], ["r1", "gpt-5.5", false]);
  });

  it("reads the service tier requested for each response", () => {
    const totals = [1, 2, 3, 4, 5, 6, 7].map((each) => vector(100 * each, 0, 10 * each));
    const before = [
      turn(1, idAt(1)),
      settings(1, "priority"),
      turn(1, idAt(2)),
      settings(1, "flex"),
      turn(1, idAt(3), "gpt-5.5", { service_tier: null }),
      settings(1, "ultrafast"),
      settings(1),
    ];
    const lines = totals.flatMap((total, at) => [before[at] ?? "", count(2 + at, total, vector(100, 0, 10))]);
    const { records } = readLines([head, ...lines]);
    const tiers = ["standard", "fast", "fast", "batch", "standard", "other-tier", "standard"];
    assert.deepEqual(
      records.map(({ terms }) => textOfTerms(terms) ?? "standard"),
      tiers,
    );
  });

  it("counts the growth of totals, and a repeated one not at all", () => {
    const [a, b] = [vector(100, 0, 10), vector(250, 90, 30)];
    const { records } = readLines([
      head,
      count(1, a, a),
      count(2, a, a),
      count(3, b, vector(150, 90, 20)),
      count(4, b),
    ]);
    assert.deepEqual(tokensOf(records), ["100 0 10", "60 90 20"]);
  });

  it("uses totals only before the first record of a response", () => {
    const [a, b] = [vector(100, 0, 10), vector(200, 0, 20)];
    const lines = [head, count(1, a, a), response(2, id, "r2", a), count(2, b, a), response(3, id, "r2", a)];
    assert.deepEqual(
      readLines(lines).records.map(({ responseId }) => responseId),
      [null, "r2"],
    );
  });

  it("starts over with the totals, all together", () => {
    const lines = [head, count(1, vector(100, 20, 10)), count(2, vector(50, 5, 40))];
    assert.deepEqual(tokensOf(readLines(lines).records), ["80 20 10", "45 5 40"]);
  });

  it("starts over even with larger new totals, when they are one response's", () => {
    const next = vector(500, 100, 50);
    const lines = [head, count(1, vector(100, 20, 10)), count(2, next, next)];
    assert.deepEqual(tokensOf(readLines(lines).records), ["80 20 10", "400 100 50"]);
  });

  it("counts nothing when the context is full, and from zero afterwards", () => {
    const full = { ...vector(0, 0, 0), total_tokens: 258_400 };
    const after = { ...vector(10_000, 100, 40), total_tokens: 268_440 };
    const lines = [head, count(1, vector(9000, 0, 10)), count(2, full, { ...full, total_tokens: 249_390 })];
    const session = readLines(lines);
    assert.deepEqual(tokensOf(session.records), ["9000 0 10"]);
    assert.equal(session.facts.contextLeft.value, 0);
    const more = readLines([...lines, count(3, after)]);
    assert.deepEqual(tokensOf(more.records), ["9000 0 10", "9900 100 40"]);
  });

  it("reports the window and what is left of it, including a compaction's own count", () => {
    const total = vector(100_000, 0, 10);
    const session = readLines([head, count(1, total, vector(123_200, 0, 0))]);
    assert.deepEqual([session.facts.window.value, session.facts.window.provenance], [258_400, "official"]);
    assert.equal(session.facts.contextLeft.value, 55);
    const compacted = readLines([
      head,
      count(1, total, total),
      count(2, total, { ...vector(0, 0, 0), total_tokens: 6050 }),
    ]);
    assert.equal(compacted.facts.contextLeft.value, 100);
    assert.equal(compacted.records.length, 1);
    assert.equal(readLines([head]).facts.contextLeft.value, null);
  });

  it("reports plan limits as last written", () => {
    const limit = { used_percent: 12.5, window_minutes: 300, resets_at: 1_795_310_000 };
    const limits = (primary: object | null) => ({
      info: null,
      rate_limits: { limit_id: "codex", primary, secondary: null },
    });
    const reported = row(1, "event_msg", { type: "token_count", ...limits(limit) });
    const silent = row(2, "event_msg", { type: "token_count", ...limits(null) });
    const expected = {
      name: "codex primary",
      usedPercent: 12.5,
      windowMinutes: 300,
      resetsAt: 1_795_310_000_000,
    };
    assert.deepEqual(readLines([head, reported, silent]).facts.rateLimits, [
      { ...expected, at: start + 1000, provenance: "official" },
    ]);
  });

  it("counts lines it cannot read, and lines of unknown types", () => {
    const { skipped } = readLines([head, "{", "[]", row(1, "session_meta", []), row(1, "novelty", {}), " "]);
    assert.deepEqual([skipped.malformed, [...skipped.unknown]], [3, [["novelty", 1]]]);
  });
});

describe("history that a rollout repeats from its parent", () => {
  const child = idAt(10);
  const spawned = { id: child, forked_from_id: id, parent_thread_id: id };
  const [a, b] = [vector(100, 0, 10), vector(250, 90, 30)];
  const parent = [head, turn(1, idAt(1)), count(1, a, a), count(2, b, vector(150, 90, 20))];
  /** The parent's lines, all written at once when the fork started. */
  const copied = [meta(10, { id }), turn(10, idAt(1)), count(10, a, a), count(10, b, vector(150, 90, 20))];
  const used = vector(70, 7, 5);
  const grown = vector(320, 97, 35);

  it("is recognised by the turns' ids, and counts once", () => {
    const fork = readLines([meta(10, spawned), ...copied, turn(11, idAt(11)), count(12, grown, used)]);
    assert.equal(fork.facts.kind, "fork");
    assert.deepEqual([fork.facts.sessionId, fork.facts.parentId], [child, id]);
    assert.deepEqual(
      fork.records.map(({ isReplay }) => isReplay),
      [true, true, false],
    );
    const counted = countRollouts([readLines(parent), fork]);
    assert.deepEqual(tokensOf(counted), ["100 0 10", "60 90 20", "63 7 5"]);
  });

  it("is recognised by the ordinal at which a subagent's own lines begin", () => {
    const at = (ordinal: number, line: string) =>
      line.replace(/^\{"timestamp":"[^"]*",/u, `$&"ordinal":${ordinal},`);
    const lines = [
      at(0, meta(10, { ...spawned, subagent_history_start_ordinal: 4, source: { subagent: {} } })),
    ];
    copied.slice(0, 3).forEach((line, index) => lines.push(at(index + 1, line)));
    lines.push(at(4, count(10, used, used)));
    const subagent = readLines(lines);
    assert.equal(subagent.facts.kind, "subagent");
    assert.deepEqual(tokensOf(countRollouts([subagent])), ["63 7 5"]);
  });

  it("may be absent: a fork that continues its parent's total counts its own usage", () => {
    const fork = readLines([meta(10, spawned), turn(11, idAt(11)), count(12, grown, used)]);
    assert.deepEqual(tokensOf(fork.records), ["63 7 5"]);
  });

  it("is recognised by its time where turns have no ids with times", () => {
    const lines = [
      meta(10, spawned),
      meta(10, { id }),
      count(10, a, a),
      count(10, b),
      count(60, grown, used),
    ];
    assert.deepEqual(tokensOf(countRollouts([readLines(lines)])), ["63 7 5"]);
  });

  it("is recognised by its parent's file where the file alone does not show it", () => {
    const lines = [
      meta(10, spawned),
      count(12, a, a),
      count(13, b, vector(150, 90, 20)),
      count(60, grown, used),
    ];
    const fork = readLines(lines);
    assert.deepEqual(tokensOf(countRollouts([readLines(parent), fork])), ["100 0 10", "60 90 20", "63 7 5"]);
    assert.equal(countRollouts([fork]).length, 3, "unknown without its parent's file");
  });

  it("counts once where it keeps the responses' records, even when the parent's file is gone", () => {
    const fork = [meta(10, spawned), response(10, id, "r1", a), response(12, child, "r2", used)];
    assert.deepEqual(tokensOf(countRollouts([readLines(fork)])), ["100 0 10", "63 7 5"]);
    const both = countRollouts([readLines([...fork]), readLines([head, response(1, id, "r1", a)])]);
    assert.deepEqual(
      both.map(({ responseId, sessionId }) => [responseId, sessionId]),
      [
        ["r1", id],
        ["r2", child],
      ],
    );
  });

  it("does not turn a session in two files into two", () => {
    assert.equal(countRollouts([readLines(parent), readLines(parent)]).length, 2);
  });
});
