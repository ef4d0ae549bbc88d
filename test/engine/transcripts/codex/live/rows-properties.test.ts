import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SessionAccount } from "../../../../../src/engine/sessions/live/account.ts";
import { addUsage, noUsage, totalTokens } from "../../../../../src/engine/usage/token-counts.ts";
import { count, idAt, meta, readLines, response, row, turn, vector } from "../rollout-rows.ts";
import { accountOf, readingsOf } from "./account-of.ts";

const thread = idAt(0);
const text = fc.constantFrom<unknown>(
  null,
  "",
  "UserMessage",
  7,
  -1,
  1e308,
  [],
  {},
  [{ type: "text", text: 1 }],
  idAt(2),
);
const payload = fc.dictionary(
  fc.constantFrom(
    ...(
      "type id item content usage input_tokens output_tokens total_tokens response_id thread_id turn_id info cwd model message " +
      "total_token_usage last_token_usage model_context_window rate_limits primary used_percent error call_id name source " +
      "subagent forked_from_id subagent_history_start_ordinal compaction_response_id __proto__"
    ).split(" "),
  ),
  fc.oneof(
    text,
    fc.dictionary(fc.constantFrom("type", "content", "input_tokens", "output_tokens", "subagent"), text),
  ),
);
const types =
  "session_meta turn_context event_msg response_item compacted token_usage_record world_state novelty".split(
    " ",
  );
const kinds =
  "task_started task_complete turn_aborted user_message item_completed token_count error function_call".split(
    " ",
  );
const oddLine = fc
  .tuple(
    fc.constantFrom(...types),
    fc.option(fc.constantFrom(...kinds), { nil: undefined }),
    payload,
    fc.nat(90),
  )
  .map(([type, kind, fields, second]) =>
    row(second, type, kind === undefined ? fields : { ...fields, type: kind }),
  );

/** A response and the rows around it, as the agent writes them. */
const step = fc.record({
  input: fc.integer({ min: 1, max: 9000 }),
  cached: fc.nat(9000),
  output: fc.integer({ min: 1, max: 900 }),
  isRecorded: fc.boolean(),
});

function linesOf(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): string[] {
  let total = vector(0, 0, 0);
  return steps.flatMap(({ input, cached, output, isRecorded }, index) => {
    const last = vector(input + cached, cached, output);
    total = vector(
      total.input_tokens + input + cached,
      total.cached_input_tokens + cached,
      total.output_tokens + output,
    );
    const counted = count(index, total, last);
    return [
      turn(index, idAt(index + 1)),
      ...(isRecorded ? [response(index, thread, `r${index}`, last)] : []),
      counted,
      ...(index % 3 === 0 ? [counted] : []),
    ];
  });
}

describe("any lines read live", () => {
  it("never throw, and are applied or counted", () => {
    const line = fc.oneof(
      oddLine.map((each) => Buffer.from(each)),
      fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, isSubagent) => {
        const readings = readingsOf(lines, isSubagent ? { sessionId: idAt(9) } : {});
        const account = new SessionAccount(thread, null);
        for (const reading of readings) account.apply(reading, isSubagent ? thread : null);
        const skipped = [...account.skipped.values()].reduce((sum, each) => sum + each, 0);
        assert.equal(skipped, readings.filter(({ outcome }) => outcome !== "known").length);
        assert.ok(totalTokens(account.all.usage()) >= totalTokens(account.own.usage()));
      }),
    );
  });

  it("report the same tokens as the reader of usage, wherever the file is cut off", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(60), (steps, cut) => {
        const lines = [meta(0, { id: thread }), ...linesOf(steps)].slice(0, cut + 1);
        const used = readLines(lines)
          .records.map(({ usage }) => usage)
          .reduce(addUsage, noUsage);
        assert.deepEqual(accountOf(lines).own.usage(), used);
      }),
    );
  });

  it("report the same when every line is written twice", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const lines = [
          meta(0, { id: thread }),
          ...linesOf(steps.map((each) => ({ ...each, isRecorded: true }))),
        ];
        const once = accountOf(lines);
        const twice = accountOf(lines.flatMap((line) => [line, line]));
        assert.deepEqual([twice.own.usage(), twice.main.turns], [once.own.usage(), once.main.turns]);
        assert.equal(once.main.turns, steps.length);
      }),
    );
  });
});
