import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findUnknownRows } from "../../../../src/engine/cli/doctor/check-rows.ts";
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

test("rows and fields that are not known are counted by agent and version, and named as text of one line", (t) => {
  const { write, find } = home(t);
  assert.deepEqual(find(), { findings: [], unknown: [] });
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
  const { findings, unknown } = find();
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
  assert.ok(findings.some(({ what }) => what.includes("Codex 8.8.0") && what.includes("tide_table (1)")));
});

test("however many names a file has, few are counted and fewer listed", (t) => {
  const { write, find } = home(t);
  write(
    ".claude/projects/-argo/s.jsonl",
    text(Array.from({ length: 500 }, (_, at) => ({ type: `row-${at}` }))),
  );
  const { findings, unknown } = find();
  assert.equal(unknown.length, 50);
  assert.equal(findings.length, 1);
  assert.ok((findings[0]?.what.length ?? 0) <= 600);
});

test("all that the tested versions wrote is known", (t) => {
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
  cpSync(
    path.join(recordings, "codex-0.171.0", "compaction", "sessions"),
    path.join(folder, ".codex", "sessions"),
    {
      recursive: true,
    },
  );
  write(".claude/projects/-argo/code-mode.jsonl", text(codeModeRows));
  const { findings, unknown } = find();
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    findings.map(({ level }) => level),
    ["ok"],
  );
});
