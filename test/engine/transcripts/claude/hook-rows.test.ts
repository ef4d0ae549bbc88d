import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { hookRunsIn } from "../../../../src/engine/transcripts/claude/hook-rows.ts";

const attachment = (reported: object) => ({ type: "attachment", attachment: { hookName: "x", ...reported } });

/** Rows as Claude Code 2.1.330 writes them. */
describe("rows of hooks", () => {
  it("report how long a hook took, and what it added to the context", () => {
    const specific = { hookEventName: "PreToolUse", additionalContext: "pre ctx" };
    const table: readonly (readonly [object, number | null, number])[] = [
      [{ hookEvent: "SessionStart", stdout: "plain start text\n", durationMs: 23 }, 23, 16],
      [{ hookEvent: "PreToolUse", stdout: "plain text\n", durationMs: 5 }, 5, 0],
      [
        { hookEvent: "PreToolUse", stdout: JSON.stringify({ hookSpecificOutput: specific }), durationMs: 16 },
        16,
        7,
      ],
      [{ hookEvent: "PostToolBatch", stdout: "", exitCode: 200 }, null, 0],
    ];
    for (const [reported, durationMs, injectedChars] of table) {
      const [run, ...more] = hookRunsIn(attachment({ type: "hook_success", command: "c", ...reported }));
      assert.deepEqual([run?.command, run?.durationMs, run?.injectedChars], ["c", durationMs, injectedChars]);
      assert.equal(more.length, 0);
    }
    const blocking = { blockingError: "fb", command: "echo" };
    const [blocked] = hookRunsIn(
      attachment({ type: "hook_blocking_error", hookEvent: "PostToolUse", blockingError: blocking }),
    );
    assert.deepEqual([blocked?.command, blocked?.injectedChars, blocked?.isCounted], ["echo", 2, true]);
    const failed = {
      type: "hook_non_blocking_error",
      hookEvent: "PostToolUse",
      command: "exit 1",
      durationMs: 5,
    };
    assert.equal(hookRunsIn(attachment(failed))[0]?.durationMs, 5);
    assert.deepEqual(
      hookRunsIn(attachment({ type: "hook_additional_context", hookEvent: "PreToolUse" })),
      [],
    );
  });

  it("count a turn's last hooks once: one row lists all of them", () => {
    const summary = {
      type: "system",
      subtype: "stop_hook_summary",
      hookInfos: [
        { command: "sleep 0.2", durationMs: 210 },
        { command: "http://127.0.0.1:1/hook/claude-code" },
      ],
    };
    assert.deepEqual(
      hookRunsIn(summary).map(({ event, durationMs, isCounted }) => [event, durationMs, isCounted]),
      [
        ["Stop", 210, true],
        ["Stop", null, true],
      ],
    );
    assert.deepEqual(hookRunsIn({ ...summary, hookLabel: "PreToolUse" }), []);
    const [asked] = hookRunsIn(
      attachment({
        type: "hook_blocking_error",
        hookEvent: "Stop",
        blockingError: { blockingError: "go on" },
      }),
    );
    assert.deepEqual([asked?.injectedChars, asked?.isCounted], [5, false]);
    assert.deepEqual(hookRunsIn(attachment({ type: "hook_success", hookEvent: "Stop", durationMs: 3 })), []);
  });

  it("never fail, whatever they hold", () => {
    const part = fc.oneof(
      fc.anything(),
      fc.constantFrom("hook_success", "Stop", "system", "stop_hook_summary"),
    );
    const keys = fc.constantFrom(
      "type",
      "subtype",
      "attachment",
      "hookEvent",
      "hookInfos",
      "stdout",
      "blockingError",
    );
    fc.assert(
      fc.property(fc.dictionary(keys, part), fc.dictionary(keys, part), (row, inner) => {
        for (const run of hookRunsIn({ ...row, attachment: inner }))
          assert.ok(run.injectedChars >= 0 && (run.durationMs === null || run.durationMs >= 0));
      }),
    );
  });
});
