import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { termsOfServerCall } from "../../../../src/engine/transcripts/claude/row-usage.ts";
import { serverCallId } from "../../../../src/engine/usage/api-response.ts";
import fc from "fast-check";
import { readRow } from "../../../../src/engine/transcripts/claude/read-row.ts";
import type { RowReading } from "../../../../src/engine/transcripts/agent-session.ts";
import { rowText } from "../scan/arbitrary-row.ts";
import { withTextIds } from "../../../../src/engine/transcripts/scan/responses/text-ids.ts";
import { referenceRow } from "../scan/reference-row.ts";

const context = { sessionId: "s1" };
const read = (text: string) => readRow(Buffer.from(text), context);

/** Asserts the invariants of every reading. */
function assertSound(reading: RowReading): void {
  if (reading.outcome === "unknown") assert.ok(reading.type.length <= 100);
  if (reading.outcome !== "known") return;
  for (const event of reading.events) {
    if (event.kind !== "response" && event.kind !== "official-total") continue;
    const usages =
      event.kind === "response" ? [event.response.usage] : event.models.map(({ usage }) => usage);
    const counts = usages.flatMap(({ input, output, cacheCreation5m, cacheCreation1h, cacheRead }) => {
      return [input, output, cacheCreation5m, cacheCreation1h, cacheRead];
    });
    for (const count of counts) assert.ok(Number.isInteger(count) && count >= 0, `${count} tokens`);
    if (event.kind === "response") assert.notEqual(event.response.messageId, "");
  }
}

/** An object with some of the relevant members, containing anything. */
const type = fc.constantFrom(
  ...[
    "assistant",
    "user",
    "system",
    "progress",
    "attachment",
    "api-request",
    "cost-state",
    "summary",
    "mode",
    "x",
  ],
);
const members =
  "message requestId requestedModel requestSessionId forkedFrom isApiErrorMessage isSidechain isMeta isCompactSummary " +
  "timestamp cwd gitBranch sessionId subtype compactMetadata attachment params totalCostUSD modelUsage data summary " +
  "id model usage content input_tokens output_tokens cache_creation trigger preTokens identity modelId betas __proto__";
const { oddObject } = fc.letrec<{ oddObject: unknown }>((tie) => ({
  oddObject: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, 0, -1, 1e308, "", "<synthetic>", "api_error", "model", "tool_result"),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie("oddObject"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...members.split(" ")), tie("oddObject"), { maxKeys: 6 }),
  ),
}));
const oddRow = fc
  .tuple(type, fc.dictionary(fc.constantFrom(...members.split(" ")), oddObject, { maxKeys: 12 }))
  .map(([name, row]) => JSON.stringify({ type: name, ...row }));

describe("reading a row, whatever it is", () => {
  it("never throws on arbitrary bytes", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => assertSound(readRow(Buffer.from(bytes), context))));
  });

  it("never throws on arbitrary JSON", () => {
    fc.assert(fc.property(fc.json(), (text) => assertSound(read(text))));
  });

  it("never throws on arbitrary values where something else is expected", () => {
    fc.assert(
      fc.property(oddRow, (text) => assertSound(read(text))),
      { numRuns: 1000 },
    );
  });

  it("yields nothing from a row that is cut off", () => {
    fc.assert(
      fc.property(rowText, fc.nat(), (text, at) => {
        const reading = read(text.slice(0, at % text.length));
        assert.ok(
          reading.outcome === "malformed" || (reading.outcome === "known" && reading.events.length === 0),
        );
      }),
    );
  });

  it("agrees with the bulk scan's reference on every response and compaction", () => {
    fc.assert(
      fc.property(rowText, (text) => {
        const reference = referenceRow(withTextIds(Buffer.from(text))?.toString("utf8") ?? text);
        const reading = read(text);
        if (reference.kind === "malformed") assert.equal(reading.outcome, "malformed");
        const events = reading.outcome === "known" ? reading.events : [];
        const reported = events.flatMap((event): unknown[] => {
          if (event.kind === "compaction") return [{ kind: event.kind, ...event.compaction }];
          if (event.kind !== "response") return [];
          const { sessionId, ...response } = event.response;
          assert.equal(sessionId, "s1");
          return [{ kind: event.kind, ...response }];
        });
        assert.deepEqual(plain(reported), plain(expected(reference)));
      }),
      { numRuns: 2000 },
    );
  });
});

/**
 * The live reader's expected events. Ownership and copies are excluded, because the two readers determine them
 * differently.
 */
function expected(reference: ReturnType<typeof referenceRow>): unknown[] {
  if (reference.kind === "compaction") {
    const { kind, trigger, preTokens, postTokens, at } = reference;
    return [{ kind, trigger, preTokens, postTokens, at }];
  }
  if (reference.kind !== "response") return [];
  const { kind, messageId, requestId, at, usage, cwd, isSidechain, terms, lastCall, serverCalls } = reference;
  const model = reference.model ?? "unknown";
  const response = { kind, messageId, requestId, model, at, usage, cwd, isSidechain };
  const others = serverCalls.map((call) => {
    const ofCall = termsOfServerCall(terms ?? undefined, call.model === null);
    const id = serverCallId(messageId, call.type, call.number);
    const own = { messageId: id, model: call.model ?? model, usage: call.usage, isSidechain: true };
    return { ...response, ...own, ...(ofCall === undefined ? {} : { terms: ofCall }) };
  });
  const details = {
    ...(terms === null ? {} : { terms }),
    ...(lastCall === "of one call" ? {} : { lastCall }),
  };
  return [{ ...response, ...details }, ...others];
}

/** Removes the difference between zero and negative zero. */
function plain(value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return copy;
}
