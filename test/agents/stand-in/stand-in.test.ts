import assert from "node:assert/strict";
import { test } from "node:test";
import { refuses, says, usageOf } from "./reply.ts";
import { startStandIn } from "./stand-in.ts";
import type { StandIn } from "./stand-in.ts";

async function withStandIn(use: (standIn: StandIn) => Promise<void>): Promise<void> {
  const standIn = await startStandIn({ tag: "s", lifeMs: 10_000 });
  try {
    await use(standIn);
  } finally {
    await standIn.close();
  }
}

async function ask(standIn: StandIn, path = "/v1/messages?beta=true"): Promise<Response> {
  return fetch(`${standIn.url}${path}`, {
    method: "POST",
    headers: { "anthropic-beta": "one,two", "x-claude-code-session-id": "session" },
    body: JSON.stringify({ model: "claude-sonnet-4-6", messages: [{ role: "user", content: "Hello." }] }),
  });
}

test("streams a message with its usage, and stores the request", async () => {
  await withStandIn(async (standIn) => {
    standIn.setScript(() => says("Ahoy.", usageOf(1, 2, 3, 4, 5)));
    const response = await ask(standIn);
    const text = await response.text();
    assert.equal(response.headers.get("request-id"), "req_s0001");
    assert.match(text, /"input_tokens":1,"cache_creation_input_tokens":7,"cache_read_input_tokens":3/);
    assert.match(text, /"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":5/);
    assert.match(text, /event: message_delta\ndata: .*"output_tokens":4/);
    assert.match(text, /event: message_stop/);
    const exchange = standIn.exchanges[0];
    assert.ok(exchange !== undefined);
    assert.deepEqual(exchange.request.betas, ["one", "two"]);
    assert.equal(exchange.request.lastText, "Hello.");
    assert.equal(exchange.messageId, "msg_s0001");
  });
});

test("an error is sent the way the API sends one, and has no message", async () => {
  await withStandIn(async (standIn) => {
    standIn.setScript(() => refuses(529, "overloaded_error", "Overloaded"));
    const response = await ask(standIn);
    assert.equal(response.status, 529);
    assert.match(await response.text(), /"type":"overloaded_error","message":"Overloaded"/);
    assert.equal(standIn.exchanges[0]?.messageId, null);
  });
});

test("refuses and records other paths, and does not crash when a script fails", async () => {
  await withStandIn(async (standIn) => {
    assert.equal((await ask(standIn, "/v1/messages/count_tokens")).status, 404);
    assert.deepEqual(standIn.others, ["POST /v1/messages/count_tokens"]);
    assert.equal((await ask(standIn)).status, 400);
    assert.deepEqual(standIn.failures, ["Error: no script for request 0"]);
  });
});
