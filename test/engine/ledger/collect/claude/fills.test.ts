import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contextParts } from "../../../../../src/engine/ledger/entries/collected.ts";
import type { Row } from "../../../sessions/support/rows.ts";
import { entriesOf, rowsOf, type Line } from "./lines.ts";
import { calls, row, said, text } from "./rows.ts";

const tools = [{ name: "Read" }, { name: "mcp__dock__moor" }];
const shape = { type: "api-request-shape", shapeHash: "s", shape: { system: [text("Be kind")], tools } };
const blob = (hash: string, content: unknown, role = "user"): Row => ({
  type: "api-request-blob",
  hash,
  message: { role, content },
});
const request = (id: string, tail: readonly string[], more: Row = {}): Row =>
  row("api-request", 0, { id, shapeHash: "s", params: {}, tail, keep: 0, ...more });

/** The parts of each request by id, without those that are equal for all. */
function fills(lines: readonly Line[]): unknown[] {
  return rowsOf(entriesOf([shape, ...lines]), "context-fill").map(({ id, messageId, parts }) => {
    const { system, tools: own, "mcp-tools": mcp, ...rest } = contextParts.parse(JSON.parse(String(parts)));
    assert.deepEqual({ system, own, mcp }, { system: 7, own: 15, mcp: 26 });
    return { id, messageId, ...rest };
  });
}

const first = [blob("u1", "Mend the pier"), request("r1", ["u1"])];
const answer = said(1, { id: "m1", to: "r1", content: [text("Yes."), calls("c1", "Read")] });

describe("the window's content", () => {
  it("is recorded by request, by role and block, and by tool", () => {
    const result = { type: "tool_result", tool_use_id: "c1", content: "12345" };
    const more = [blob("u2", [result, text("Go on")]), request("r2", ["a1", "u2"], { base: "r1", keep: 1 })];
    assert.deepEqual(fills([...first, answer, ...more]), [
      { id: "r1", messageId: "m1", user: 13 },
      { id: "r2", messageId: null, user: 18, assistant: 4, "tool-calls": 6, "result:Read": 5 },
    ]);
  });

  it("recognises memory and skills by their headings, and other reminders", () => {
    const reminders = ["The following skills are available:", "# claudeMd\nMoor east", "It is Monday"].map(
      (words) => text(`<system-reminder>\n${words}`),
    );
    assert.deepEqual(fills([blob("u1", reminders), request("r1", ["u1"])]), [
      { id: "r1", messageId: null, skills: 53, memory: 38, attachments: 30 },
    ]);
  });

  it("separates the reminders from the tool's result before them", () => {
    const reminder = "<system-reminder>\nskills are available</system-reminder>";
    const content = [text(`12345${reminder}`), text(`67${reminder}`), { type: "image" }];
    const result = { type: "tool_result", tool_use_id: "c1", content };
    const lines = [answer, blob("u1", [result]), request("r1", ["u1"])];
    assert.deepEqual(fills(lines), [
      { id: "r1", messageId: null, skills: 2 * reminder.length, "result:Read": 6007 },
    ]);
  });

  it("includes thinking, even where its text is left out", () => {
    const thinking = [
      { type: "thinking", thinking: "Hm." },
      { type: "thinking", thinking: "", signature: "abcde" },
    ];
    assert.deepEqual(fills([blob("a0", thinking, "assistant"), request("r1", ["a0"])]), [
      { id: "r1", messageId: null, thinking: 8 },
    ]);
  });

  it("continues from the first messages of an earlier request", () => {
    const lines = [blob("u2", "1234"), request("r2", ["u2"], { base: "r1", keep: 0 })];
    assert.deepEqual(fills([...first, ...lines]).at(-1), { id: "r2", messageId: null, user: 4 });
  });

  it("recognises the responses again when a resumed session sends everything again", () => {
    const resumed = [blob("u2", "Go on"), request("r2", ["u1", "a1", "u2"])];
    assert.deepEqual(fills([...first, answer, ...resumed]).at(-1), {
      id: "r2",
      messageId: null,
      user: 18,
      assistant: 4,
      "tool-calls": 6,
    });
  });

  for (const [name, lines] of [
    ["a message is unknown", [request("r1", ["u9"])]],
    ["the shape is unknown", [blob("u1", "Hello"), request("r1", ["u1"], { shapeHash: "other" })]],
    ["its base is unknown", [blob("u1", "Hello"), request("r1", ["u1"], { base: "r0", keep: 2 })]],
    [
      "there are more responses than unknown messages",
      [answer, said(2, { id: "m2", to: "r0" }), request("r3", ["a9"])],
    ],
  ] as const) {
    it(`is not recorded where ${name}`, () => {
      assert.deepEqual(fills(lines), []);
    });
  }

  it("is unknown for a while when there are too many messages, and memory stays bounded", () => {
    const many = Array.from({ length: 3000 }, (_, number) => [
      blob(`hash-${number}`, `message ${number}`),
      request(`q${number}`, [`hash-${number}`], number === 0 ? {} : { base: `q${number - 1}`, keep: number }),
    ]).flat();
    const cuts = new Set([...many.keys()].filter((number) => number % 400 === 0));
    const rows = rowsOf(entriesOf([shape, ...many], undefined, cuts), "context-fill");
    assert.ok(rows.length > 1000 && rows.length < 3000, `${rows.length} requests`);
  });
});
