import assert from "node:assert/strict";
import http from "node:http";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { HookServerAddress } from "../../../../src/engine/hooks/server/address.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import type { MessageQuestion, MessageSettlement } from "../../../../src/engine/hooks/message-requests.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { FakeCollecting, FakeLedger } from "../../service/support/fake-ledger.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";

const sent = { to: "backend", message: "Which port?" };
const team = { "X-Purser-Teams": "1", "X-Purser-Entry": "cli" };

async function scene(t: TestContext, box = new ServiceSandbox(t)) {
  const cwd = path.join(box.folder, "argo", "stern");
  mkdirSync(cwd, { recursive: true });
  const { log, clock } = box.servicePorts();
  const kept = new FakeLedger();
  const ledger = new LedgerHost({
    log,
    clock,
    places: [],
    open: () => Promise.resolve(succeed(kept)),
    collect: () => new FakeCollecting([]),
  });
  const client = await box.host({ ledger });
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const address = placeOf(box.home);
  const say = (event: string, more: object) =>
    post(address, hook(event, { cwd, tool_name: "SendMessage", ...more }), { headers: team });
  const statuses = () => kept.told.flatMap((entry) => (entry.kind === "question" ? [entry.status] : []));
  return { box, client, place: address, say, cwd, statuses, project: path.join(box.folder, "argo") };
}

/** Collects the notices a window receives. */
function listen(client: ServiceClient) {
  const asked: MessageQuestion[] = [];
  const settled: MessageSettlement[] = [];
  client.on("messageAsked", (question) => void asked.push(question));
  client.on("messageSettled", (settlement) => void settled.push(settlement));
  return { asked, settled };
}

/** A permission request with an agent that may stop waiting. */
function request({ port, token }: HookServerAddress, body: string): http.ClientRequest {
  const headers = { Authorization: `Bearer ${token}`, ...team };
  const asking = http.request({
    host: "127.0.0.1",
    port,
    path: "/hook/claude-code",
    method: "POST",
    headers,
  });
  asking.on("error", () => undefined);
  asking.end(body);
  return asking;
}

describe("messages between agents, through the service", () => {
  it("are approved in a window of the sender's folder, and in no other", async (t) => {
    const { client, box, say, project, statuses } = await scene(t);
    const other = await box.client();
    const [here, elsewhere] = [listen(client), listen(other)];
    assert.ok((await client.ask("messagesFollow", { folders: [project] })).ok);
    assert.ok((await other.ask("messagesFollow", { folders: ["/elsewhere"] })).ok);
    const held = await say("PreToolUse", { tool_use_id: "toolu_1", tool_input: sent });
    assert.match(held.body, /"permissionDecision":"ask".*\[main → backend\] \\"Which port\?\\" — approve\?/u);
    const waiting = say("PermissionRequest", { tool_input: sent });
    await waitUntil(() => here.asked.length === 1);
    const [question] = here.asked;
    assert.ok(question?.text === "Which port?");
    assert.ok((question.answerUntil ?? 0) > Date.now() + 60_000);
    const answered = await client.ask("messageAnswer", { id: question.id, decision: "allow" });
    assert.deepEqual(answered.ok && answered.value, { isTaken: true });
    assert.deepEqual(JSON.parse((await waiting).body), {
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
    const late = await other.ask("messageAnswer", { id: question.id, decision: "deny" });
    assert.deepEqual(late.ok && late.value, { isTaken: false });
    await say("PostToolUse", { tool_use_id: "toolu_1", tool_input: sent, tool_response: { success: true } });
    await waitUntil(() => statuses().includes("approved"));
    assert.deepEqual(
      here.settled.map(({ outcome }) => outcome),
      ["approved"],
    );
    assert.deepEqual([elsewhere.asked, elsewhere.settled], [[], []]);
  });

  it("are shown to a window that opens later, and released once the terminal was answered", async (t) => {
    const { client, place: address, say, cwd, project, statuses } = await scene(t);
    const { asked, settled } = listen(client);
    await say("PreToolUse", { tool_use_id: "toolu_1", tool_input: sent });
    const body = hook("PermissionRequest", { cwd, tool_name: "SendMessage", tool_input: sent });
    const asking = request(address, body);
    assert.ok((await client.ask("messagesFollow", { folders: [project] })).ok);
    await waitUntil(() => asked.length === 1);
    asking.destroy();
    await waitUntil(() => settled.some(({ outcome }) => outcome === "asked"));
    assert.deepEqual(statuses(), ["pending"]);
  });

  it("return with the next service: shown if only the terminal asks, answerable if the agent asks again", async (t) => {
    const first = await scene(t);
    await first.say("PreToolUse", { tool_use_id: "toolu_1", tool_input: sent });
    await first.say("PreToolUse", {
      tool_use_id: "toolu_2",
      tool_input: { to: "backend", message: "Ready?" },
    });
    const dropped = first.say("PermissionRequest", { tool_input: sent });
    await waitUntil(() => first.statuses().length === 2);
    assert.equal(await first.client.shutdown("asked", 10_000), true);
    await dropped;
    const { client, say, project, statuses } = await scene(t, first.box);
    const { asked, settled } = listen(client);
    assert.ok((await client.ask("messagesFollow", { folders: [project] })).ok);
    await waitUntil(() => asked.length === 2);
    assert.deepEqual(
      asked.map(({ text, answerUntil }) => [text, answerUntil]),
      [
        ["Which port?", null],
        ["Ready?", null],
      ],
    );
    const waiting = say("PermissionRequest", { tool_input: { to: "backend", message: "Ready?" } });
    await waitUntil(() => asked.length === 3);
    assert.ok((asked[2]?.answerUntil ?? 0) > Date.now() + 60_000);
    const answered = await client.ask("messageAnswer", { id: asked[2]?.id ?? "", decision: "allow" });
    assert.deepEqual(answered.ok && answered.value, { isTaken: true });
    assert.match((await waiting).body, /"behavior":"allow"/u);
    // The first one was answered in its terminal.
    await say("PostToolUse", { tool_use_id: "toolu_1", tool_input: sent, tool_response: { success: true } });
    await waitUntil(() => statuses().includes("approved"));
    assert.deepEqual(
      settled.map(({ outcome }) => outcome),
      ["approved"],
    );
  });

  it("keep no service from ending", async (t) => {
    const { client, say, statuses } = await scene(t);
    await say("PreToolUse", { tool_use_id: "toolu_1", tool_input: sent });
    const waiting = say("PermissionRequest", { tool_input: sent });
    await waitUntil(() => statuses().length === 1);
    assert.equal(await client.shutdown("asked", 10_000), true);
    assert.equal((await waiting).body, "");
  });
});
