import assert from "node:assert/strict";
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { it, type TestContext } from "node:test";
import * as z from "zod";
import { writeSpoolFile } from "../../../src/engine/hooks/spool-file.ts";
import { open } from "../ledger/support/support.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox, machine } from "./support/box.ts";
import { hook, placeOf, post } from "./support/hooks.ts";
import { windowSettingsOf } from "./support/window-settings.ts";

/** A row of the session's transcript: an answer with that many tokens in its context. */
function row(number: number, context: number): string {
  const about = {
    type: "assistant",
    uuid: `u-${number}`,
    requestId: `req_${number}`,
    sessionId: "s-1",
    cwd: "/argo",
  };
  const message = {
    id: `msg_${number}`,
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [],
    usage: { input_tokens: context, output_tokens: 5 },
  };
  return `${JSON.stringify({ ...about, timestamp: new Date().toISOString(), message })}\n`;
}

const exported = z.object({
  tables: z.object({
    hook_events: z.array(z.object({ id: z.string(), event: z.string(), rule: z.string().nullable() })),
  }),
});

/** The hooks in the ledger of a service that has ended. */
async function recorded(t: TestContext, { home }: ServiceSandbox) {
  const ledger = await open(t, home.folder);
  const whole = await text(ledger.export({ format: "json", since: null }));
  return exported.parse(JSON.parse(whole)).tables.hook_events;
}

it("a service warns the agent from the current transcript, and records it in its ledger", async (t) => {
  const box = new ServiceSandbox(t);
  const file = box.transcript("s-1.jsonl", row(1, 20_000));
  const spooled = { kind: "hook-event", id: "hook:away", sessionId: "s-1", event: "Setup", at: Date.now() };
  writeSpoolFile(box.home.spool, "5-away", [JSON.stringify(spooled)]);
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  const status = await client.ask("status", {});
  assert.ok(status.ok && status.value.sessions.length === 1);
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const address = placeOf(box.home);
  assert.equal((await post(address, hook("PostToolBatch"))).body, "");
  appendFileSync(file, row(2, 160_000));
  const warned = await post(address, hook("PostToolBatch"));
  assert.match(
    warned.body,
    /"additionalContext":"At this point the context holds 160,000 of 200,000 tokens \(20% left\)/u,
  );
  assert.equal((await post(address, hook("PostToolBatch"))).body, "");
  await waitUntil(() => readdirSync(box.home.spool).length === 0);
  await client.shutdown("asked", 10_000);
  const hooks = await recorded(t, box);
  assert.equal(hooks.length, 4);
  assert.deepEqual(hooks.filter(({ rule }) => rule === "WRAP_UP").length, 1);
  assert.ok(hooks.some(({ id, event }) => id === "hook:away" && event === "Setup"));
  assert.deepEqual(box.faults(), []);
});

it("a service warns by the thresholds that a window set, also of a session that appeared just now", async (t) => {
  const box = new ServiceSandbox(t);
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  const status = await client.ask("status", {});
  assert.ok(status.ok && status.value.sessions.length === 0);
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const address = placeOf(box.home);
  box.transcript("s-1.jsonl", row(1, 60_000));
  assert.equal((await post(address, hook("PostToolBatch"))).body, "", "30 % is nothing to usual thresholds");
  const settings = windowSettingsOf({ wrapUpAt: 80, endTurnAt: 10 });
  await client.ask("configure", { roots: box.roots, env: {}, folders: [], settings });
  assert.match((await post(address, hook("PostToolBatch"))).body, /holds 60,000 of 200,000 tokens/u);
  await client.shutdown("asked", 10_000);
});

/** Starts a service process that answers hooks; returns it with its endpoint. */
async function startService(box: ServiceSandbox) {
  const before = box.log();
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  await client.ask("status", {});
  await waitUntil(() => box.log().slice(before.length).includes("Hooks are answered at"));
  const address = placeOf(box.home);
  return {
    client,
    told: async (event: string, more: object = {}) => (await post(address, hook(event, more))).body,
  };
}

it("a service uses a closed window's settings and settings.json, and repeats no warning", async (t) => {
  const box = new ServiceSandbox(t);
  const file = box.transcript("s-1.jsonl", row(1, 60_000));
  const first = await startService(box);
  const settings = windowSettingsOf({ endTurnAt: 5 }, { "/argo": { wrapUpAt: 80 } });
  await first.client.ask("configure", { roots: box.roots, env: {}, folders: ["/argo"], settings });
  await first.client.shutdown("asked", 10_000);
  const second = await startService(box);
  assert.match(await second.told("PostToolBatch"), /60,000 of 200,000 tokens \(70% left\).*WRAP_UP/u);
  // The warning is on the disk before the agent has it.
  process.kill(second.client.pid, "SIGKILL");
  await waitUntil(() => !machine.isAlive(second.client.pid));
  writeFileSync(box.home.settings, JSON.stringify({ stopGate: "ask" }));
  const third = await startService(box);
  assert.equal(await third.told("PostToolBatch"), "", "it was told before the service was killed");
  appendFileSync(file, row(2, 192_000));
  const asked = await third.told("Stop");
  assert.match(asked, /"decision":"block".* 4% of the context left \(192,000 of 200,000 tokens used\)/u);
  await third.client.shutdown("asked", 10_000);
  writeFileSync(box.home.settings, JSON.stringify({ stopGate: "ask", warnAgent: false }));
  const fourth = await startService(box);
  await fourth.told("UserPromptSubmit");
  assert.equal(await fourth.told("PostToolBatch"), "", "the file turned it off");
  assert.equal(await fourth.told("Stop"), "", "it was asked to sum up before the restart");
  await fourth.client.shutdown("asked", 10_000);
  assert.deepEqual(box.faults(), []);
});
