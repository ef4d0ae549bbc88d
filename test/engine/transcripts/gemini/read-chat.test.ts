import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { readChunks } from "../../../../src/engine/transcripts/agent-session.ts";
import { findGeminiSessions } from "../../../../src/engine/transcripts/gemini/gemini-files.ts";
import { ChatLines } from "../../../../src/engine/transcripts/gemini/read-chat.ts";
import { readChat } from "../../../../src/engine/transcripts/gemini/usage-reader.ts";
import { geminiRoots } from "../../../../src/engine/transcripts/home-folder.ts";
import { countOnce } from "../../../../src/engine/usage/agent-record.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

const timestamp = "2026-11-02T09:00:00.000Z";
const header = {
  sessionId: "s1",
  projectHash: "h",
  startTime: timestamp,
  lastUpdated: timestamp,
  kind: "main",
};
const tokens = (input: number, cached: number, output: number, thoughts = 0, tool = 0) => {
  return { input, output, cached, thoughts, tool, total: input + output + thoughts + tool };
};
const message = (id: string, counts: object | null) => {
  return { id, timestamp, type: "gemini", content: "Said.", model: "gemini-3-pro", tokens: counts };
};
const read = (rows: readonly unknown[]) =>
  readChunks(new ChatLines({ fileId: "file", cwd: null, parentId: null }), [
    Buffer.from(rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("")),
  ]);
const sums = (rows: readonly unknown[]) =>
  read(rows).records.map(({ usage: { input, cacheRead, output } }) => `${input} ${cacheRead} ${output}`);

describe("reading a Gemini session", () => {
  it("reads the session", () => {
    const { facts } = read([header, message("m1", null), { $set: { summary: "The harbor" } }]);
    const { sessionId, title, model, kind, cwd, branch, window, contextLeft, lastAt } = facts;
    assert.deepEqual(
      [sessionId, title, model, kind, cwd, branch, window.value, contextLeft.value, lastAt],
      ["s1", "The harbor", "gemini-3-pro", "main", null, null, null, null, Date.parse(timestamp)],
    );
  });

  it("takes cached tokens out of the input, and adds thoughts to the output and tools' prompts to the input", () => {
    const [record] = read([header, message("m1", tokens(100, 40, 10, 5, 3))]).records;
    const usage = { input: 63, output: 15, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 40 };
    assert.deepEqual(record?.usage, usage);
    assert.deepEqual(record.raw, tokens(100, 40, 10, 5, 3));
    assert.deepEqual(
      [record.model, record.at, record.key],
      ["gemini-3-pro", Date.parse(timestamp), "gemini s1 m1"],
    );
  });

  it("counts a rewritten message once, in its last version", () => {
    const rows = [
      header,
      message("m1", tokens(100, 0, 1)),
      message("m2", tokens(9, 0, 9)),
      message("m1", tokens(100, 0, 8)),
    ];
    assert.deepEqual(sums(rows), ["100 0 8", "9 0 9"]);
    assert.deepEqual(sums([...rows, message("m1", null)]), ["100 0 8", "9 0 9"]);
  });

  it("counts a checkpoint's history once", () => {
    const history = [message("m1", tokens(100, 0, 1)), message("m2", tokens(9, 0, 9))];
    const rows = [header, ...history, { $set: { messages: history } }, message("m3", tokens(1, 0, 1))];
    assert.deepEqual(sums(rows), ["100 0 1", "9 0 9", "1 0 1"]);
  });

  it("keeps the calls of a message that a checkpoint repeats without them", () => {
    const toolCalls = [
      { id: "c1", name: "run_shell_command", args: { command: "echo 7" }, status: "success" },
    ];
    const prompt = { id: "p1", timestamp, type: "user", content: [{ text: "Count." }] };
    const called = { ...message("m1", tokens(100, 0, 1)), toolCalls };
    const rows = [header, prompt, called, { $set: { messages: [prompt, message("m1", tokens(100, 0, 1))] } }];
    const { turns, calls } = read(rows).activity;
    assert.deepEqual([turns.length, calls.map(({ tool }) => tool)], [1, ["run_shell_command"]]);
  });

  it("does not count notes of hooks or of the agent as prompts", () => {
    const user = (id: string, text: string) => ({ id, timestamp, type: "user", content: [{ text }] });
    const rows = [
      user("h1", "<hook_context>Mind the tide.</hook_context>"),
      user("c1", "<session_context>Today.</session_context>"),
      user("s1", "<state_snapshot>They sailed.</state_snapshot>"),
      user("p1", "<hook_context>Mind it.</hook_context>\n\nCount."),
      message("m1", tokens(100, 0, 1)),
    ];
    assert.equal(read([header, ...rows]).activity.turns.length, 1);
  });

  it("does not use a subagent's answer as its title", () => {
    const rows = [{ ...header, kind: "subagent" }, { $set: { summary: "Nine miles." } }];
    assert.equal(read(rows).facts.title, null);
  });

  it("counts rewound messages: their tokens were used", () => {
    const rows = [header, message("m1", tokens(100, 0, 1)), { $rewindTo: "m1" }];
    assert.deepEqual(sums(rows), ["100 0 1"]);
    assert.equal(read(rows).skipped.malformed, 0);
  });

  it("counts lines it cannot read, and lines of unknown types", () => {
    const rows = [header, "{", 5, message("m1", { input: -1 }), { type: "novelty" }, ""];
    const { skipped, records } = read(rows);
    assert.equal(records.length, 0);
    assert.deepEqual([skipped.malformed, [...skipped.unknown]], [3, [["novelty", 1]]]);
  });
});

describe("Gemini's files", () => {
  it("are in the GEMINI_CLI_HOME folder, else in the home folder; and where its sandbox stores them", () => {
    const roots = (env: Record<string, string>) => geminiRoots({ env, home: "/home/dev", paths: path.posix });
    assert.deepEqual(roots({}), ["/home/dev/.gemini/tmp", "/home/dev/.cache/.gemini/tmp"]);
    assert.deepEqual(roots({ GEMINI_CLI_HOME: "/srv/g" })[0], "/srv/g/.gemini/tmp");
  });

  it("are found with their project's folder; subagents' files with their session", (t) => {
    const root = scratchFolder(t);
    writeTree(root, {
      "harbor/.project_root": "/home/dev/harbor\n",
      "harbor/logs.json": "[]",
      "harbor/chats/session-2026-11-02T09-00-s1.jsonl": "",
      "harbor/chats/session-2026-11-02T09-00-s1.json": "",
      "harbor/chats/session-2026-11-02T09-00-s1.jsonl.unreadable-1": "",
      "harbor/chats/s1/a1.jsonl": "",
      "0a1b/chats/session-2026-10-02T09-00-s0.json": "",
      "stray.json": "",
    });
    const { files, problems } = findGeminiSessions([root, path.join(root, "missing")]);
    assert.deepEqual(problems, []);
    const found = files.map(({ path: file, cwd, parentId }) => [path.basename(file), cwd, parentId]);
    assert.deepEqual(found, [
      ["session-2026-10-02T09-00-s0.json", null, null],
      ["a1.jsonl", "/home/dev/harbor", "s1"],
      ["session-2026-11-02T09-00-s1.json", "/home/dev/harbor", null],
      ["session-2026-11-02T09-00-s1.jsonl", "/home/dev/harbor", null],
    ]);
  });

  it("are read in either format, and a session in both counts once", (t) => {
    const folder = scratchFolder(t);
    const messages = [message("m1", tokens(100, 40, 10)), message("m2", tokens(9, 0, 9))];
    const [old, resumed] = ["session-1.json", "session-1.jsonl"].map((name) => path.join(folder, name));
    assert.ok(old !== undefined && resumed !== undefined);
    writeFileSync(old, JSON.stringify({ ...header, messages }, null, 2));
    const lines = [header, ...messages, message("m3", tokens(5, 0, 5))].map((row) => JSON.stringify(row));
    writeFileSync(resumed, `${lines.join("\n")}\n`);
    const readings = [old, resumed].map((file) =>
      readChat({ path: file, cwd: "/home/dev/harbor", parentId: null }),
    );
    const sessions = readings.flatMap((reading) => (reading.ok ? [reading.value] : []));
    assert.deepEqual(
      sessions.map(({ records, facts }) => [records.length, facts.cwd]),
      [
        [2, "/home/dev/harbor"],
        [3, "/home/dev/harbor"],
      ],
    );
    const all = countOnce(sessions.flatMap(({ records }) => records));
    assert.deepEqual(
      all.map(({ key }) => key),
      ["gemini s1 m1", "gemini s1 m2", "gemini s1 m3"],
    );
  });

  it("are reported when they cannot be read", (t) => {
    const folder = scratchFolder(t);
    for (const name of ["session-1.json", "session-1.jsonl"]) {
      const read = readChat({ path: path.join(folder, name), cwd: null, parentId: null });
      assert.ok(!read.ok && read.reason === "gone");
    }
    const refused = readChat({ path: folder, cwd: null, parentId: null });
    assert.ok(!refused.ok);
  });
});
