import { plainSentence } from "../../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FreshRecords } from "../../../../../src/engine/ledger/collect/records/sources.ts";
import type { AgentSession } from "../../../../../src/engine/transcripts/agent-session.ts";
import type { NamedRecord } from "../../../../../src/engine/transcripts/records.ts";
import { noUsage, unknownFigure } from "../../../../../src/engine/usage/token-counts.ts";

function named(id: string, output = 1): NamedRecord {
  const record = {
    agent: "codex",
    sessionId: "session",
    cwd: null,
    model: null,
    at: 1000,
    responseId: null,
    usage: { ...noUsage, output },
    raw: { output },
    window: null,
    isReplay: false,
    key: id,
  };
  return { record, id, isCopy: false };
}

const facts: AgentSession["facts"] = {
  agent: "codex",
  sessionId: "session",
  parentId: null,
  kind: "main",
  agentType: null,
  cwd: null,
  branch: null,
  title: null,
  agentVersion: null,
  model: null,
  lastAt: null,
  window: unknownFigure(plainSentence("")),
  contextLeft: unknownFigure(plainSentence("")),
  rateLimits: [],
};

/** Ids of the fresh records after each reading. */
function freshAfter(...readings: (readonly NamedRecord[] | Partial<AgentSession["facts"]>)[]): string[][] {
  const fresh = new FreshRecords();
  let current = facts;
  let records: readonly NamedRecord[] = [];
  const activity = { turns: [], calls: [], compactions: [], parts: [] };
  return readings.map((reading) => {
    if (isRecords(reading)) records = reading;
    else current = { ...current, ...reading };
    return fresh.take({ session: { facts: current, activity }, records }).map(({ id }) => id);
  });
}

function isRecords(reading: readonly NamedRecord[] | object): reading is readonly NamedRecord[] {
  return Array.isArray(reading);
}

describe("fresh records", () => {
  const [a, b, c] = [named("a"), named("b"), named("c")];

  it("are those added since the last time", () => {
    assert.deepEqual(freshAfter([a], [a, b], [a, b], [a, b, c]), [["a"], ["b"], [], ["c"]]);
  });

  it("are those with other figures, now marked as a copy, or now of another subagent", () => {
    assert.deepEqual(
      freshAfter(
        [a, b],
        [a, named("b", 2)],
        [{ ...a, isCopy: true }, named("b", 2)],
        [{ ...a, agentId: "x" }],
      ),
      [["a", "b"], ["b"], ["a"], ["a"]],
    );
  });

  it("exclude repeated ones without changes, wherever they are now", () => {
    assert.deepEqual(freshAfter([a, b, c], [named("a"), b, c], [b, named("c")]), [["a", "b", "c"], [], []]);
  });

  it("are all of them when facts of the session change", () => {
    assert.deepEqual(freshAfter([a, b], { branch: "main" }, { title: "Berths" }), [
      ["a", "b"],
      ["a", "b"],
      [],
    ]);
  });
});
