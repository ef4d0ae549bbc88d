import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { StartOffers, type OfferPorts } from "../../../../src/engine/continuity/host/create-start.ts";
import { defaults as defaultSettings } from "../../../../src/engine/settings/shape.ts";
import { packetOf } from "../packet-fixture.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

const before = packetOf({ sessionId: "before" });

async function place(t: TestContext, own: Partial<OfferPorts> = {}, packet: ResumePacket | null = before) {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, { kind: "session", id: "new", program: "codex" });
  const offers = new StartOffers({
    settings: { of: () => defaultSettings },
    ledger: { ask: (name, params) => Promise.resolve(succeed(ledger.ask(name, params))) },
    isFresh: () => null,
    lastWork: () => Promise.resolve(packet),
    ...own,
  });
  const offered = async (session = "new") => {
    const asked = await offers.offerFor(session, "/home/mara/argo");
    assert.ok(asked.ok);
    return asked.value.offer;
  };
  return { ledger, offers, offered };
}

test("a new session is offered the last one's work, by its title", async (t) => {
  const { ledger, offered } = await place(t);
  assert.deepEqual(await offered(), {
    sessionId: "before",
    program: "claude-code",
    title: "Mend the login form",
    at: before.at,
    turns: 3,
  });
  await appendEntries(ledger, { kind: "session", id: "before", title: "Login\u001B[2J\u202E form" });
  assert.equal((await offered())?.title, "Login form");
  assert.equal((await offered("unknown"))?.sessionId, "before", "its transcript may not be read yet");
});

test("nothing is offered when off, to a continued or forked session or one with the packet, and without work", async (t) => {
  const setting = (continuityStart: "off" | "always") => ({
    settings: { of: () => ({ ...defaultSettings, continuityStart }) },
  });
  assert.equal(await (await place(t, setting("off"))).offered(), null);
  assert.equal(await (await place(t, { isFresh: () => false })).offered(), null);
  assert.equal(await (await place(t, { ...setting("always"), isFresh: () => true })).offered(), null);
  assert.ok((await (await place(t, setting("always"))).offered()) !== null, "no hook gave it");
  assert.equal(await (await place(t, {}, null)).offered(), null);
  const { ledger, offered } = await place(t);
  await appendEntries(ledger, { kind: "session", id: "new", parentId: "before" });
  assert.equal(await offered(), null);
});

test("a packet is written as text from the ledger, and a missing one is reported", async (t) => {
  const { ledger, offers } = await place(t);
  const none = await offers.textOf("before");
  assert.ok(!none.ok && none.reason === "no_packet");
  await appendEntries(ledger, {
    kind: "resume-packet",
    sessionId: "before",
    occasion: "end",
    at: before.at,
    turn: 3,
    program: "claude-code",
    folder: "/home/mara/argo",
    branch: "login",
    packet: JSON.stringify(before),
  });
  const shown = await offers.textOf("before");
  assert.ok(shown.ok);
  assert.match(shown.value.text, /^Notes on an earlier session[^]*src\/login\.ts/u);
  assert.ok(shown.value.tokens > 0 && shown.value.tokens <= 1500);
});
