import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { SessionFeed } from "../../../../src/engine/sessions/live/sessions-feed.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { writeTree } from "../../support/write-tree.ts";

const row = (id: string, isSidechain: boolean) =>
  `${JSON.stringify({
    type: "assistant",
    sessionId: "s1",
    isSidechain,
    timestamp: "2026-11-02T09:00:00.000Z",
    message: { id, model: "claude-opus-4-6", usage: { input_tokens: 10, output_tokens: 5 } },
  })}\n`;

it("a subagent of the old, flat layout belongs to its session, from the start and as it grows", async (t) => {
  const root = scratchFolder(t);
  const place = (name: string) => path.join(root, "projects", "p", name);
  writeTree(root, { "projects/p/s1.jsonl": row("m1", false), "projects/p/agent-a1.jsonl": row("m2", true) });
  const feed = new SessionFeed({
    roots: [{ agent: "claude-code", path: root }],
    clock: { now: Date.now },
    isAlive: () => false,
  });
  t.after(() => feed.dispose());
  const turns = (agentId: string) => feed.readers.get("s1")?.account.subagents.get(agentId)?.chain.turns;
  await feed.start();
  await waitUntil(() => turns("a1") === 1);
  appendFileSync(place("agent-a1.jsonl"), row("m3", true));
  await waitUntil(() => turns("a1") === 2);
  writeFileSync(place("agent-a2.jsonl"), row("m4", true));
  await waitUntil(() => turns("a2") === 1);
  assert.deepEqual([...feed.readers.keys()], ["s1"]);
  assert.equal(feed.readers.get("s1")?.account.main.turns, 1);
});
