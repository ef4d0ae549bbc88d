import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { packetHandler } from "../../../../src/engine/continuity/packet/packet-handler.ts";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { packetOf, PastSession } from "../past-session.ts";

const packet = packetOf(new PastSession().prompt("Mend it."));

function recorded(found: () => Promise<ResumePacket | null>, isOn = true, memory = new SessionMemory()) {
  const entries: string[] = [];
  const problems: string[] = [];
  const { handler, resume, resumed } = packetHandler({
    packetOf: found,
    memory,
    isOn: () => isOn,
    record: ({ sessionId, occasion }) => {
      entries.push(`${sessionId} ${occasion}`);
      return Promise.resolve(true);
    },
    onProblem: (message) => problems.push(message),
  });
  return { handler, resume, resumed, entries, problems };
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

test("the packet of a session that ended just before the service was killed is stored at the next start, once", async () => {
  const memory = new SessionMemory();
  const never = new Promise<never>(() => undefined);
  const killed = recorded(() => never, true, memory);
  void killed.handler.answer({ hook_event_name: "SessionEnd", session_id: "s" });
  const left = memory.dump("s");
  assert.deepEqual(left, { "packet-due": true });
  const next = new SessionMemory();
  const { resume, resumed, entries } = recorded(() => Promise.resolve(packet), true, next);
  assert.deepEqual(next.load("s", left), []);
  resume();
  await resumed();
  assert.deepEqual([entries, next.dump("s")], [["s end"], null]);
  resume();
  await resumed();
  assert.deepEqual(entries, ["s end"]);
});

test("nothing is stored where packets are off", async () => {
  const { handler, entries } = recorded(() => Promise.resolve(packet), false);
  void handler.answer({ hook_event_name: "PreCompact", session_id: "s", cwd: "/private" });
  void handler.answer({ hook_event_name: "SessionEnd", session_id: "s", cwd: "/private" });
  await new Promise(setImmediate);
  assert.deepEqual(entries, []);
});

test("nothing is stored for an unknown session or one without prompts, and a failure is reported", async () => {
  const unknown = recorded(() => Promise.resolve(null));
  const empty = recorded(() => Promise.resolve({ ...packet, turns: 0 }));
  const broken = recorded(() => Promise.reject(new Error("no disk")));
  for (const { handler } of [unknown, empty, broken])
    assert.equal(handler.answer({ hook_event_name: "SessionEnd", session_id: "s" }), null);
  await new Promise(setImmediate);
  assert.deepEqual([unknown.entries, empty.entries, broken.entries], [[], [], []]);
  assert.match(broken.problems.join(), /no disk/u);
});
