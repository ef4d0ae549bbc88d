import { isObject } from "../../../../../src/engine/base/is-object.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readProjectedRow } from "../../../../../src/engine/ledger/collect/claude/projected-row.ts";
import { findTranscripts } from "../../../../../src/engine/transcripts/claude/claude-files.ts";
import { readRowValue } from "../../../../../src/engine/transcripts/claude/read-row.ts";
import {
  isInterruption,
  readOrigin,
  readReplyDetails,
  readToolResults,
} from "../../../../../src/engine/transcripts/claude/row-details.ts";
import { textAt, type RowObject } from "../../../../../src/engine/transcripts/claude/row-fields.ts";
import { parseJsonLine } from "../../../../../src/engine/transcripts/json-line.ts";
import { seededRandom, textPool } from "../../../../bench/corpus/filler.ts";
import { newWriter } from "../../../../bench/corpus/rows.ts";
import { anyRow } from "../../../sessions/support/arbitrary-rows.ts";
import { readRecordings } from "../../../support/recordings.ts";
import { rowText } from "../../../transcripts/scan/arbitrary-row.ts";
import { sessionId } from "./lines.ts";

/** Everything that the ledger reads from a row of this kind. */
function readingOf(row: RowObject): unknown {
  return {
    reading: readRowValue(row, { sessionId }),
    origin: readOrigin(row),
    isForked: isObject(row["forkedFrom"]),
    reply: readReplyDetails(row),
    results: readToolResults(row),
    isInterruption: isInterruption(row),
    texts: ["type", "uuid", "cwd", "gitBranch"].map((key) => textAt(row, key)),
  };
}

/** Asserts that a line's projection, if it has one, is read like the whole line. @returns whether it has one */
function isReadAlike(line: string | Uint8Array): boolean {
  // A line is part of a larger buffer.
  const bytes = Buffer.concat([Buffer.from('["'), Buffer.from(line), Buffer.from('"0x]')]);
  const projected = readProjectedRow(bytes.subarray(2, -4));
  if (projected === null) return false;
  const parsed = parseJsonLine(Buffer.from(line));
  assert.ok(parsed.kind === "value" && isObject(parsed.value), "only JSON.parse decides what is valid");
  assert.deepEqual(readingOf(projected), readingOf(parsed.value));
  return true;
}

const piece = fc.constantFrom(
  "plain",
  '"',
  "\\",
  "/",
  "\n",
  "\t",
  "\u0000",
  "\u001b[31m",
  "\u007f",
  "é",
  "→",
  "😀",
  "\ud83d",
  "\u2028",
  "<task-notification>",
  "[Request interrupted by user]",
  "x".repeat(300),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const odd = fc.oneof(
  text,
  fc.constantFrom(null, true, 7, -0, 1.5, 1e21, [], {}, ["x"], { text: "x" }),
  fc.jsonValue(),
);
const maybe = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 5, arbitrary: usual }, odd);
const record = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  maybe(fc.record(members, { requiredKeys: [] }));
const input = fc.oneof(
  fc.dictionary(text, fc.jsonValue()),
  record({ file_path: text, notebook_path: text, skill: text, command: text, old_string: text, count: odd }),
);
const block = record({
  type: fc.constantFrom("text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image"),
  id: text,
  name: fc.constantFrom("Bash", "Read", "Skill", "mcp__a__b"),
  text,
  thinking: text,
  signature: text,
  data: text,
  tool_use_id: text,
  is_error: fc.boolean(),
  content: fc.oneof(text, fc.array(record({ type: fc.constantFrom("text", "image"), text }))),
  input,
});
const count = maybe(fc.nat());
const usage = record({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation: record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count, other: odd }),
  service_tier: odd,
});
const members = {
  type: fc.constantFrom("assistant", "user"),
  uuid: text,
  sessionId: text,
  timestamp: fc.constantFrom("2026-11-21T20:47:49.182Z", "", "soon"),
  cwd: text,
  gitBranch: text,
  isSidechain: fc.boolean(),
  isMeta: fc.boolean(),
  isCompactSummary: fc.boolean(),
  isApiErrorMessage: fc.boolean(),
  requestId: text,
  requestRef: text,
  requestedModel: text,
  requestSessionId: text,
  forkedFrom: record({ sessionId: text }),
  attributionAgent: text,
  attributionSkill: text,
  message: record({
    id: text,
    model: text,
    stop_reason: text,
    usage,
    content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
  }),
  toolUseResult: record({
    agentId: text,
    agentType: text,
    durationMs: count,
    totalDurationMs: count,
    stdout: text,
  }),
  other: odd,
};
const row = fc.record(
  Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, key === "type" ? value : maybe(value)]),
  ),
  { requiredKeys: ["type"] },
);
/** A row written by an agent, by hand, or twice in one object, so that each member occurs twice. */
const written = fc.oneof(
  row.map((each) => JSON.stringify(each)),
  row.map((each) => JSON.stringify(each, null, 1).replaceAll("\n", " ")),
  row.map((each) =>
    JSON.stringify(each)
      .replaceAll(/[^\0-\x7f]/gu, escaped)
      .replaceAll("/", String.raw`\/`),
  ),
  fc
    .tuple(row, row)
    .map(([one, other]) => `${JSON.stringify(one).slice(0, -1)},${JSON.stringify(other).slice(1)}`),
  fc.tuple(row, input).map(([each, given]) => {
    const twice = JSON.stringify(given).replace(/^\{(?<inner>.+)\}$/u, "{$<inner>,$<inner>}");
    const content = `[{"type":"tool_use","id":"a","name":"Bash","input":${twice}}]`;
    return `{"type":"assistant","message":{"id":"m","content":${content}},"other":${JSON.stringify(each)}}`;
  }),
);

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

describe("a row's projection, without parsing all of it", () => {
  it("is read like the whole row, however it is written", () => {
    let projected = 0;
    fc.assert(
      fc.property(written, (line) => {
        projected += Number(isReadAlike(line));
      }),
      { numRuns: 1500 },
    );
    assert.ok(projected > 700, `${projected} of 1500 rows were projected`);
  });

  it("is null for lines that JSON.parse refuses", () => {
    const damage = fc.tuple(
      fc.nat(),
      fc.oneof(fc.constantFrom(0, 10, 0x22, 0x5c, 0x75, 0x80, 0xc3, 0xff), fc.nat(255)),
    );
    fc.assert(
      fc.property(
        written,
        fc.array(damage, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        (line, damages, isCut) => {
          const bytes = Buffer.from(line);
          for (const [place, byte] of damages) bytes[place % bytes.length] = byte;
          isReadAlike(isCut ? bytes.subarray(0, (damages[0]?.[0] ?? 0) % bytes.length) : bytes);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("is null for rows of other types, and for lines of any kind", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          rowText,
          anyRow.map((each) => JSON.stringify(each)),
          fc.json(),
          fc.uint8Array(),
        ),
        (line) => {
          isReadAlike(line);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("exists for every row of an assistant or a user that an agent wrote", () => {
    const random = seededRandom(5);
    const writer = newWriter({ random, pool: textPool(random), number: 1, start: 0 });
    const made = Array.from({ length: 80 }, () => writer.turn().rows).flat();
    const recorded = readRecordings().flatMap(({ root }) =>
      findTranscripts([root]).files.flatMap(({ path }) => readFileSync(path, "utf8").split("\n")),
    );
    let rows = 0;
    for (const line of [...made.map((each) => JSON.stringify(each)), ...recorded]) {
      const parsed = parseJsonLine(Buffer.from(line));
      const type = parsed.kind === "value" && isObject(parsed.value) ? parsed.value["type"] : null;
      assert.equal(isReadAlike(line), type === "assistant" || type === "user", line.slice(0, 300));
      rows += Number(isReadAlike(line));
    }
    assert.ok(rows > 300, `${rows} rows`);
  });

  it("has the length of an input as JSON.stringify writes it, or the input itself", () => {
    const inputs = [
      '{"a":1.0}',
      '{"a":1,"a":22}',
      '{ "a" : 1 }',
      '{"a":"\\/\\u0041"}',
      '{"a":-0}',
      '{"a":"→😀\\n"}',
    ];
    for (const each of inputs)
      assert.ok(
        isReadAlike(
          `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Bash","input":${each}}]}}`,
        ),
      );
  });

  it("is the same in any order of its keys, and after any earlier keys", () => {
    const keys = ["uuid", "cwd", "sessionId", "gitBranch", "→", "requestId", "a".repeat(100)];
    for (let round = 0; round < 60; round += 1) {
      const shuffled = keys.map((_, index) => keys[(index * (1 + (round % 6)) + round) % keys.length] ?? "");
      const row = Object.fromEntries([...shuffled, `key ${round}`].map((key) => [key, key]));
      assert.ok(isReadAlike(JSON.stringify({ ...row, type: "user" })));
      assert.ok(isReadAlike(`{ "type" :"user", "cwd" : "/a","cwd":"/b" , "uuid":"${round}"}`));
    }
  });

  it("is null for a row with a key that is not UTF-8, the second time as well", () => {
    const line = Buffer.concat([Buffer.from('{"type":"user","'), Buffer.from([0xc3]), Buffer.from('":1}')]);
    for (let time = 0; time < 2; time += 1) assert.equal(readProjectedRow(line), null);
  });
});
