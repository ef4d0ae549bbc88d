import assert from "node:assert/strict";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { SessionState } from "../../../../../src/engine/transcripts/copilot/live/compaction-rows.ts";
import { StoredRows } from "../../../../../src/engine/transcripts/copilot/live-reader.ts";
import { attributedEvents } from "../../../../../src/engine/transcripts/copilot/named-records.ts";
import { readStore, runtimeSqlite } from "../../../../../src/engine/transcripts/copilot/read-store.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { began, by, event, readEventLines, start, used, vector } from "../event-rows.ts";
import { liveRows, mainEvents } from "./events-in.ts";
import { WrittenStore } from "./store.ts";

describe("the store of a live session", { skip: runtimeSqlite() === undefined && "no SQLite here" }, () => {
  const open = (t: TestContext) => {
    const file = path.join(scratchFolder(t), "session-store.db");
    const store = new WrittenStore(file);
    t.after(() => store.close());
    const state = new SessionState();
    const rows = new StoredRows(file, "s1", state);
    const responses = () =>
      rows
        .read()
        .flatMap((reading) =>
          reading.outcome === "known"
            ? reading.events.flatMap((found) =>
                found.kind === "response"
                  ? [{ ...found.response, agentId: reading.agentId ?? null, endsTurn: found.endsTurn }]
                  : [],
              )
            : [],
        );
    return { file, store, state, rows, responses };
  };

  it("yields the session's responses, only the new ones each time", (t) => {
    const { store, rows, responses } = open(t);
    store.add({ second: 1, usage: vector(100, 40, 10, 30) });
    store.add({ session: "s2", second: 1, usage: vector(9, 0, 1) });
    const before = rows.stats();
    const [first, ...others] = responses();
    assert.deepEqual(others, []);
    const usage = { input: 30, output: 10, cacheCreation5m: 30, cacheCreation1h: 0, cacheRead: 40 };
    assert.deepEqual([first?.usage, first?.at, first?.endsTurn], [usage, start + 1000, true]);
    store.add({ second: 2, usage: vector(100, 40, 10, 30) });
    assert.notDeepEqual(rows.stats(), before);
    const [second] = responses();
    assert.equal(second?.at, start + 2000);
    assert.notEqual(second.messageId, first?.messageId);
    assert.deepEqual(responses(), []);
  });

  it("separates a subagent's and a compaction's responses from the conversation", (t) => {
    const { store, responses } = open(t);
    store.add({ second: 1, usage: vector(1, 0, 1), agent: "a1" });
    store.add({ second: 2, usage: vector(2, 0, 1), initiator: "compaction" });
    const actual = responses().map(({ agentId, isSidechain }) => [agentId, isSidechain]);
    assert.deepEqual(actual, [
      ["a1", true],
      [null, true],
    ]);
  });

  it("shows the ledger which responses are a subagent's, and which run they belong to", (t) => {
    const { store, file } = open(t);
    store.add({ second: 2, usage: vector(1, 0, 1) });
    store.add({ second: 3, usage: vector(2, 0, 1), agent: "a1" });
    const read = readStore(file);
    assert.ok(read.ok);
    const lines = [
      event(1, "user.message", { content: "Count." }),
      by("a1", event(2, "subagent.started", { toolCallId: "t1", agentName: "explore" })),
      by("a1", event(4, "subagent.completed", { toolCallId: "t1" })),
      event(5, "abort", {}),
    ];
    const session = readEventLines([began, ...lines]);
    const { attribution } = attributedEvents(session, read.value.records);
    const runs = session.activity.turns.map((turn, index) => [
      turn.agentId,
      attribution.responsesOf(turn, index).map(({ usage }) => usage.input),
    ]);
    assert.deepEqual(runs, [
      [null, [1]],
      ["a1", [2]],
    ]);
  });

  it("gives a response the same name as the events do", (t) => {
    const { store, responses } = open(t);
    for (const second of [1, 2]) store.add({ second, usage: vector(100, 40, 10, 30) });
    const lines = [1, 2].map((second) => used(second, second, vector(100, 40, 10, 30)));
    const names = mainEvents([began, ...lines], "response").map(({ response }) => response.messageId);
    assert.deepEqual(
      responses().map(({ messageId }) => messageId),
      names,
    );
  });

  it("reports responses before the first usage record outside the conversation, and none after it", (t) => {
    const { store, state, rows, responses } = open(t);
    store.add({ second: 1, usage: vector(5, 0, 1) });
    store.add({ second: 9, usage: vector(6, 0, 1) });
    liveRows(state)(used(9, 1, vector(6, 0, 1)));
    state.hasUsage = true;
    state.firstUsageAt = start + 9000;
    const actual = responses().map(({ at, isSidechain }) => [at, isSidechain]);
    assert.deepEqual(actual, [[start + 1000, true]]);
    const before = rows.stats();
    store.add({ second: 10, usage: vector(7, 0, 1) });
    assert.deepEqual(rows.stats(), before);
  });

  it("that is missing or damaged yields nothing", (t) => {
    const folder = scratchFolder(t);
    const rows = new StoredRows(path.join(folder, "session-store.db"), "s1", new SessionState());
    assert.deepEqual([rows.stats(), rows.read()], [undefined, []]);
  });
});
