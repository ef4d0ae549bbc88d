import assert from "node:assert/strict";
import { test } from "node:test";
import { packetHandler } from "../../../../src/engine/continuity/packet/packet-handler.ts";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { packetOf, PastSession } from "../past-session.ts";

const packet = packetOf(new PastSession().prompt("Mend it."));

function recorded(found: () => Promise<ResumePacket | null>, isOn = true) {
  const entries: string[] = [];
  const problems: string[] = [];
  const handler = packetHandler({
    packetOf: found,
    isOn: () => isOn,
    record: ({ sessionId, occasion }) => entries.push(`${sessionId} ${occasion}`),
    onProblem: (message) => problems.push(message),
  });
  return { handler, entries, problems };
}

test("a packet is stored before a compaction, at the end, and every twenty prompts", async () => {
  const { handler, entries } = recorded(() => Promise.resolve(packet));
  for (let prompt = 1; prompt <= 41; prompt += 1)
    void handler.answer({ hook_event_name: "UserPromptSubmit", session_id: "s" });
  void handler.answer({ hook_event_name: "PreCompact", session_id: "s" });
  void handler.answer({ hook_event_name: "SessionEnd", session_id: "s" });
  void handler.answer({ hook_event_name: "PreCompact", session_id: "s", agent_id: "sub" });
  await new Promise(setImmediate);
  assert.deepEqual(entries, ["s turns", "s turns", "s compaction", "s end"]);
});

test("nothing is stored where packets are off", async () => {
  const { handler, entries } = recorded(() => Promise.resolve(packet), false);
  void handler.answer({ hook_event_name: "PreCompact", session_id: "s", cwd: "/private" });
  void handler.answer({ hook_event_name: "SessionEnd", session_id: "s", cwd: "/private" });
  await new Promise(setImmediate);
  assert.deepEqual(entries, []);
});

test("nothing is stored of a session that is not known or in which nothing was asked, and a failure is told", async () => {
  const unknown = recorded(() => Promise.resolve(null));
  const empty = recorded(() => Promise.resolve({ ...packet, turns: 0 }));
  const broken = recorded(() => Promise.reject(new Error("no disk")));
  for (const { handler } of [unknown, empty, broken])
    assert.equal(handler.answer({ hook_event_name: "SessionEnd", session_id: "s" }), null);
  await new Promise(setImmediate);
  assert.deepEqual([unknown.entries, empty.entries, broken.entries], [[], [], []]);
  assert.match(broken.problems.join(), /no disk/u);
});
