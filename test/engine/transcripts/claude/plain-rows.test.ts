import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import * as z from "zod/mini";
import {
  plainAsked,
  plainAssistant,
  plainAttachment,
  plainCommon,
  plainRequest,
  plainSystem,
  plainToolCall,
  plainUser,
  UsualTimes,
} from "../../../../src/engine/transcripts/claude/plain-rows.ts";
import {
  anyRow,
  askedContent,
  assistantRow,
  attachmentRow,
  requestRow,
  systemRow,
  toolCall,
  userRow,
  type AttachmentRow,
} from "../../../../src/engine/transcripts/claude/claude-row-schema.ts";
import { rowText } from "../scan/arbitrary-row.ts";

const readers: readonly (readonly [string, z.ZodMiniType, (row: unknown) => unknown])[] = [
  ["any row", anyRow, plainCommon],
  ["an assistant's", assistantRow, plainAssistant],
  ["a user's", userRow, plainUser],
  ["a system's", systemRow, plainSystem],
  ["an attachment's", z.pipe(attachmentRow, z.transform(withUsedMembers)), plainAttachment],
  ["a request's", requestRow, plainRequest],
];

/** Other members of an attachment are not read. */
function withUsedMembers({ attachment, ...common }: AttachmentRow): unknown {
  const { type, identity, text, remaining } = attachment ?? {};
  return { ...common, attachment: { type, identity, text, remaining } };
}

/** Removes missing values, which are null or undefined. */
function withoutMissing(row: unknown): unknown {
  return JSON.parse(JSON.stringify(row, (_, value: unknown) => value ?? undefined));
}

const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom(...values, null, undefined, 7, {}, []);
const tokens = fc.constantFrom<unknown>(0, 5, 2 ** 40, null, undefined, -1, 1.5, 2 ** 53, "5");
const flag = maybe(true, false);
const text = maybe("a", "");
const block = fc.record(
  {
    type: fc.constantFrom<unknown>("text", "tool_use", "tool_result", "image", 5, undefined),
    id: text,
    name: text,
    text,
  },
  { requiredKeys: [] },
);
const content = fc.oneof(
  fc.constantFrom<unknown>("asked", "", null, undefined, 5, {}),
  fc.array(fc.oneof(block, maybe("x"))),
);
const usage = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, [], "5"),
  fc.record(
    {
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
      cache_creation: fc.oneof(
        fc.constantFrom<unknown>(null, undefined, [], 5),
        fc.record(
          { ephemeral_5m_input_tokens: tokens, ephemeral_1h_input_tokens: tokens },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
);
const message = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, "x", []) },
  {
    weight: 8,
    arbitrary: fc.record({ id: text, model: text, stop_reason: text, content, usage }, { requiredKeys: [] }),
  },
);
/** Members are mostly valid, so that the remaining ones matter. */
const row = fc.record(
  {
    type: fc.constantFrom<unknown>("assistant", "user", "x", "", 5, undefined),
    sessionId: text,
    timestamp: fc.constantFrom<unknown>("2026-11-01T00:00:00.000Z", "yesterday", "", 5, null, undefined),
    cwd: text,
    gitBranch: text,
    isSidechain: flag,
    requestId: text,
    requestedModel: text,
    isApiErrorMessage: flag,
    requestSessionId: text,
    forkedFrom: fc.constantFrom<unknown>(undefined, null, { sessionId: "s" }),
    isMeta: flag,
    isCompactSummary: flag,
    message,
    subtype: text,
    compactMetadata: fc.constantFrom<unknown>(undefined, null, 5, { trigger: "auto" }),
    attachment: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, "x", []) },
      {
        weight: 8,
        arbitrary: fc.record(
          {
            type: text,
            text,
            remaining: fc.constantFrom<unknown>(0, -5, 1.5, null, undefined, "5", Infinity),
            identity: fc.constantFrom<unknown>(undefined, null, 5, { modelId: "m" }),
          },
          { requiredKeys: [] },
        ),
      },
    ),
    params: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, "x", []) },
      {
        weight: 8,
        arbitrary: fc.record(
          { model: text, betas: fc.constantFrom<unknown>(undefined, null, [], ["a", "b"], ["a", 5], "a") },
          { requiredKeys: [] },
        ),
      },
    ),
  },
  { requiredKeys: [] },
);

for (const [name, schema, plain] of readers)
  test(`Read by hand, ${name} row equals its schema's result`, () => {
    let read = 0;
    const check = (value: unknown) => {
      const byHand = plain(value);
      if (byHand === null) return;
      read += 1;
      const parsed = schema.safeParse(value);
      assert.ok(parsed.success);
      assert.deepEqual(withoutMissing(byHand), withoutMissing(parsed.data));
    };
    fc.assert(fc.property(row, check), { numRuns: 3000 });
    fc.assert(fc.property(rowText, (line) => check(parsedOr(line))));
    fc.assert(fc.property(fc.jsonValue(), check));
    assert.ok(read > 30, `${read} were read by hand`);
  });

test("A usual row is read by hand", () => {
  const usual = {
    sessionId: "s",
    timestamp: "2026-11-01T00:00:00.000Z",
    cwd: "/a",
    gitBranch: "main",
    isSidechain: false,
  };
  const usage = { input_tokens: 1, output_tokens: 2, cache_creation: { ephemeral_5m_input_tokens: 3 } };
  const answered = { id: "msg_1", model: "m", stop_reason: null, content: [], usage };
  assert.notEqual(plainCommon({ type: "assistant", ...usual }), null);
  assert.notEqual(plainAssistant({ type: "assistant", ...usual, requestId: "r", message: answered }), null);
  assert.notEqual(plainUser({ type: "user", ...usual, message: { role: "user", content: "Go on." } }), null);
  assert.notEqual(plainSystem({ type: "system", ...usual, subtype: "turn_duration" }), null);
  const note = { type: "total_tokens_reminder", text: "5 tokens left" };
  assert.notEqual(plainAttachment({ type: "attachment", ...usual, attachment: note }), null);
  assert.notEqual(plainRequest({ type: "api-request", id: "r", params: { model: "m" } }), null);
});

test("Tool calls and prompts equal their schemas' results", () => {
  fc.assert(
    fc.property(fc.oneof(block, fc.jsonValue()), (value) => {
      const { id, name } = toolCall.safeParse(value).data ?? {};
      assert.deepEqual(plainToolCall(value), id === undefined ? null : { id, name });
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.oneof(content, fc.jsonValue()), (value) => {
      const asked = askedContent.safeParse(value).data;
      const texts = (of: typeof asked) => (typeof of === "object" ? of.map((each) => each.text ?? null) : of);
      const byHand = plainAsked(value);
      assert.deepEqual(
        typeof byHand === "object" ? byHand.map((each) => each.text ?? null) : byHand,
        texts(asked),
      );
    }),
    { numRuns: 500 },
  );
});

function parsedOr(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const padded = (most: number, length = 2) =>
  fc.nat({ max: most }).map((value) => String(value).padStart(length, "0"));
/** Times as agents write them, and similar ones: days and hours that do not exist, other separators. */
const written = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("2026-11-21", "2026-11-22", "2026-02-30") },
      fc.string(),
    ),
    fc.tuple(padded(13), padded(32)),
    padded(25),
    padded(61),
    padded(61),
    padded(999, 3),
    fc.constantFrom("Z", "Z", "Z", "", "+01:00"),
  )
  .map(
    ([day, [month, other], hour, minute, second, part, zone]) =>
      `${day.length === 10 ? day : `20${other}-${month}-${other}`}T${hour}:${minute}:${second}.${part}${zone}`,
  );

test("reads a usual time as Date.parse does, whatever the time before", () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 20 }), (texts) => {
      const times = new UsualTimes();
      for (const text of texts) {
        const at = times.read(text);
        if (!Number.isNaN(at)) assert.equal(at, Date.parse(text), text);
      }
    }),
  );
});

test("does not need Date.parse for a time as agents write it", () => {
  const times = new UsualTimes();
  for (const text of ["2026-11-21T20:47:49.182Z", "2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00.000Z"])
    assert.equal(times.read(text), Date.parse(text));
});
