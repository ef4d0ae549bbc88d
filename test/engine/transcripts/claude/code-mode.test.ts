import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { SessionAccount } from "../../../../src/engine/sessions/live/account.ts";
import { claudeEntries } from "../../../../src/engine/ledger/collect/claude/claude-entries.ts";
import { readRow } from "../../../../src/engine/transcripts/claude/read-row.ts";
import { quietTypes } from "../../../../src/engine/transcripts/claude/claude-row-schema.ts";
import {
  idleTypes,
  findCallsInContext,
} from "../../../../src/engine/transcripts/claude/in-context/in-transcript.ts";
import { history } from "../../../../src/engine/transcripts/claude/past/history.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { codeModeRows, nested, script } from "./code-mode-rows.ts";

const sessionId = "7a0f98cb-0000-4000-8000-000000000001";
const lineOf = (row: object) => Buffer.from(JSON.stringify(row));

/** Every row type that 2.1.332 writes, without the conversation's own and those that purser reads. */
const listed =
  "repl-mode agent-color agent-name agent-setting api-request-resumed artifact-autoreact-ledger artifact-comment-monitor atis-latch " +
  "attribution-snapshot bridge-session continued-in data-flow-incomplete data-flow-records derived-from dev-mods ended-by-model " +
  "fork-context-ref frame-link history-suppression hybrid-organization isolation-latch memory-mode observer-ref relocated " +
  "resume-head-vouch session-owner content-replacement";

test("every row type of the newest version is known, in the live session and in the search for calls still in the context", () => {
  for (const type of listed.split(" ")) {
    assert.equal(readRow(lineOf({ type, sessionId }), { sessionId }).outcome, "known", type);
    assert.ok(type === "content-replacement" || idleTypes.includes(type), type);
  }
  for (const type of quietTypes) assert.ok(idleTypes.includes(type), type);
  assert.equal(readRow(lineOf({ type: "one-of-tomorrow" }), { sessionId }).outcome, "unknown");
});

test("a script's calls are not responses, calls of the model or prompts, and a nested call leads to its script's response", () => {
  const account = new SessionAccount(sessionId, null);
  const seen: string[] = [];
  for (const row of codeModeRows) {
    account.apply(readRow(lineOf(row), { sessionId }), null);
    seen.push(`${account.hasCall(nested.command)} ${account.hasCall(nested.edit)}`);
  }
  assert.deepEqual(account.skipped, new Map());
  assert.deepEqual([account.main.turns, account.main.prompts], [2, 1]);
  assert.deepEqual([...account.toolCalls], [[script, "REPL"]]);
  // The row of a nested call may be written before that of the script's response.
  assert.deepEqual(seen.slice(2, 6), ["false false", "true false", "true false", "true true"]);
});

test("the ledger has a script's responses and its one call; the past has the nested calls, with their files", (t) => {
  const file = { sessionId, agentId: null, path: path.join(scratchFolder(t), `${sessionId}.jsonl`) };
  const reader = claudeEntries(file, null);
  for (const row of codeModeRows) reader.line(lineOf(row));
  const entries = reader.take();
  const ids = (kind: string) =>
    entries.flatMap((entry) => (entry.kind === kind && "id" in entry ? [entry.id] : []));
  assert.deepEqual(ids("tool-call"), [script]);
  assert.equal(entries.filter(({ kind }) => kind === "response").length, 2);
  assert.equal(entries.filter(({ kind }) => kind === "run").length, 1);

  writeFileSync(file.path, "");
  const [read] = history.session(file.path);
  const rows = read?.rows?.();
  const past = codeModeRows.flatMap((row) => [...(rows?.read(row) ?? [])]);
  assert.equal(past.filter(({ kind }) => kind === "response").length, 2);
  assert.deepEqual(
    past.flatMap((event) => (event.kind === "call" ? [event.id] : [])),
    [script, nested.command, nested.edit],
  );
});

test("a prompt that the agent writes when background work has ended is not a person's", (t) => {
  const prompted = (text: string, more: object = {}) => ({
    type: "user",
    sessionId,
    uuid: text.slice(0, 5),
    timestamp: "2026-11-28T18:15:07.000Z",
    message: { role: "user", content: text },
    ...more,
  });
  const notice = "<task-notification>\n<task-id>a1</task-id> The helper is done.</task-notification>";
  const kinds = (row: object) => {
    const reading = readRow(lineOf(row), { sessionId });
    return reading.outcome === "known" ? reading.events.map(({ kind }) => kind) : [reading.outcome];
  };
  assert.deepEqual(kinds(prompted(notice)), ["notification"]);
  assert.deepEqual(kinds(prompted("The helper is done.", { turnOrigin: "task_notification" })), [
    "notification",
  ]);
  // A person may quote one.
  assert.deepEqual(kinds(prompted(notice, { turnOrigin: "human" })), ["prompt"]);
  assert.deepEqual(kinds(prompted("Count.", { turnOrigin: 7 })), ["prompt"]);

  const account = new SessionAccount(sessionId, null);
  const file = { sessionId, agentId: null, path: path.join(scratchFolder(t), "x.jsonl") };
  const reader = claudeEntries(file, null);
  const rows = [...codeModeRows, prompted(notice), ...codeModeRows.slice(-1)];
  for (const row of rows) {
    account.apply(readRow(lineOf(row), { sessionId }), null);
    reader.line(lineOf(row));
  }
  assert.equal(account.main.prompts, 1);
  assert.equal(
    reader.take().filter(({ kind }) => kind === "run").length,
    1,
    "the run that started it continues",
  );
  assert.deepEqual(history.session(file.path)[0]?.rows?.().read(prompted(notice)), []);
});

test("rows of code mode do not end the search for calls in the context; a row that removes outputs removes those it names, or all", async (t) => {
  const file = path.join(scratchFolder(t), "transcript.jsonl");
  const call = (use: string, after: string | null) => ({
    type: "assistant",
    uuid: use,
    parentUuid: after,
    message: { content: [{ type: "tool_use", id: use, name: "Read" }] },
  });
  const standing = async (...between: object[]) => {
    const rows = [call("one", null), call("two", "one"), ...between, call("now", "two")];
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    return [...(await findCallsInContext(file, { present: "now", earlier: ["one", "two"] }))].sort();
  };
  const virtual = codeModeRows.filter((row) => "isVirtual" in row || !("uuid" in row));
  assert.deepEqual(await standing(...virtual), ["one", "two"]);
  for (const type of listed.split(" ").filter((each) => each !== "content-replacement"))
    assert.deepEqual(await standing({ type, sessionId }), ["one", "two"], type);
  const replaced = (...ids: unknown[]) => ({
    type: "content-replacement",
    sessionId,
    replacements: ids.map((toolUseId) => ({ kind: "tool-result", toolUseId, replacement: "2 kB" })),
  });
  assert.deepEqual(await standing(replaced("one")), ["two"]);
  assert.deepEqual(await standing(replaced("one", "two")), []);
  assert.deepEqual(await standing(replaced("one", 7)), [], "one is not named");
  assert.deepEqual(await standing({ type: "content-replacement", sessionId }), [], "none is named");
  const cut = (callIds: unknown) => ({
    type: "attachment",
    attachment: { type: "tool_results_cut", callIds },
  });
  assert.deepEqual(await standing(cut(["two"])), ["one"]);
  assert.deepEqual(await standing(cut("two")), []);
  assert.deepEqual(await standing({ type: "one-of-tomorrow" }), []);
});
