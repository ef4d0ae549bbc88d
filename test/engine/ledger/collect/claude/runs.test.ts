import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { entriesOf, mainFile, rowsOf, sessionId, type Line } from "./lines.ts";
import { asked, calls, returned, row, said, second, text } from "./rows.ts";

const runsOf = (lines: readonly Line[], file = mainFile) => rowsOf(entriesOf(lines, file), "run");
const tool = (id: string, call: string, file = "/quay/1") => ({
  id,
  stop: "tool_use",
  content: [calls(call, "Read", { file_path: file })],
});

describe("runs of a session", () => {
  it("go from a prompt to the response that ends the turn", () => {
    const [run, ...others] = runsOf([
      asked(0),
      said(5, tool("m1", "c1")),
      returned(6, "c1"),
      said(9, { id: "m2", input: 50, output: 7 }),
    ]);
    assert.deepEqual(others, []);
    const { id, agent, project, branch, model, startedAt, endedAt, durationMs } = run ?? {};
    assert.deepEqual(
      { id, agent, project, branch, model, startedAt, endedAt, durationMs },
      {
        id: `${sessionId}:m1`,
        agent: "main",
        project: "/home/dev/harbor",
        branch: "main",
        model: "claude-opus-5",
        startedAt: second(0),
        endedAt: second(9),
        durationMs: 9000,
      },
    );
    const { input, output, toolCalls, filesReread, completed, promptChars } = run ?? {};
    assert.deepEqual(
      { input, output, toolCalls, filesReread, completed, promptChars },
      { input: 150, output: 17, toolCalls: 1, filesReread: 0, completed: true, promptChars: 13 },
    );
  });

  it("continue when a background subagent returns its result", () => {
    const notice =
      "<task-notification>\n<task-id>a1</task-id>\n<result>Found.</result>\n</task-notification>";
    const runs = runsOf([
      asked(0),
      said(5, { id: "m1", input: 50, output: 7 }),
      asked(20, notice),
      said(25, { id: "m2", input: 30, output: 3 }),
      asked(40, "And the dock"),
      said(45, { id: "m3", input: 1, output: 1 }),
    ]);
    const last = new Map(runs.map((run) => [run["id"], run]));
    assert.deepEqual(
      [...last.values()].map(({ input, startedAt, endedAt, completed }) => [
        input,
        startedAt,
        endedAt,
        completed,
      ]),
      [
        [80, second(0), second(25), true],
        [1, second(40), second(45), true],
      ],
    );
  });

  it("are not reported before they stop", () => {
    assert.deepEqual(runsOf([asked(0), said(5, tool("m1", "c1")), returned(6, "c1")]), []);
    assert.deepEqual(runsOf([asked(0)]), []);
  });

  it("count a response once, with the largest output of its rows", () => {
    const rows = [asked(0), said(1, { id: "m1", output: 2, stop: null }), said(2, { id: "m1", output: 30 })];
    assert.deepEqual(
      runsOf([...rows, ...rows.slice(1)]).map(({ input, output }) => ({ input, output })),
      [{ input: 100, output: 30 }],
    );
  });

  it("do not count a response again that an earlier run counted", () => {
    const first = said(1, { id: "m1" });
    const runs = runsOf([asked(0), first, asked(2), first, said(3, { id: "m2", input: 5 })]);
    assert.deepEqual(
      runs.map(({ input }) => input),
      [100, 5],
    );
  });

  it("count the files that were read more than once", () => {
    const reads = ["/a", "/b", "/a", "/a", "/b", "/c"];
    const rows = reads.flatMap((file, n) => [said(n, tool(`m${n}`, `c${n}`, file)), returned(n, `c${n}`)]);
    const [run] = runsOf([asked(0), ...rows, said(9, { id: "last" })]);
    assert.equal(run?.["filesReread"], 2);
    assert.equal(run["toolCalls"], 6);
  });

  it("are the first of a session, or later ones", () => {
    const runs = runsOf([asked(0), said(1, { id: "m1" }), asked(2), said(3, { id: "m2" })]);
    assert.deepEqual(
      runs.map(({ freshSession, sessionReused }) => ({ freshSession, sessionReused })),
      [
        { freshSession: true, sessionReused: false },
        { freshSession: false, sessionReused: true },
      ],
    );
  });

  it("of a fork do not include copied rows, and do not begin a session", () => {
    const born = row("queue-operation", 100);
    const marked = said(1, { id: "m1", fields: { requestSessionId: "parent" } });
    const entries = entriesOf([born, asked(0), marked, asked(101), said(102, { id: "m2" })]);
    const runs = rowsOf(entries, "run");
    assert.deepEqual(
      runs.map(({ id, freshSession }) => ({ id, freshSession })),
      [{ id: `${sessionId}:m2`, freshSession: false }],
    );
    assert.equal(rowsOf(entries, "session")[0]?.["parentId"], "parent");
  });

  for (const [name, rows, isCompleted] of [
    ["a text", [said(1, { id: "m1" })], true],
    ["a text without a reason to stop, as old versions wrote", [said(1, { id: "m1", stop: null })], true],
    ["a tool call", [said(1, tool("m1", "c1"))], false],
    ["a tool's result", [said(1, tool("m1", "c1")), returned(2, "c1")], false],
    ["an error of the API", [said(1, tool("m1", "c1")), said(2, error())], false],
    [
      "a person who stops it",
      [said(1, tool("m1", "c1")), asked(2, [text("[Request interrupted by user]")])],
      false,
    ],
    [
      "a text and a call of the same response",
      [said(1, { id: "m1", stop: null }), said(2, tool("m1", "c1"))],
      false,
    ],
  ] as const) {
    it(`that end with ${name} are ${isCompleted ? "" : "not "}completed`, () => {
      const [run] = runsOf([asked(0), ...rows, asked(9, "Go on"), said(10, { id: "next" })]);
      assert.equal(run?.["completed"], isCompleted);
    });
  }

  it("that got only an error are reported, without tokens", () => {
    const [run] = runsOf([asked(0), said(1, error())]);
    const { id, input, completed, model } = run ?? {};
    assert.deepEqual(
      { id, input, completed, model },
      { id: `${sessionId}:assistant-1`, input: 0, completed: false, model: null },
    );
  });

  it("continue when the agent continues by itself", () => {
    const hook = asked(3, "Run the tests first", { isMeta: true });
    const runs = runsOf([asked(0), said(1, { id: "m1" }), hook, said(4, { id: "m2" })]);
    assert.deepEqual(
      runs.map(({ input, endedAt }) => ({ input, endedAt })),
      [{ input: 200, endedAt: second(4) }],
    );
  });

  it("include prompts entered meanwhile, and start over with later ones", () => {
    const queued = (at: number) =>
      row("attachment", at, { attachment: { type: "queued_command", prompt: "More" } });
    const runs = runsOf([
      asked(0),
      said(1, tool("m1", "c1")),
      queued(2),
      said(3, { id: "m2" }),
      queued(90),
      said(91, { id: "m3" }),
    ]);
    assert.deepEqual(
      runs.map(({ id, startedAt }) => ({ id, startedAt })),
      [
        { id: `${sessionId}:m1`, startedAt: second(0) },
        { id: `${sessionId}:m3`, startedAt: second(90) },
      ],
    );
  });

  it("record the available instructions and skills", () => {
    const attachment = (value: object) => row("attachment", 0, { attachment: value });
    const [run] = runsOf([
      attachment({ type: "instructions", files: [{ path: "/CLAUDE.md", content: "Moor east." }] }),
      attachment({ type: "skill_listing", names: ["row", "moor"], skillCount: 2 }),
      asked(1),
      said(2, { id: "m1" }),
    ]);
    const { hasInstructionsFile, instructionsChars, skillCount } = run ?? {};
    assert.deepEqual(
      { hasInstructionsFile, instructionsChars, skillCount },
      { hasInstructionsFile: true, instructionsChars: 10, skillCount: 2 },
    );
    assert.match(String(run?.["skillSetHash"]), /^[0-9a-f]{16}$/u);
    assert.equal(runsOf([asked(1), said(2, { id: "m1" })])[0]?.["hasInstructionsFile"], null);
  });

  it("leave asides out", () => {
    const aside = said(2, { id: "m9", fields: { isSidechain: true } });
    const [run] = runsOf([asked(0), aside, said(3, { id: "m1" })]);
    assert.equal(run?.["input"], 100);
  });
});

describe("the run of a subagent", () => {
  const file = { ...mainFile, agentId: "a1" };
  const fields = { isSidechain: true, attributionAgent: "Explore" };

  it("is its whole transcript, by its type", () => {
    const rows = [
      asked(0, "Look around", { isSidechain: true }),
      said(1, { id: "m1", fields }),
      asked(5, "And the dock", { isSidechain: true }),
      said(6, { id: "m2", fields }),
    ];
    assert.deepEqual(
      runsOf(rows, file).map(({ id, agent, input, durationMs }) => ({ id, agent, input, durationMs })),
      [{ id: `${sessionId}#a1:m1`, agent: "Explore", input: 200, durationMs: 6000 }],
    );
    assert.deepEqual(
      rowsOf(entriesOf(rows, file), "subagent").map(({ agentId, type }) => ({ agentId, type })),
      [{ agentId: "a1", type: "Explore" }],
    );
  });
});

function error() {
  return { id: "none", input: 0, output: 0, fields: { isApiErrorMessage: true } };
}
