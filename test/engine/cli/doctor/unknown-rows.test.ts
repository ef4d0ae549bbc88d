import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findUnknownRows } from "../../../../src/engine/cli/doctor/unknown-rows.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { codeModeRows } from "../../transcripts/claude/code-mode-rows.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));
const text = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function home(t: Parameters<typeof scratchFolder>[0]) {
  const folder = scratchFolder(t);
  const write = (file: string, content: string) => {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, content);
  };
  return { folder, write, find: () => findUnknownRows({ env: {}, home: folder }) };
}

test("rows and fields that are not known are counted by agent and version, and named as text of one line", async (t) => {
  const { write, find } = home(t);
  assert.deepEqual(await find(), { findings: [], unknown: [] });
  const bell = "one\u001b[31m-of\n-tomorrow";
  write(
    ".claude/projects/-argo/s.jsonl",
    text([
      { type: "user", version: "9.9.1", message: { content: "Go." }, mood: "fair", uuid: "1" },
      { type: "user", version: "9.9.1", message: { content: "Go." }, mood: "fair", uuid: "2" },
      { type: bell, sessionId: "s" },
      { type: "x".repeat(5000) },
    ]) + "no JSON\n",
  );
  const time = "2026-11-28T18:00:00.000Z";
  write(
    ".codex/sessions/2026/11/28/rollout-2026-11-28T18-00-00-01a19b7c-a680-7000-8000-000000010000.jsonl",
    text([
      { timestamp: time, type: "session_meta", payload: { cli_version: "8.8.0" } },
      { timestamp: time, type: "tide_table", payload: {} },
      { timestamp: time, type: "id_allocation", payload: {} },
    ]),
  );
  const { findings, unknown } = await find();
  const named = unknown.map(({ agent, version, kind, name, count }) => [
    agent,
    version,
    kind,
    name.slice(0, 20),
    count,
  ]);
  assert.deepEqual(named[0], ["claude-code", "9.9.1", "field", "mood", 2]);
  assert.deepEqual(named.slice(1).map(String).toSorted(), [
    "claude-code,9.9.1,row,one-of -tomorrow,1",
    `claude-code,9.9.1,row,${"x".repeat(20)},1`,
    "codex,8.8.0,row,tide_table,1",
  ]);
  assert.ok(unknown.every(({ name }) => name.length <= 60));
  assert.deepEqual(
    findings.map(({ id, level }) => `${id} ${level}`),
    ["transcript-rows note", "transcript-rows note", "transcript-rows note"],
  );
  assert.ok(
    findings.some(({ what }) => what.text.includes("Codex 8.8.0") && what.text.includes("tide_table (1)")),
  );
});

test("counts few names and lists fewer, for any number of names in a file", async (t) => {
  const { write, find } = home(t);
  write(
    ".claude/projects/-argo/s.jsonl",
    text(Array.from({ length: 500 }, (_, at) => ({ type: `row-${at}` }))),
  );
  const { findings, unknown } = await find();
  assert.equal(unknown.length, 50);
  assert.equal(findings.length, 1);
  assert.ok((findings[0]?.what.text.length ?? 0) <= 600);
});

test("all rows of the tested versions are known", async (t) => {
  const { folder, write, find } = home(t);
  for (const scenario of [
    "tool-loop",
    "subagents",
    "fork",
    "compaction-auto",
    "api-error",
    "subagent-background",
  ])
    for (const version of ["2.1.332", "2.1.197"])
      cpSync(path.join(recordings, version, scenario, "projects"), path.join(folder, ".claude", "projects"), {
        recursive: true,
      });
  const copy = (version: string, scenario: string, from: string, to: string) =>
    cpSync(path.join(recordings, version, scenario, from), path.join(folder, to), { recursive: true });
  for (const scenario of ["compaction", "context-full", "fork", "subagent"])
    copy("codex-0.171.0", scenario, "sessions", ".codex/sessions");
  for (const scenario of ["compaction", "compaction-asked", "error", "subagent", "tool-loop"])
    copy("copilot-1.0.102", scenario, "session-state", ".copilot/session-state");
  for (const scenario of ["compression", "subagent", "tool-loop"])
    copy("gemini-0.61.0", scenario, "tmp", ".gemini/tmp");
  write(".claude/projects/-argo/code-mode.jsonl", text(codeModeRows));
  // Sessions with hooks had both.
  const inTerminal = { type: "assistant", version: "2.1.332", sessionId: "s", session_id: "s" };
  write(".claude/projects/-argo/terminal.jsonl", text([inTerminal]));
  const { findings, unknown } = await find();
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    findings.map(({ level }) => level),
    ["ok"],
  );
});

test("names fields beside the figures for every agent, but not fields of mere content", async (t) => {
  const { write, find } = home(t);
  const timestamp = "2026-11-28T18:00:00.000Z";
  write(
    ".claude/projects/-argo/s.jsonl",
    text([
      {
        type: "assistant",
        version: "9.9.1",
        message: { id: "m", usage: { input_tokens: 1, tidal_tokens: 2 }, content: [{ type: "tide" }] },
      },
    ]),
  );
  const counts = { input_tokens: 1, output_tokens: 1, tidal_tokens: 1 };
  write(
    ".codex/sessions/2026/11/28/rollout-2026-11-28T18-00-00-01a19b7c-a680-7000-8000-000000010000.jsonl",
    text([
      { timestamp, type: "session_meta", payload: { cli_version: "8.8.0", harbor: 1, source: { any: 1 } } },
      { timestamp, type: "token_usage_record", payload: { response_id: "r", usage: counts } },
      { timestamp, type: "event_msg", payload: { type: "token_count", info: { total_token_usage: counts } } },
      { timestamp, type: "event_msg", payload: { type: "agent_message", mood: 1 } },
    ]),
  );
  write(
    ".copilot/session-state/5e551021-0000-4000-8000-000000000001/events.jsonl",
    text([
      { timestamp, id: "1", type: "session.start", data: { copilotVersion: "7.7.0", harbor: 1 } },
      { timestamp, id: "2", type: "session.usage_record", data: { usage: { tidalTokens: 1 } }, pier: 1 },
      { timestamp, id: "3", type: "tide.table", data: { any: 1 } },
      { timestamp, id: "4", type: "tool.execution_start", data: { mood: 1 } },
    ]),
  );
  write(
    ".gemini/tmp/argo/chats/session-2026-11-28T18-00-5e551021.jsonl",
    text([
      { sessionId: "s", projectHash: "h", harbor: 1 },
      { id: "1", type: "gemini", tokens: { input: 1, tidal: 1 }, content: [{ mood: 1 }] },
      { $set: { pier: 1 } },
      { type: "tide" },
    ]),
  );
  assert.deepEqual(
    (await find()).unknown
      .map(({ agent, version, kind, name, count }) => [agent, version ?? "", kind, name, count].join(" "))
      .toSorted(),
    [
      "claude-code 9.9.1 field message.usage.tidal_tokens 1",
      "codex 8.8.0 field session_meta.harbor 1",
      "codex 8.8.0 field token_count.info.total_token_usage.tidal_tokens 1",
      "codex 8.8.0 field token_usage_record.usage.tidal_tokens 1",
      "copilot 7.7.0 field row.pier 1",
      "copilot 7.7.0 field session.start.harbor 1",
      "copilot 7.7.0 field session.usage_record.usage.tidalTokens 1",
      "copilot 7.7.0 row tide.table 1",
      "gemini  field $set.pier 1",
      "gemini  field header.harbor 1",
      "gemini  field message.tokens.tidal 1",
      "gemini  row tide 1",
    ],
  );
});
