import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { describe, it } from "node:test";
import { defaultSettings, type ContextSettings } from "../../../src/engine/context/settings.ts";
import type { LiveSnapshot } from "../../../src/engine/context/live-snapshot.ts";
import type { ServiceClient } from "../../../src/engine/service/service-client.ts";
import { until } from "../context/support/until.ts";
import { Box } from "./support/box.ts";

let count = 0;

/** A response now, with so many tokens in its context. */
function row(tokens: number): string {
  count += 1;
  const usage = { input_tokens: tokens, output_tokens: 10, cache_read_input_tokens: 0 };
  return `${JSON.stringify({
    type: "assistant",
    message: { id: `m${count}`, model: "claude-sonnet-4-5", usage },
    requestId: `r${count}`,
    timestamp: new Date().toISOString(),
    cwd: "/argo",
  })}\n`;
}

function occupancyIn({ sessions }: LiveSnapshot): number | null | undefined {
  return sessions[0]?.occupancy.value;
}

async function follows(
  client: ServiceClient,
  box: Box,
  settings: Partial<ContextSettings> = {},
): Promise<(isWanted: (snapshot: LiveSnapshot) => boolean) => Promise<LiveSnapshot>> {
  await client.configure({ roots: [box.root], env: {}, settings: { ...defaultSettings, ...settings } });
  const heard: LiveSnapshot[] = [];
  client.onSnapshot((snapshot) => heard.push(snapshot));
  assert.ok((await client.subscribe()).ok);
  return async (isWanted) => heard.find(isWanted) ?? (await until(client.onSnapshot, isWanted));
}

describe("what clients are told", () => {
  it("is the same for two with the same settings, now and after a change", async (t) => {
    const box = new Box(t);
    const file = box.transcript("s-1.jsonl", row(50_000));
    const clients = [await box.host(), await box.client()];
    const next = await Promise.all(clients.map((client) => follows(client, box)));
    const first = await Promise.all(next.map((heard) => heard((told) => occupancyIn(told) === 50_000)));
    assert.deepEqual(first[0], first[1]);
    appendFileSync(file, row(60_000));
    const second = await Promise.all(next.map((heard) => heard((told) => occupancyIn(told) === 60_000)));
    assert.deepEqual(second[0], second[1]);
    const described = await clients[0]?.describe();
    assert.ok(described?.ok);
    assert.deepEqual([described.value.views, described.value.sources, described.value.live], [1, 1, 1]);
  });

  it("holds to each one's own settings, and the files are read once", async (t) => {
    const box = new Box(t);
    box.transcript("s-1.jsonl", row(90_000));
    const [calm, anxious] = [await box.host(), await box.client()];
    const heard = [await follows(calm, box), await follows(anxious, box, { wrapUpAt: 90, endTurnAt: 80 })];
    const told = await Promise.all(heard.map((next) => next(({ sessions }) => sessions.length > 0)));
    assert.deepEqual(
      told.map(({ sessions }) => sessions[0]?.advice),
      ["CONTINUE", "END_TURN"],
    );
    const described = await calm.describe();
    assert.ok(described.ok);
    assert.deepEqual([described.value.views, described.value.sources], [2, 1]);
  });

  it("changes at once with a client's settings", async (t) => {
    const box = new Box(t);
    box.transcript("s-1.jsonl", row(90_000));
    const client = await box.host();
    const next = await follows(client, box);
    await next(({ sessions }) => sessions[0]?.advice === "CONTINUE");
    const anxious = { ...defaultSettings, wrapUpAt: 90, endTurnAt: 80 };
    await client.configure({ roots: [box.root], env: {}, settings: anxious });
    await next(({ sessions }) => sessions[0]?.advice === "END_TURN");
  });

  it("is read just then when it is asked for", async (t) => {
    const box = new Box(t);
    const file = box.transcript("s-1.jsonl", row(50_000));
    const client = await box.host();
    for (const tokens of [51_000, 52_000, 53_000]) {
      appendFileSync(file, row(tokens));
      const told = await client.status();
      assert.ok(told.ok);
      assert.equal(occupancyIn(told.value), tokens);
    }
  });

  it("ends when a client does not want it any more", async (t) => {
    const box = new Box(t);
    const file = box.transcript("s-1.jsonl", row(50_000));
    const [client, other] = [await box.host(), await box.client()];
    const [next, others] = [await follows(client, box), await follows(other, box)];
    await next((told) => occupancyIn(told) === 50_000);
    await client.unsubscribe();
    client.onSnapshot(() => assert.fail("told after all"));
    appendFileSync(file, row(60_000));
    await others((told) => occupancyIn(told) === 60_000);
  });

  it("can be cancelled", async (t) => {
    const box = new Box(t);
    const client = await box.host();
    const stop = new AbortController();
    stop.abort();
    const told = await client.status(stop.signal);
    assert.ok(!told.ok && told.reason === "cancelled");
  });
});
