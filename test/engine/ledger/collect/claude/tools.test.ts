import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { entriesOf, mainFile, rowsOf, sessionId, type Line } from "./lines.ts";
import { asked, calls, returned, row, said, second, text } from "./rows.ts";

const callsOf = (lines: readonly Line[]) => rowsOf(entriesOf(lines), "tool-call");
const call = (id: string, name: string, input = {}, fields = {}) =>
  said(1, { id: "m1", stop: "tool_use", content: [calls(id, name, input)], fields });

describe("tool calls", () => {
  it("have their sizes, duration and success", () => {
    const result = returned(4, "c1", [text("12345"), { type: "image" }], {
      toolUseResult: { durationMs: 70 },
    });
    const [entry] = callsOf([call("c1", "Bash", { command: "ls" }), result]);
    assert.deepEqual(entry, {
      kind: "tool-call",
      id: "c1",
      sessionId,
      agentId: null,
      messageId: "m1",
      at: second(1),
      tool: "Bash",
      server: null,
      skill: null,
      inputChars: 16,
      resultChars: 6005,
      durationMs: 70,
      isError: false,
    });
  });

  it("name the MCP server and the skill they belong to", () => {
    const entries = callsOf([
      call("c1", "mcp__dock_east__moor"),
      call("c2", "Skill", { skill: "mooring" }),
      call("c3", "Bash", {}, { attributionSkill: "rowing" }),
    ]);
    assert.deepEqual(
      entries.map(({ server, skill }) => ({ server, skill })),
      [
        { server: "dock_east", skill: null },
        { server: null, skill: "mooring" },
        { server: null, skill: "rowing" },
      ],
    );
  });

  it("have the file they read, and the size of the result", () => {
    const entries = entriesOf([call("c1", "Read", { file_path: "/quay/1" }), returned(2, "c1", "12345")]);
    assert.deepEqual(rowsOf(entries, "file-read"), [
      { kind: "file-read", id: "c1", sessionId, agentId: null, at: second(1), path: "/quay/1", chars: 5 },
    ]);
  });

  it("are one entry each, and one for the file, if the result comes before entries are taken", () => {
    const lines = [call("c1", "Read", { file_path: "/quay/1" }), returned(2, "c1", "12345")];
    const kinds = (cuts: Set<number>) =>
      entriesOf(lines, mainFile, cuts)
        .map(({ kind }) => kind)
        .filter((kind) => kind === "tool-call" || kind === "file-read");
    assert.deepEqual(kinds(new Set()), ["tool-call", "file-read"]);
    assert.deepEqual(kinds(new Set([0])), ["tool-call", "file-read", "tool-call", "file-read"]);
  });

  it("leave out another session's calls and their results", () => {
    const copied = call("c1", "Bash", {}, { requestSessionId: "parent" });
    assert.deepEqual(callsOf([copied, returned(2, "c1"), returned(3, "c9")]), []);
  });

  it("name the subagent they started", () => {
    const toolUseResult = { agentId: "a7", agentType: "Explore" };
    const entries = entriesOf([call("c1", "Agent"), returned(2, "c1", "Found.", { toolUseResult })]);
    const [entry] = rowsOf(entries, "subagent");
    assert.equal(entry?.["agentId"], "a7");
    assert.equal(entry["type"], "Explore");
  });

  it("are recorded whatever their input", () => {
    const depth = 200_000;
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const [entry] = callsOf([
      JSON.stringify(call("c1", "Bash", { in: 1 })).replace('"in":1', `"in":${deep}`),
    ]);
    assert.equal(entry?.["inputChars"], 0);
  });

  it("never contain text of the conversation", () => {
    const secret = "the harbour's key";
    const entries = entriesOf([
      call("c1", "Bash", { command: secret }),
      returned(2, "c1", secret, { toolUseResult: { stdout: secret } }),
      row("api-request-blob", 3, { hash: "h", message: { role: "user", content: [text(secret)] } }),
      row("attachment", 4, { attachment: { type: "instructions", files: [{ content: secret }] } }),
    ]);
    assert.doesNotMatch(JSON.stringify(entries), /key/u);
  });
});

describe("a response", () => {
  it("is one entry if its rows come before entries are taken: the one that the ledger would keep", () => {
    const lines = [10, 300, 20].map((output) => said(1, { id: "m1", output }));
    const outputs = (cuts: Set<number>) =>
      entriesOf(lines, mainFile, cuts).flatMap((each) => (each.kind === "response" ? each.usage.output : []));
    assert.deepEqual(outputs(new Set()), [300]);
    assert.deepEqual(outputs(new Set([0, 1])), [10, 300, 20]);
  });
});

describe("a session", () => {
  it("has its title as its name, else its first prompt", () => {
    const rows = rowsOf(entriesOf([asked(0, "Mend the pier"), asked(1, "Then the dock")]), "session");
    assert.deepEqual(
      rows.map(({ program, title, cwd, firstAt, lastAt }) => ({ program, title, cwd, firstAt, lastAt })),
      [
        {
          program: "claude-code",
          title: "Mend the pier",
          cwd: "/home/dev/harbor",
          firstAt: second(0),
          lastAt: second(1),
        },
      ],
    );
    const titled = entriesOf([asked(0), { type: "ai-title", aiTitle: "Harbour works" }]);
    assert.equal(rowsOf(titled, "session")[0]?.["title"], "Harbour works");
  });

  it("keeps the agent's own total, and the folder it began in", () => {
    const elsewhere = said(1, { id: "m1", fields: { cwd: "/home/dev/dock" } });
    const total = { type: "cost-state", totalCostUSD: 1.5 };
    const [entry] = rowsOf(entriesOf([asked(0), elsewhere, total]), "session");
    assert.equal(entry?.["cwd"], "/home/dev/harbor");
    assert.equal(entry["officialUsd"], 1.5);
  });
});
