import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { writeSpoolFile } from "../../../src/engine/guard/spool-file.ts";
import { waitUntil } from "../support/wait-until.ts";
import { Box } from "./support/box.ts";
import { hook, placeOf, post } from "./support/hooks.ts";
import { toldBy } from "./support/told.ts";

/** A row of the session's transcript, as an answer with so many tokens in its context leaves it. */
function row(number: number, context: number): string {
  const about = {
    type: "assistant",
    uuid: `u-${number}`,
    requestId: `req_${number}`,
    sessionId: "s-1",
    cwd: "/argo",
  };
  const message = {
    ...{ id: `msg_${number}`, role: "assistant", model: "claude-sonnet-4-5", content: [] },
    usage: { input_tokens: context, output_tokens: 5 },
  };
  return `${JSON.stringify({ ...about, timestamp: new Date().toISOString(), message })}\n`;
}

/** The hooks that the ledger's journal has, by their ids. */
function recorded({ home }: Box): { id: string; event: string; rule?: string | null }[] {
  const folder = path.join(home.folder, "journal");
  const text = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
  return Array.from(
    text
      .join("")
      .matchAll(
        /"kind":"hook-event".*?"id":"(?<id>[^"]*)"[^\n]*?"event":"(?<event>\w+)"(?:[^\n]*?"rule":"(?<rule>\w+)")?/gu,
      ),
    ({ groups }) => ({
      id: groups?.["id"] ?? "",
      event: groups?.["event"] ?? "",
      rule: groups?.["rule"] ?? null,
    }),
  );
}

it("a service warns the agent by what the transcript says at that moment, and has it in its ledger", async (t) => {
  const box = new Box(t);
  const file = box.transcript("s-1.jsonl", row(1, 20_000));
  const spooled = { kind: "hook-event", id: "hook:away", sessionId: "s-1", event: "Setup", at: 5 };
  writeSpoolFile(box.home.spool, "5-away", [JSON.stringify(spooled)]);
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  const status = await client.status();
  assert.ok(status.ok && status.value.sessions.length === 1);
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const place = placeOf(box.home);
  assert.equal((await post(place, hook("PostToolBatch"))).body, "");
  appendFileSync(file, row(2, 120_000));
  const warned = await post(place, hook("PostToolBatch"));
  assert.match(
    warned.body,
    /"additionalContext":"At this point the context holds 120,000 of 200,000 tokens \(40 % left\)/u,
  );
  assert.equal((await post(place, hook("PostToolBatch"))).body, "");
  await waitUntil(() => readdirSync(box.home.spool).length === 0);
  await client.shutdown("asked", 10_000);
  const hooks = recorded(box);
  assert.equal(hooks.length, 4);
  assert.deepEqual(hooks.filter(({ rule }) => rule === "WRAP_UP").length, 1);
  assert.ok(hooks.some(({ id, event }) => id === "hook:away" && event === "Setup"));
  assert.doesNotMatch(box.log(), / warn | error /u);
});

it("a service warns by the thresholds that a window set, also of a session that appeared just now", async (t) => {
  const box = new Box(t);
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  const status = await client.status();
  assert.ok(status.ok && status.value.sessions.length === 0);
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const place = placeOf(box.home);
  box.transcript("s-1.jsonl", row(1, 60_000));
  assert.equal((await post(place, hook("PostToolBatch"))).body, "", "30 % is nothing to usual thresholds");
  const settings = toldBy({ wrapUpAt: 80, endTurnAt: 10 });
  await client.configure({ roots: [box.root], env: {}, folders: [], settings });
  assert.match((await post(place, hook("PostToolBatch"))).body, /holds 60,000 of 200,000 tokens/u);
  await client.shutdown("asked", 10_000);
});
