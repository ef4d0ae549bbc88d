import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { createStories } from "../../../../src/engine/continuity/story/create-stories.ts";
import { KeptTurns } from "../../../../src/engine/continuity/story/kept-turns.ts";
import type { PastEvent } from "../../../../src/engine/transcripts/past.ts";
import { scratchFolder } from "../../support/scratch.ts";

const id = "11111111-2222-4333-8444-555555555555";
const project = "/home/ann/shop";

/** A session's file, and the story read from it. */
function session(t: TestContext, file: string) {
  const home = scratchFolder(t);
  const at = path.join(home, file);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, "");
  const stories = createStories({
    env: { CLAUDE_CONFIG_DIR: path.join(home, "claude"), CODEX_HOME: path.join(home, "codex") },
    home,
    temporary: os.tmpdir(),
    rootOf: (folder) => folder,
    transcriptOf: () => undefined,
  });
  const packet = async () => {
    const found = await stories.of(id);
    assert.ok(found);
    return found.story.packet({ sessionId: id, agent: found.agent, folder: null, commit: null });
  };
  const rewound = async () => {
    const found = await stories.of(id);
    return [found?.isRewound, found?.story.openTodos];
  };
  const asked = async () => (await packet()).asked.map(({ turn, text }) => `${turn} ${text}`);
  return { write: (row: object) => appendFileSync(at, `${JSON.stringify(row)}\n`), packet, asked, rewound };
}

const claudeFile = `claude/projects/-home-ann-shop/${id}.jsonl`;

/** @param name the row's id; its parent's is before it, as in `a>b` */
function claude(name: string, type: string, more: object = {}): object {
  const [parent, uuid] = name.split(">");
  const common = { sessionId: id, cwd: project, isSidechain: false };
  return { parentUuid: parent === "" ? null : parent, uuid, type, ...common, ...more };
}
const says = (name: string, content: unknown, type = "user") =>
  claude(name, type, { message: { id: name, role: type, content } });
const replies = (name: string, text: string) => says(name, [{ type: "text", text }], "assistant");
const does = (name: string, tool: string, input: object) =>
  says(name, [{ type: "tool_use", id: `of ${name}`, name: tool, input }], "assistant");
const returns = (name: string, call: string) =>
  says(name, [{ type: "tool_result", tool_use_id: `of ${call}`, content: "done", is_error: false }]);

test("what a person left by going back is in no packet, in Claude Code's transcripts", async (t) => {
  const { write, packet, asked, rewound } = session(t, claudeFile);
  write(says(">a", "Add a basket to the shop."));
  write(replies("a>b", "Gladly."));
  write(claude("b>c", "attachment"));
  write(says("c>d", "Always use Redis for it."));
  write(does("d>e", "TodoWrite", { todos: [{ content: "Start Redis", status: "pending" }] }));
  write(returns("e>f", "d>e"));
  write(does("f>g", "Edit", { file_path: `${project}/redis.ts`, old_string: "a", new_string: "b" }));
  write(returns("g>h", "f>g"));
  write(replies("h>i", "Redis is in use."));
  assert.deepEqual(await asked(), ["1 Add a basket to the shop.", "2 Always use Redis for it."]);
  assert.equal((await packet()).open.length, 2);
  assert.deepEqual(await rewound(), [false, 1]);
  write(says("b>j", "Never use Redis, use SQLite."));
  write(replies("j>k", "SQLite it is."));
  const { decisions, open, files, lastReply, turns } = await packet();
  assert.deepEqual(await asked(), ["1 Add a basket to the shop.", "2 Never use Redis, use SQLite."]);
  assert.deepEqual(
    decisions.map(({ text }) => text),
    ["Never use Redis, use SQLite."],
  );
  assert.deepEqual([open, files, lastReply, turns], [[], [], "SQLite it is.", 2]);
  assert.deepEqual(await rewound(), [true, 0]);
  write(says(">l", "Something else."));
  assert.deepEqual(await asked(), ["1 Something else."]);
});

test("prompts that continue the last one, or have an unknown parent, abandon nothing", async (t) => {
  const { write, asked } = session(t, claudeFile);
  write(says("elsewhere>a", "One."));
  write(does("a>b", "Read", { file_path: "x" }));
  write(does("b>c", "Read", { file_path: "y" }));
  write(returns("b>d", "a>b"));
  write(returns("c>e", "b>c"));
  write(says("e>f", "Two."));
  write({ ...claude(">g", "system"), subtype: "compact_boundary", logicalParentUuid: "f" });
  write({ ...says("g>h", "The summary."), isCompactSummary: true });
  write({ ...says("h>i", "A note."), isMeta: true });
  write(says("i>j", "Three."));
  write(says("unknown>k", "Four."));
  write({ type: "user", sessionId: id, cwd: project, message: { role: "user", content: "Five." } });
  write({ ...says(">l", "Asked of a subagent."), isSidechain: true });
  assert.deepEqual(await asked(), ["1 One.", "2 Two.", "3 Three.", "4 Four.", "5 Five."]);
});

test("prompts abandon nothing in a file without parents", async (t) => {
  const { write, asked } = session(t, claudeFile);
  for (const name of ["One", "Two", "Three"]) {
    write(says(`>${name}`, `${name}.`));
    write(replies(`>after ${name}`, "Gladly."));
  }
  assert.deepEqual(await asked(), ["1 One.", "2 Two.", "3 Three."]);
});

test("turns that Codex rolled back are in no packet", async (t) => {
  const { write, asked } = session(t, `codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-${id}.jsonl`);
  const event = (payload: object) => {
    write({ timestamp: "2026-11-02T09:00:00.000Z", type: "event_msg", payload });
  };
  const prompt = (message: string) => {
    event({ type: "user_message", message });
  };
  write({ timestamp: "2026-11-02T09:00:00.000Z", type: "session_meta", payload: { id, cwd: project } });
  for (const text of ["One.", "Two.", "Three."]) prompt(text);
  event({ type: "thread_rolled_back", num_turns: 2 });
  prompt("Four.");
  assert.deepEqual(await asked(), ["1 One.", "2 Four."]);
  for (const wrong of [0, -1, "1", null]) event({ type: "thread_rolled_back", num_turns: wrong });
  assert.deepEqual(await asked(), ["1 One.", "2 Four."]);
});

const place = { sessionId: id, agentId: null, at: null, folder: null, branch: null };

test("turns behave like a list that is cut where a person goes back", () => {
  const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 })), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      let remaining: number[] = [];
      const events = all.map((back, step): PastEvent => {
        remaining = back === 0 ? [...remaining, step] : remaining.slice(0, -back);
        if (back === 0) return { ...place, kind: "prompt", text: `${step}` };
        return { ...place, kind: "rewind", prompts: back };
      });
      const first = new KeptTurns();
      for (const event of events) first.keeps(event);
      const second = new KeptTurns(first.left);
      const kept = events.flatMap((event, step) => (second.keeps(event) ? [step] : []));
      assert.deepEqual(kept, remaining);
      assert.equal(second.isChanged, false);
    }),
  );
});
