import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { at, eventsOf, malformed, read, time } from "../../support/read-rows.ts";

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 2000,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
};
const message = { id: "msg_1", model: "claude-sonnet-4-6", role: "assistant", content: [], usage };
/** A row of the older generation: no requested model, no effort. */
const older = {
  parentUuid: null,
  isSidechain: false,
  type: "assistant",
  message,
  requestId: "req_1",
  timestamp: time,
  sessionId: "s1",
};
const newer = {
  ...older,
  requestedModel: "claude-sonnet-4-6[1m]",
  apiBlockIndex: 0,
  requestRef: "ref",
  effort: "high",
};

const responseOf = (row: unknown) => {
  const event = eventsOf(row).find(({ kind }) => kind === "response");
  return event?.kind === "response" ? { ...event.response, isCopy: event.isCopy } : undefined;
};

describe("an assistant's row", () => {
  const response = {
    messageId: "msg_1",
    requestId: "req_1",
    model: "claude-sonnet-4-6",
    at,
    usage: { input: 10, output: 5, cacheCreation5m: 200, cacheCreation1h: 100, cacheRead: 2000 },
    sessionId: "s1",
    cwd: null,
    isSidechain: false,
  };

  it("of the older generation is a response", () => {
    assert.deepEqual(read(older), {
      outcome: "known",
      at,
      isSidechain: false,
      events: [{ kind: "response", response, isCopy: false, endsTurn: false }],
    });
  });

  it("of the newer generation names the requested model as well", () => {
    assert.deepEqual(eventsOf(newer), [
      { kind: "model", requestedModel: "claude-sonnet-4-6[1m]" },
      { kind: "response", response, isCopy: false, endsTurn: false },
    ]);
  });

  it("belongs to the session in its file's name, whatever session it names", () => {
    assert.equal(responseOf({ ...newer, sessionId: "parent" })?.sessionId, "s1");
  });

  it("is a fork's copy when it names the requesting session, or the row it was copied from", () => {
    assert.equal(responseOf({ ...newer, requestSessionId: "parent" })?.isCopy, true);
    assert.equal(
      responseOf({ ...older, forkedFrom: { sessionId: "parent", messageUuid: "u" } })?.isCopy,
      true,
    );
    assert.equal(responseOf({ ...newer, requestSessionId: "s1" })?.isCopy, false);
    assert.equal(responseOf({ ...newer, requestSessionId: null, forkedFrom: null })?.isCopy, false);
  });

  it("of a subagent belongs to a sidechain", () => {
    const reading = read({ ...older, isSidechain: true });
    assert.equal(reading.outcome === "known" && reading.isSidechain, true);
    assert.equal(responseOf({ ...older, isSidechain: true })?.isSidechain, true);
  });

  it("ends the turn when the model stopped by itself", () => {
    const stopped = (reason: unknown) =>
      eventsOf({ ...older, message: { ...message, stop_reason: reason } }).some(
        (event) => event.kind === "response" && event.endsTurn,
      );
    assert.deepEqual(["end_turn", "tool_use", null, 7].map(stopped), [true, false, false, false]);
  });

  it("may lack the members that a gateway does not send", () => {
    const bare = { type: "assistant", message: { id: "chatcmpl-1", usage: {} } };
    const none = { input: 0, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 };
    assert.deepEqual(responseOf(bare), {
      ...response,
      messageId: "chatcmpl-1",
      requestId: null,
      model: "unknown",
      at: null,
      usage: none,
      isCopy: false,
    });
    assert.equal(responseOf({ ...older, requestId: "" })?.requestId, null);
    assert.equal(responseOf({ ...older, timestamp: "yesterday" })?.at, null);
  });

  it("without usage is not a response", () => {
    for (const part of [{ usage: null }, { usage: undefined }])
      assert.deepEqual(eventsOf({ ...older, message: { ...message, ...part } }), []);
  });

  it("without a message id counts by its request, else by its own id, else not at all", () => {
    const idOf = (part: object) =>
      eventsOf({ ...older, requestId: null, ...part }).flatMap((event) =>
        event.kind === "response" ? event.response.messageId : [],
      );
    for (const id of [undefined, "", null]) {
      const unnamed = { message: { ...message, id }, uuid: "u-1" };
      assert.deepEqual(idOf({ ...unnamed, requestId: "req_9" }), ["request:req_9"]);
      assert.deepEqual(idOf(unnamed), ["row:u-1"]);
      assert.deepEqual(idOf({ ...unnamed, uuid: 7 }), ["row:7"]);
      assert.deepEqual(idOf({ ...unnamed, uuid: 0.5 }), []);
    }
  });

  it("with an API error is not a response, and neither is one that the agent made up", () => {
    const synthetic = { ...message, model: "<synthetic>", usage: { input_tokens: 0, output_tokens: 0 } };
    const failed = { ...older, message: synthetic, isApiErrorMessage: true, apiErrorStatus: 400 };
    assert.deepEqual(eventsOf(failed), [{ kind: "api-error", at }]);
    assert.deepEqual(eventsOf({ ...older, message: synthetic, isApiErrorMessage: false }), []);
  });

  for (const count of [-1, 1.5, "10", 2 ** 53, [], {}, true])
    it(`with ${JSON.stringify(count)} for a count of tokens is malformed, not part of a sum`, () => {
      for (const part of ["input_tokens", "output_tokens", "cache_read_input_tokens"])
        assert.deepEqual(
          read({ ...older, message: { ...message, usage: { ...usage, [part]: count } } }),
          malformed,
        );
    });

  it("without a message is malformed", () => {
    for (const wrong of [undefined, null, "text", []])
      assert.deepEqual(read({ ...older, message: wrong }), malformed);
  });
});

describe("what was written to the cache", () => {
  const written = (creation: unknown, total?: number) => {
    const parts = { input_tokens: 1, cache_creation: creation, cache_creation_input_tokens: total };
    const found = responseOf({ ...older, message: { ...message, usage: parts } })?.usage;
    return [found?.cacheCreation5m, found?.cacheCreation1h];
  };

  it("lives five minutes by default", () => assert.deepEqual(written(undefined, 300), [300, 0]));
  it("is separated by its lifetime", () =>
    assert.deepEqual(
      written({ ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 }, 300),
      [200, 100],
    ));
  it("is the sum of its parts when there is no total", () =>
    assert.deepEqual(
      written({ ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 }),
      [200, 100],
    ));
  it("is never more than its total", () => {
    assert.deepEqual(written({ ephemeral_1h_input_tokens: 500 }, 300), [0, 300]);
    assert.deepEqual(written({ ephemeral_5m_input_tokens: 500 }, 300), [300, 0]);
    assert.deepEqual(written({ ephemeral_1h_input_tokens: 100 }, 300), [200, 100]);
  });
});

describe("an old progress row", () => {
  const nested = { type: "assistant", timestamp: "2026-11-02T08:00:00.000Z", requestId: "req_9", message };
  const row = { type: "progress", timestamp: time, cwd: "/home/dev", isSidechain: false };

  it("holds a subagent's response, which does not belong to the main chain", () => {
    const found = responseOf({ ...row, data: { type: "agent_progress", agentId: "a1", message: nested } });
    const { messageId, requestId, isSidechain, cwd } = found ?? {};
    assert.deepEqual(
      { messageId, requestId, isSidechain, cwd, at: found?.at },
      {
        messageId: "msg_1",
        requestId: "req_9",
        isSidechain: true,
        cwd: "/home/dev",
        at: Date.parse(nested.timestamp),
      },
    );
  });

  it("may lack the response's own time and request", () => {
    const found = responseOf({ ...row, data: { message: { message } } });
    assert.deepEqual([found?.at, found?.requestId], [at, null]);
  });

  it("may hold something else", () => {
    const place = [{ kind: "place", cwd: "/home/dev", branch: null }];
    for (const data of [
      undefined,
      null,
      "x",
      { type: "hook_progress" },
      { message: "x" },
      { message: { message: {} } },
    ])
      assert.deepEqual(eventsOf({ ...row, data }), place);
  });

  it("with a wrong figure is malformed", () => {
    const wrong = { ...message, usage: { input_tokens: -1 } };
    assert.deepEqual(read({ ...row, data: { message: { message: wrong } } }), malformed);
  });
});
