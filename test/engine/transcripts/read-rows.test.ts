import assert from "node:assert/strict";
import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { agents } from "../../../src/engine/transcripts/agents.ts";
import {
  type PastRows,
  type PastEvent,
  readPast,
  type PastFile,
} from "../../../src/engine/transcripts/past.ts";

const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));
const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-history-"));
/** Gemini CLI's folder is below the home that its variable names. */
const geminiHome = path.join(scratch, "gemini");
cpSync(path.join(recordings, "gemini-0.61.0/subagent/tmp"), path.join(geminiHome, ".gemini/tmp"), {
  recursive: true,
});
after(() => rmSync(scratch, { recursive: true, force: true }));

async function filesIn(env: Readonly<Record<string, string>>): Promise<PastFile[]> {
  const found = await Promise.all(
    agents.map(async ({ history }) => (await history?.())?.files({ env, home: scratch }) ?? []),
  );
  return found.flat();
}

async function eventsIn(variable: string, folder: string): Promise<PastEvent[]> {
  const events: PastEvent[] = [];
  for (const file of await filesIn({ [variable]: folder })) {
    const read = await readPast(file, (some) => {
      events.push(...some);
      return Promise.resolve();
    });
    assert.ok(read.ok);
  }
  return events;
}

function counted(events: readonly PastEvent[]): string {
  const kinds = ["prompt", "response", "reply", "call", "result", "compaction", "summary"] as const;
  return kinds.map((kind) => events.filter((event) => event.kind === kind).length).join(" ");
}

test("each agent's recorded sessions yield their prompts, responses, words, calls, results, compactions and summaries", async () => {
  const recorded = [
    ["CLAUDE_CONFIG_DIR", "2.1.332/compaction-auto", "1 4 4 3 3 1 1"],
    ["CODEX_HOME", "codex-0.171.0/compaction", "2 2 2 0 0 1 1"],
    ["CODEX_HOME", "codex-0.171.0/subagent", "3 6 3 3 3 0 0"],
    ["COPILOT_HOME", "copilot-1.0.102/compaction", "1 3 3 2 2 1 1"],
    ["COPILOT_HOME", "copilot-1.0.102/subagent", "2 4 4 2 2 0 0"],
    ["GEMINI_CLI_HOME", geminiHome, "2 4 1 3 3 0 0"],
  ] as const;
  for (const [variable, folder, expected] of recorded)
    assert.equal(counted(await eventsIn(variable, path.resolve(recordings, folder))), expected, folder);
});

test("a subagent's calls belong to its parent's session", async () => {
  const subagents = await Promise.all([
    eventsIn("CODEX_HOME", path.join(recordings, "codex-0.171.0/subagent")),
    eventsIn("COPILOT_HOME", path.join(recordings, "copilot-1.0.102/subagent")),
    eventsIn("CLAUDE_CONFIG_DIR", path.join(recordings, "2.1.332/subagents")),
    eventsIn("GEMINI_CLI_HOME", geminiHome),
  ]);
  for (const events of subagents) {
    assert.equal(new Set(events.map(({ sessionId }) => sessionId)).size, 1);
    assert.ok(events.some(({ kind, agentId }) => kind === "call" && agentId !== null));
  }
});

/** A reader of rows for each agent that has a recording. */
async function readers(): Promise<Map<string, PastRows>> {
  const homes = [
    ["CLAUDE_CONFIG_DIR", "2.1.332/subagents"],
    ["CODEX_HOME", "codex-0.171.0/compaction"],
    ["COPILOT_HOME", "copilot-1.0.102/subagent"],
    ["GEMINI_CLI_HOME", geminiHome],
  ] as const;
  const found = new Map<string, PastRows>();
  for (const [variable, folder] of homes) {
    const rows = (await filesIn({ [variable]: path.resolve(recordings, folder) }))[0]?.rows?.();
    if (rows !== undefined) found.set(variable, rows);
  }
  return found;
}

test("Codex's commands, outputs and exit codes are separated from the lines around them", async () => {
  const rows = (await readers()).get("CODEX_HOME");
  const item = (payload: unknown) => rows?.read({ type: "response_item", payload }) ?? [];
  const run = { type: "function_call", name: "exec_command", arguments: '{"cmd":"make"}', call_id: "c" };
  const called = item(run);
  assert.deepEqual(
    called.map(({ kind }) => kind),
    ["response", "call"],
  );
  const [, call] = called;
  assert.ok(call?.kind === "call");
  assert.deepEqual([call.tool, call.input], ["Bash", { command: "make" }]);
  const [shell] = item({ ...run, name: "shell", arguments: '{"command":["bash","-lc","ls | wc"]}' });
  assert.ok(shell?.kind === "call");
  assert.deepEqual(shell.input, { command: "ls | wc" });
  const output = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno rule\n";
  const [result] = item({ type: "function_call_output", call_id: "c", output });
  assert.ok(result?.kind === "result");
  assert.deepEqual([result.text, result.isError], ["no rule\n", true]);
});

test("a compressed file is not read, and a half-written line yields nothing", async () => {
  const folder = path.join(scratch, "codex/sessions/2026/11/02");
  mkdirSync(folder, { recursive: true });
  const named = (last: string) =>
    path.join(folder, `rollout-2026-11-02T09-00-00-01a19b7c-a680-7000-8000-0000000400${last}`);
  writeFileSync(named("01.jsonl.zst"), "packed");
  writeFileSync(named("02.jsonl"), '{"type":"compacted"}\n{"type":"com');
  const files = await filesIn({ CODEX_HOME: path.join(scratch, "codex") });
  let count = 0;
  const read = files.map(async (file) => {
    return await readPast(file, (events) => {
      count += events.length;
      return Promise.resolve();
    });
  });
  assert.deepEqual((await Promise.all(read)).map(({ ok }) => String(ok)).toSorted(), ["false", "true"]);
  assert.equal(count, 1);
});

test("rows of any form are read without a fault", async () => {
  const all = await readers();
  assert.equal(all.size, 4);
  const types = fc.constantFrom("assistant", "user", "response_item", "gemini", "tool.execution_complete");
  const any = fc.jsonValue();
  const row = fc.oneof(
    any,
    fc.record({ type: types, message: any, payload: any, data: any, id: fc.string(), toolCalls: any }),
  );
  fc.assert(
    fc.property(row, (each) => {
      for (const rows of all.values())
        for (const { sessionId } of rows.read(each)) assert.equal(typeof sessionId, "string");
    }),
  );
});
