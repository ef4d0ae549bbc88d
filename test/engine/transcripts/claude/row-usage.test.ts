import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readIterations, readUsage, readTerms } from "../../../../src/engine/transcripts/claude/row-usage.ts";
import { standardTerms } from "../../../../src/engine/usage/price-terms.ts";

const call = (type: string, input: number, read: number, output: number, more: object = {}) => ({
  type,
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: 0,
  output_tokens: output,
  ...more,
});
const model = "claude-sonnet-4-5-20250929";
const opus = { model: "claude-opus-4-7" };

/** @param top the response's own counters: input, cache reads, output */
function read(
  iterations: unknown,
  [input, cached, output]: readonly number[] = [2, 300, 30],
  tools: unknown = null,
) {
  const usage = readUsage({ input_tokens: input, cache_read_input_tokens: cached, output_tokens: output });
  return readIterations({ iterations, server_tool_use: tools }, { model, usage, advisorModel: () => null });
}

const typesOf = (iterations: unknown) => read(iterations).serverCalls.map(({ type }) => type);

describe("the calls that make up a response", () => {
  it("are in its own counters, and the last one gives the context", () => {
    const calls = [call("message", 1, 100, 10), call("message", 1, 200, 20)];
    assert.deepEqual(read(calls), { serverCalls: [], lastCall: { context: 201, output: 20 } });
    assert.deepEqual(read(calls.slice(1)), { serverCalls: [], lastCall: undefined });
  });

  it("count in addition under another model's name, where that model makes them", () => {
    const advisor = call("advisor_message", 100, 0, 6, opus);
    const { serverCalls, lastCall } = read([
      call("message", 1, 100, 10),
      advisor,
      call("message", 1, 200, 20),
    ]);
    assert.deepEqual(serverCalls, [
      {
        type: "advisor_message",
        number: 1,
        model: "claude-opus-4-7",
        usage: { input: 100, output: 6, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
      },
    ]);
    assert.deepEqual(lastCall, { context: 201, output: 20 });
    assert.deepEqual(typesOf([call("grader_message", 1, 0, 1, opus)]), ["grader_message"]);
    assert.deepEqual(typesOf([advisor, advisor]), ["advisor_message", "advisor_message"]);
  });

  it("count in addition where they summarize the conversation, under the response's model", () => {
    const { serverCalls, lastCall } = read([
      call("compaction", 180_000, 0, 3500),
      call("message", 23_000, 0, 1000),
    ]);
    assert.deepEqual(
      serverCalls.map(({ type, model: of, usage }) => [type, of, usage.input]),
      [["compaction", null, 180_000]],
    );
    assert.equal(lastCall, undefined);
  });

  it("count once where a fallback answered: a declined attempt is not billed", () => {
    const declined = call("message", 5, 100, 1, { model: "claude-fable-5" });
    const served = call("fallback_message", 2, 300, 30, { model });
    assert.deepEqual(read([declined, served]), { serverCalls: [], lastCall: undefined });
  });

  it("count in addition where an advisor makes them without naming a model, under the row's advisor", () => {
    const unnamed = [call("message", 1, 300, 30), call("advisor_message", 100, 0, 6)];
    const of = (advisorModel: string | null) =>
      readIterations(
        { iterations: unnamed, server_tool_use: null },
        { model, usage: readUsage({ input_tokens: 1 }), advisorModel: () => advisorModel },
      ).serverCalls.map(({ type, model: caller, usage }) => [type, caller, usage.input]);
    assert.deepEqual(of("claude-opus-4-7"), [["advisor_message", "claude-opus-4-7", 100]]);
    assert.deepEqual(of(null), [["advisor_message", "unknown", 100]], "another model than the response's");
  });

  it("are the response's usage where its own counters are all zero", () => {
    const calls = [call("message", 1, 100, 10), call("message", 1, 200, 20)];
    const declined = call("message", 5, 100, 1, { model: "claude-fable-5" });
    const summed = { input: 2, output: 30, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 300 };
    const found = read([declined, ...calls, call("advisor_message", 9, 0, 9, opus)], [0, 0, 0]);
    assert.deepEqual([found.usage, found.lastCall], [summed, { context: 201, output: 20 }]);
    assert.equal(found.serverCalls.length, 1);
    assert.equal(read([call("message", 1, 100, 10)], [0, 0, 0]).usage?.cacheRead, 100);
    for (const zero of [[], [call("message", 0, 0, 0)], null])
      assert.equal(read(zero, [0, 0, 0]).usage, undefined);
    assert.equal(read(calls).usage, undefined, "its own counters count where there are any");
  });

  it("of an unknown type without a model count as part of the sum", () => {
    assert.deepEqual(typesOf([call("later_kind", 9, 9, 9)]), []);
  });

  it("name a model by its alias or by its whole id", () => {
    const calls = [
      call("message", 1, 100, 10, { model: "claude-sonnet-4-5" }),
      call("message", 1, 200, 20, { model }),
    ];
    assert.deepEqual(read(calls).lastCall, { context: 201, output: 20 });
  });

  it("leave the context unknown where they lack the cache's counters, or are not listed", () => {
    const bare = [
      { type: "message", input_tokens: 1, output_tokens: 10 },
      { type: "message", input_tokens: 1, output_tokens: 20 },
    ];
    assert.equal(read(bare).lastCall, null);
    for (const none of [undefined, null, []])
      assert.equal(read(none, undefined, { web_search_requests: 2 }).lastCall, null);
    assert.equal(read([], undefined, { web_search_requests: 0, web_fetch_requests: 0 }).lastCall, undefined);
  });

  it("with a wrong counter are left out", () => {
    for (const wrong of [-1, 1.5, "10", 2 ** 53, {}, true])
      assert.deepEqual(typesOf([call("advisor_message", 1, 1, 1, { ...opus, input_tokens: wrong })]), []);
    assert.deepEqual(typesOf([call("advisor_message", 1, 1, 1, { ...opus, input_tokens: null })]), [
      "advisor_message",
    ]);
  });

  it("never throw, whatever they are, and never count anything but a whole number", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())), (iterations) => {
        for (const { usage } of read(iterations).serverCalls)
          for (const count of Object.values(usage)) assert.ok(Number.isSafeInteger(count) && count >= 0);
      }),
    );
  });
});

describe("terms of a response's price", () => {
  it("are standard, unless the usage has others", () => {
    for (const usual of [
      {},
      { speed: "standard", inference_geo: "global", service_tier: "standard" },
      { speed: 3 },
    ])
      assert.equal(readTerms(usual), undefined);
    // Its price is set by contract.
    assert.deepEqual(readTerms({ service_tier: "priority" }), { ...standardTerms, isOtherTier: true });
    for (const count of [0, -1, 1.5, "9", null, 1e9])
      assert.equal(
        readTerms({ server_tool_use: { web_search_requests: count, web_fetch_requests: 4 } }),
        undefined,
      );
    const all = {
      speed: "fast",
      inference_geo: "us",
      service_tier: "batch",
      server_tool_use: { web_search_requests: 3 },
    };
    assert.deepEqual(readTerms(all), {
      isFast: true,
      isUsOnly: true,
      isBatch: true,
      isOtherTier: false,
      webSearches: 3,
    });
    assert.deepEqual(readTerms({ ...all, inference_geo: "US" }), readTerms(all));
  });
});
