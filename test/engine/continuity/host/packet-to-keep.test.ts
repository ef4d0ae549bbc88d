import assert from "node:assert/strict";
import test from "node:test";
import { packetEntry } from "../../../../src/engine/continuity/packet/packet-handler.ts";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { packetToKeep } from "../../../../src/engine/continuity/host/packet-to-keep.ts";
import { storeOf } from "../learn/world.ts";
import { PastSession, storyOf } from "../past-session.ts";
import { open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

function packetOf(prompts: number): ResumePacket & { readonly at: number } {
  const session = new PastSession();
  for (let prompt = 0; prompt < prompts; prompt++) session.prompt(`part ${prompt}`);
  const facts = { sessionId: "s", agent: "claude-code", folder: null, commit: null };
  const packet = storyOf(session.events).packet(facts);
  assert.ok(packet.at !== null);
  return { ...packet, at: packet.at };
}

test("a packet is stored if it is more complete than the stored one, or after a person went back", async (t) => {
  const [two, three] = [packetOf(2), packetOf(3)];
  const later = { ...two, at: three.at + 1000 };
  const cases = [
    { stored: two, packet: three, isRewound: false, isKept: true },
    { stored: three, packet: later, isRewound: false, isKept: false },
    { stored: three, packet: later, isRewound: true, isKept: true },
    { stored: later, packet: later, isRewound: true, isKept: false },
    { stored: three, packet: two, isRewound: true, isKept: false },
  ];
  for (const { stored, packet, isRewound, isKept } of cases) {
    const ledger = await open(t, scratchFolder(t));
    await ledger.append([packetEntry(stored, "s", "end")]);
    const kept = await packetToKeep({ packet, isRewound }, { store: storeOf(ledger), now: later.at });
    assert.equal(kept !== null, isKept, JSON.stringify([stored.turns, packet.turns, isRewound]));
  }
});
