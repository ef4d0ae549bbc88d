import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as codex from "./rollout-rows.ts";
import * as work from "./work-rows.ts";

const id = codex.idAt(0);
const [one, two] = [codex.idAt(10), codex.idAt(20)];
const used = (second: number, response: string) =>
  codex.response(second, id, response, codex.vector(100, 40, 7));
const activityOf = (lines: readonly string[], meta: object = {}) =>
  codex.readLines([codex.meta(0, { id, ...meta }), ...lines]).activity;
const callsOf = (lines: readonly string[]) => activityOf([work.began(1, one), ...lines, used(9, "r1")]).calls;
const firstCall = (lines: readonly string[]) => callsOf(lines)[0] ?? assert.fail("no call");

describe("the turns of a rollout", () => {
  it("go from their beginning to their end, with their prompt's size and their duration", () => {
    const { turns } = activityOf([
      work.began(10, one),
      codex.turn(10, one),
      work.asked(11, "Count."),
      used(12, "r1"),
      work.said(13),
      work.ended(14, one),
    ]);
    assert.deepEqual(turns, [
      {
        id: one,
        agentId: null,
        origin: "own",
        isFirst: true,
        isBounded: true,
        startedAt: codex.start + 10_000,
        endedAt: codex.start + 14_000,
        durationMs: 900,
        promptChars: 6,
        records: [0],
        hasStopped: true,
        isCompleted: true,
        isFailed: false,
      },
    ]);
  });

  const ends: Readonly<Record<string, { lines: readonly string[]; reported: readonly boolean[] }>> = {
    "still going on": { lines: [used(12, "r1"), work.said(13)], reported: [false, true, false] },
    "that was interrupted": {
      lines: [used(12, "r1"), work.said(13), work.event(14, "turn_aborted", { turn_id: one })],
      reported: [true, false, false],
    },
    "that got no answer": {
      lines: [work.ended(13, one, { last_agent_message: null, error: { message: "full" } })],
      reported: [true, false, true],
    },
    "with a tool result at its end": {
      lines: [work.called(11, "c1"), used(12, "r1"), work.ended(13, one, { last_agent_message: null })],
      reported: [true, false, false],
    },
    "of a process that was killed": {
      lines: [work.called(11, "c1"), used(12, "r1"), work.began(20, two)],
      reported: [true, false, false],
    },
  };
  for (const [name, { lines, reported }] of Object.entries(ends)) {
    it(`record how they ended: one ${name}`, () => {
      const [turn] = activityOf([work.began(10, one), ...lines]).turns;
      assert.deepEqual([turn?.hasStopped, turn?.isCompleted, turn?.isFailed], reported);
    });
  }

  it("go from prompt to prompt in versions that do not record their beginnings", () => {
    const { turns } = activityOf([
      work.asked(1, "One."),
      codex.turn(1, ""),
      work.called(2, "c1"),
      codex.count(3, codex.vector(10, 0, 1), codex.vector(10, 0, 1)),
      work.returned(4, "c1", "ok"),
      work.said(5),
      codex.count(6, codex.vector(30, 0, 3), codex.vector(20, 0, 2)),
      work.asked(7, "Two."),
      work.called(8, "c2"),
      codex.count(9, codex.vector(60, 0, 6), codex.vector(30, 0, 3)),
    ]);
    assert.deepEqual(
      turns.map(({ records, hasStopped, isCompleted }) => [records, hasStopped, isCompleted]),
      [
        [[0, 1], true, true],
        [[2], false, false],
      ],
    );
  });
});

describe("the calls of a rollout", () => {
  it("belong to the response that made them, which is written after them", () => {
    const { calls } = activityOf([
      work.began(1, one),
      work.called(2, "c1"),
      work.called(2, "c2"),
      used(3, "r1"),
      work.returned(4, "c1", "four"),
      work.called(5, "c3"),
      used(6, "r2"),
      work.called(7, "c4"),
    ]);
    assert.deepEqual(
      calls.map(({ id: call, record }) => [call, record]),
      [
        ["c1", 0],
        ["c2", 0],
        ["c3", 1],
        ["c4", null],
      ],
    );
  });

  it("have the sizes of their input and result, and no content", () => {
    const call = firstCall([work.called(2, "c1"), work.returned(3, "c1", "x".repeat(77))]);
    assert.deepEqual([call.inputChars, call.resultChars], [12, 77]);
    const parts = [
      { type: "input_text", text: "four" },
      { type: "input_text", text: "five!" },
    ];
    assert.equal(firstCall([work.called(2, "c1"), work.returned(3, "c1", parts)]).resultChars, 9);
    assert.ok(!JSON.stringify(call).includes("xxx"));
  });

  const wall =
    "Chunk ID: 9c7121\nWall time: 1.2500 seconds\nProcess exited with code 3\nOutput:\nExit code: 0\n";
  const failures: Readonly<Record<string, { lines: readonly string[]; reported: readonly unknown[] }>> = {
    "no details": { lines: [work.returned(3, "c1", "text")], reported: [null, null] },
    "an exit code above the output": { lines: [work.returned(3, "c1", wall)], reported: [true, 1250] },
    "an older exit code": {
      lines: [work.returned(3, "c1", `{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.3}}`)],
      reported: [false, 300],
    },
    "an item that failed": {
      lines: [work.item(3, { type: "McpToolCall", id: "c1", server: "db", status: "failed" })],
      reported: [true, 40],
    },
    "an error from a server": {
      lines: [
        work.event(3, "mcp_tool_call_end", {
          call_id: "c1",
          invocation: { server: "db" },
          duration: { secs: 2, nanos: 5_000_000 },
          result: { Ok: { isError: true } },
        }),
      ],
      reported: [true, 2005],
    },
    "a patch that could be applied": {
      lines: [work.event(3, "patch_apply_end", { call_id: "c1", success: true })],
      reported: [false, null],
    },
  };
  for (const [name, { lines, reported }] of Object.entries(failures)) {
    it(`record whether they failed and how long they took, if known: ${name}`, () => {
      const { isError, durationMs } = firstCall([work.called(2, "c1"), ...lines]);
      assert.deepEqual([isError, durationMs], reported);
    });
  }

  const names: Readonly<Record<string, { fields: object; reported: readonly unknown[] }>> = {
    function: {
      fields: { name: "spawn_agent", namespace: "multi_agent_v1" },
      reported: ["spawn_agent", null],
    },
    "a server's": { fields: { name: "mcp__db__query" }, reported: ["mcp__db__query", "db"] },
    "a server's by its namespace": {
      fields: { name: "query", namespace: "mcp__db__" },
      reported: ["mcp__db__query", "db"],
    },
    custom: {
      fields: { type: "custom_tool_call", name: "apply_patch", input: "*** Begin" },
      reported: ["apply_patch", null],
    },
    shell: {
      fields: { type: "local_shell_call", name: null, action: { command: ["ls"] } },
      reported: ["local_shell", null],
    },
    "the API's own": {
      fields: { type: "web_search_call", name: null, call_id: null, id: "ws_1" },
      reported: ["web_search", null],
    },
  };
  for (const [name, { fields, reported }] of Object.entries(names)) {
    it(`have their tool's name and server: ${name}`, () => {
      const { tool, server } = firstCall([work.called(2, "c1", fields)]);
      assert.deepEqual([tool, server], reported);
    });
  }

  it("with the same id are distinguished, as some providers reuse numbers", () => {
    const calls = callsOf([
      work.called(2, "call_0"),
      work.called(3, "call_0"),
      work.returned(4, "call_0", "four"),
    ]);
    assert.deepEqual(
      calls.map((call) => [call.id, call.resultChars]),
      [
        ["call_0", null],
        ["call_0#1", 4],
      ],
    );
  });

  it("list the files they read where Codex names them", () => {
    const commands = [
      { type: "read", cmd: "cat a", name: "a", path: "/a" },
      { type: "unknown", cmd: "x" },
    ];
    const done = work.item(3, {
      type: "CommandExecution",
      id: "c1",
      parsed_cmd: commands,
      status: "completed",
    });
    assert.deepEqual(firstCall([work.called(2, "c1"), done]).reads, ["/a"]);
    assert.equal(firstCall([work.called(2, "c1")]).reads, null);
    assert.deepEqual(firstCall([work.called(2, "c1", { name: "update_plan" })]).reads, []);
  });
});

describe("lines that a rollout repeats from its parent", () => {
  it("are copies: their turns are marked, their calls are left out", () => {
    const row = (ordinal: number, line: string) => line.replace(/^\{/u, `{"ordinal":${ordinal},`);
    const { turns, calls } = activityOf(
      [
        row(2, work.began(1, one)),
        row(3, work.called(1, "c1")),
        row(4, used(1, "r1")),
        row(5, work.began(30, codex.idAt(30))),
        row(6, work.called(31, "c2")),
        row(7, used(32, "r2")),
      ],
      { parent_thread_id: codex.idAt(5), subagent_history_start_ordinal: 5 },
    );
    assert.deepEqual(
      turns.map(({ origin, isFirst }) => [origin, isFirst]),
      [
        ["copied", true],
        ["own", false],
      ],
    );
    assert.deepEqual(
      calls.map((call) => call.id),
      ["c2"],
    );
  });
});

describe("the compactions of a rollout", () => {
  const compacted = (second: number, fields: object = {}) =>
    codex.row(second, "compacted", { message: "", ...fields });
  const counted = codex.count(6, codex.vector(100, 40, 7), { ...codex.vector(0, 0, 0), total_tokens: 61 });
  const before = [work.began(1, one), used(2, "r1"), work.ended(3, one)];
  const compacting = [used(4, "r2"), compacted(5, { compaction_response_id: "r2" }), counted];

  it("record the context before the response that wrote the summary, and after it", () => {
    const [reported] = activityOf([
      ...before,
      work.began(4, two),
      ...compacting,
      work.asked(7, "Go on."),
    ]).compactions;
    assert.deepEqual([reported?.preTokens, reported?.postTokens, reported?.trigger], [107, 61, "auto"]);
  });

  it("are manual where they are a turn of their own", () => {
    const { compactions } = activityOf([...before, work.began(4, two), ...compacting, work.ended(8, two)]);
    assert.deepEqual(
      compactions.map(({ trigger, turn }) => [trigger, turn]),
      [["manual", 1]],
    );
  });

  it("have an unknown cause where the file does not record the ends of turns", () => {
    const { compactions } = activityOf([work.asked(1, "Go."), used(2, "r1"), compacted(5)]);
    assert.deepEqual(
      compactions.map(({ trigger, preTokens, postTokens }) => [trigger, preTokens, postTokens]),
      [["unknown", 107, null]],
    );
  });
});
