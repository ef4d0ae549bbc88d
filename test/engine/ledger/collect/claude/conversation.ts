import fc from "fast-check";
import type { Row } from "../../../sessions/support/rows.ts";

const few = fc.nat(5);
const minute = fc.nat(90).map((number) => new Date(Date.UTC(2026, 10, 10, 9, number)).toISOString());
const text = fc.constantFrom(
  "Mend the pier",
  "[Request interrupted by user]",
  "<system-reminder>\nThe following skills are available",
  "",
);
const hash = fc.nat(3).map((number) => `hash${number}`);
const requestId = fc.nat(2).map((number) => `request${number}`);
const shapeHash = fc.constantFrom("shape", "shape", "shape", "other");

/** Rows of a conversation in any order and with few ids, so that they relate to each other in every way. */
export function conversation(sessionId: string): fc.Arbitrary<Row[]> {
  const common = fc.record({
    timestamp: fc.option(minute),
    uuid: few.map((number) => `row${number}`),
    sessionId: fc.constant(sessionId),
    cwd: fc.constantFrom("/home/dev/harbor", "/home/dev/dock"),
    isSidechain: fc.constantFrom(false, false, false, true),
    forkedFrom: fc.constantFrom(null, null, null, null, { sessionId: "another" }),
  });
  const row = (fields: fc.Arbitrary<Row>): fc.Arbitrary<Row> =>
    fc.tuple(common, fields).map(([one, other]) => ({ ...one, ...other }));
  const call = fc.record({
    type: fc.constant("tool_use"),
    id: fc.nat(12).map((number) => `call${number}`),
    name: fc.constantFrom("Read", "Read", "Read", "Bash", "mcp__dock__moor", "Skill"),
    input: fc.record({ file_path: fc.constantFrom("/quay/1", "/quay/2"), skill: fc.constant("mooring") }),
  });
  const said = fc.record({ type: fc.constantFrom("text", "thinking"), text, thinking: text });
  const result = fc.record({
    type: fc.constant("tool_result"),
    tool_use_id: fc.nat(12).map((number) => `call${number}`),
    content: fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 2 })),
    is_error: fc.boolean(),
  });
  const usage = fc.record({ input_tokens: few, output_tokens: few, cache_read_input_tokens: few });
  return fc.array(
    fc.oneof(
      row(fc.record({ type: fc.constant("user"), message: fc.record({ content: text }) })),
      row(
        fc.record({
          type: fc.constant("user"),
          message: fc.record({ content: fc.array(result, { minLength: 1, maxLength: 2 }) }),
          toolUseResult: fc.constantFrom(null, { durationMs: 12 }, { agentId: "a7", agentType: "Explore" }),
        }),
      ),
      row(
        fc.record({
          type: fc.constant("assistant"),
          requestId: few.map((number) => `req${number % 2}`),
          requestRef: requestId,
          isApiErrorMessage: fc.constantFrom(false, false, false, true),
          attributionAgent: fc.constantFrom(null, "Explore", "Plan"),
          message: fc.record({
            id: few.map((number) => `msg${number}`),
            model: fc.constantFrom("claude-opus-5", "claude-haiku-5-5"),
            stop_reason: fc.constantFrom("end_turn", "tool_use", null),
            content: fc.array(fc.oneof(call, said), { maxLength: 2 }),
            usage,
          }),
        }),
      ),
      row(
        fc.record({ type: fc.constant("system"), subtype: fc.constantFrom("compact_boundary", "api_error") }),
      ),
      row(
        fc.record({
          type: fc.constant("attachment"),
          attachment: fc.constantFrom<Row>(
            { type: "instructions", files: [{ content: "Moor here" }] },
            { type: "session_context" },
            { type: "skill_listing", names: ["mooring"], skillCount: 1, isInitial: true },
            { type: "skill_listing", names: ["rowing"], skillCount: 1, isInitial: false },
            { type: "queued_command", prompt: "And the dock" },
          ),
        }),
      ),
      fc.record({
        type: fc.constant("api-request-shape"),
        shapeHash,
        shape: fc.constant({ system: [{ text: "Be kind" }], tools: [{ name: "mcp__dock__moor" }] }),
      }),
      fc.record({
        type: fc.constant("api-request-blob"),
        hash,
        message: fc.record({
          role: fc.constantFrom("user", "assistant", "system"),
          content: fc.array(fc.oneof(result, said), { maxLength: 2 }),
        }),
      }),
      fc.record({
        type: fc.constant("api-request"),
        id: requestId,
        timestamp: minute,
        shapeHash,
        params: fc.constant({}),
        base: fc.option(requestId),
        keep: fc.nat(3),
        tail: fc.array(hash, { maxLength: 3 }),
      }),
    ),
    { maxLength: 60, size: "max" },
  );
}
