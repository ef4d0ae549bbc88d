import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  readChunks,
  type AgentSession,
  type SessionLines,
} from "../../../src/engine/transcripts/agent-session.ts";
import { countRollouts } from "../../../src/engine/transcripts/codex.ts";
import { RolloutLines } from "../../../src/engine/transcripts/codex/read-rollout.ts";
import { EventLines } from "../../../src/engine/transcripts/copilot/read-events.ts";
import { ChatLines } from "../../../src/engine/transcripts/gemini/read-chat.ts";
import { addUsage, noUsage, totalTokens, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { countOnce, type UsageRecord } from "../../../src/engine/usage/agent-record.ts";
import * as codex from "./codex/rollout-rows.ts";
import * as copilot from "./copilot/event-rows.ts";

const readers: Readonly<Record<string, () => SessionLines>> = {
  codex: () => new RolloutLines("s1"),
  copilot: () => new EventLines("s1"),
  gemini: () => new ChatLines({ fileId: "s1", cwd: null, parentId: null }),
};

/** Rows with some of the relevant members, containing anything. */
const types =
  "session_meta turn_context event_msg token_usage_record novelty session.start session.usage_record session.shutdown " +
  "session.resume session.model_change assistant.message gemini user response_item compacted function_call " +
  "function_call_output task_started task_complete turn_aborted user_message item_completed CommandExecution " +
  "user.message assistant.turn_start tool.execution_start tool.execution_complete subagent.started abort " +
  "session.compaction_complete mcp_tool_call_end";
const members =
  "type payload data id timestamp ordinal info total_token_usage last_token_usage model_context_window rate_limits primary " +
  "used_percent resets_at input_tokens cached_input_tokens output_tokens total_tokens usage response_id thread_id turn_id " +
  "forked_from_id source subagent git cwd model modelMetrics requests count inputTokens outputTokens cacheReadTokens " +
  "accounting sourceSessionId sequence sessionId context tokens input output cached messages $set $rewindTo __proto__ " +
  "call_id name namespace arguments output duration_ms last_agent_message error item content parsed_cmd path status " +
  "duration secs nanos exit_code result toolCallId toolName toolRequests apiCallId delivery agentId toolCalls args";
const { odd } = fc.letrec<{ odd: unknown }>((tie) => ({
  odd: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, "", "gemini", "token_count", 7, 900),
    fc.constantFrom(...types.split(" ")),
    fc.array(tie("odd"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...members.split(" ")), tie("odd"), { maxKeys: 6 }),
  ),
}));
const oddRow = fc
  .tuple(fc.constantFrom(...types.split(" ")), odd, odd)
  .map(([type, payload, data]) =>
    JSON.stringify({ type, payload, data, timestamp: "2026-11-02T09:00:00.000Z" }),
  );

/** Real rows of every kind, in the order of a session. */
const small = fc.nat(500);
const codexStep = fc.record({
  kind: fc.constantFrom("total", "again", "reset", "turn", "full"),
  input: small,
  cached: small,
  output: fc.integer({ min: 1, max: 500 }),
});
type CodexStep = typeof codexStep extends fc.Arbitrary<infer Step> ? Step : never;

function rolloutOf(steps: readonly CodexStep[]): { lines: string[]; used: TokenUsage } {
  const lines = [codex.meta(0, { id: codex.idAt(0) })];
  let total = codex.vector(0, 0, 0);
  let used = noUsage;
  steps.forEach(({ kind, input, cached, output }, second) => {
    if (kind === "turn") lines.push(codex.turn(second, codex.idAt(second)));
    if (kind === "again" && total.output_tokens > 0) lines.push(codex.count(second, total));
    if (kind === "full") {
      total = codex.vector(0, 0, 0);
      lines.push(codex.count(second, { ...total, total_tokens: 258_400 }));
    }
    if (kind !== "total" && kind !== "reset") return;
    const last = codex.vector(input + cached, cached, output);
    const before = kind === "reset" ? codex.vector(0, 0, 0) : total;
    total = codex.vector(
      before.input_tokens + last.input_tokens,
      before.cached_input_tokens + cached,
      before.output_tokens + output,
    );
    lines.push(codex.count(second, total, last));
    used = addUsage(used, { ...noUsage, input, cacheRead: cached, output });
  });
  return { lines, used };
}

function sumOf(records: readonly UsageRecord[]): TokenUsage {
  return records.map(({ usage }) => usage).reduce(addUsage, noUsage);
}

function assertSound({ records, facts, skipped, activity }: AgentSession): void {
  const { turns, calls, compactions } = activity;
  for (const { id } of [turns, calls, compactions].flat()) assert.ok(id.length > 0);
  for (const { records: indexes } of turns)
    for (const index of indexes) assert.ok(records[index] !== undefined, `no record ${index}`);
  for (const { record, turn } of calls) {
    assert.ok(record === null || records[record] !== undefined);
    assert.ok(turn === null || turns[turn] !== undefined);
  }
  for (const { usage, raw } of records) {
    for (const value of [...Object.values<number>({ ...usage }), ...Object.values(raw)])
      assert.ok(Number.isInteger(value) && value >= 0, `${value} tokens`);
  }
  for (const type of skipped.unknown.keys()) assert.ok(type.length <= 100);
  assert.ok(
    facts.contextLeft.value === null || (facts.contextLeft.value >= 0 && facts.contextLeft.value <= 100),
  );
  const keys = records.flatMap(({ key }) => key ?? []);
  assert.equal(new Set(keys).size, keys.length);
}

for (const [agent, start] of Object.entries(readers)) {
  describe(`reading lines of ${agent}, whatever they are`, () => {
    it("never throws on arbitrary bytes", () => {
      fc.assert(
        fc.property(fc.uint8Array(), (bytes) => assertSound(readChunks(start(), [Buffer.from(bytes)]))),
      );
    });

    it("never throws on arbitrary JSON", () => {
      fc.assert(
        fc.property(fc.json(), (text) => assertSound(readChunks(start(), [Buffer.from(`${text}\n`)]))),
      );
    });

    it("never throws on odd rows, and reads them equally in any chunks", () => {
      const cuts = fc.array(fc.nat(400), { maxLength: 10 });
      fc.assert(
        fc.property(fc.array(oddRow, { maxLength: 6 }), cuts, (rows, sizes) => {
          const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(""));
          const chunks: Buffer[] = [];
          let from = 0;
          for (const size of sizes) chunks.push(bytes.subarray(from, (from += size)));
          const whole = readChunks(start(), [bytes]);
          assertSound(whole);
          assert.deepEqual(readChunks(start(), [...chunks, bytes.subarray(from)]), whole);
        }),
        { numRuns: 300 },
      );
    });
  });
}

describe("the tokens of a Codex rollout", () => {
  const rollout = fc.array(codexStep, { maxLength: 12 }).map(rolloutOf);

  it("are those that were used, despite resets and full contexts", () => {
    fc.assert(
      fc.property(rollout, ({ lines, used }) =>
        assert.deepEqual(sumOf(codex.readLines(lines).records), used),
      ),
      { numRuns: 300 },
    );
  });

  it("are the same when any line is written twice", () => {
    fc.assert(
      fc.property(rollout, fc.nat(), ({ lines, used }, nth) => {
        const again = lines.flatMap((line, index) => (index === nth % lines.length ? [line, line] : [line]));
        assert.deepEqual(sumOf(codex.readLines(again).records), used);
      }),
    );
  });

  it("are never more when the file is cut off", () => {
    fc.assert(
      fc.property(rollout, fc.nat(), ({ lines, used }, at) => {
        const text = lines.map((line) => `${line}\n`).join("");
        const { records } = readChunks(new RolloutLines(""), [Buffer.from(text.slice(0, at % text.length))]);
        assert.ok(totalTokens(sumOf(records)) <= totalTokens(used));
      }),
    );
  });

  it("count once when a fork and its fork repeat them", () => {
    fc.assert(
      fc.property(rollout, ({ lines, used }) => {
        const repeat = (second: number, parent: string, history: readonly string[]) => [
          codex.meta(second, { id: codex.idAt(second), forked_from_id: parent }),
          codex.turn(second, codex.idAt(1)),
          ...history.map((line) =>
            line.replace(/"timestamp":"[^"]*"/u, `"timestamp":"2026-11-02T09:30:00.000Z"`),
          ),
        ];
        const fork = repeat(100, codex.idAt(0), lines);
        const files = [lines, fork, repeat(200, codex.idAt(100), fork)];
        assert.deepEqual(sumOf(countRollouts(files.map((file) => codex.readLines(file)))), used);
      }),
    );
  });
});

describe("the tokens of a Copilot session", () => {
  const step = fc.record({
    input: small,
    output: fc.integer({ min: 1, max: 500 }),
    ends: fc.boolean(),
    reported: fc.boolean(),
  });
  const grown = (one: copilot.Vector, input: number, output: number) =>
    copilot.vector(one.inputTokens + input, 0, one.outputTokens + output);

  it("are those of its totals, however many of its responses are recorded", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        const lines = [copilot.began];
        let total = copilot.vector(0, 0, 0);
        steps.forEach(({ input, output, ends, reported }, index) => {
          total = grown(total, input, output);
          if (reported) lines.push(copilot.used(index * 2, index, copilot.vector(input, 0, output)));
          if (ends) lines.push(copilot.ended(index * 2 + 1, { "gpt-5.4": total }, index + 1));
        });
        lines.push(
          copilot.ended(100, { "gpt-5.4": total }, steps.length),
          copilot.ended(101, { "gpt-5.4": total }, steps.length),
        );
        const { records } = copilot.readEventLines(lines);
        const { input, output } = sumOf(countOnce(records));
        assert.deepEqual([input, output], [total.inputTokens, total.outputTokens]);
      }),
    );
  });
});
