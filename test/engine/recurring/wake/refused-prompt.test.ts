import { it } from "node:test";
import type { HandoverWord } from "../../../../src/engine/continuity/handover/launch.ts";
import { agentPrograms } from "../../../../src/engine/recurring/programs/programs.ts";
import { outcomeOf } from "../../../../src/engine/recurring/wake/recurring-wake-record.ts";
import { assert } from "../../support/assert-texts.ts";

const { signal } = new AbortController();

/** The outcome of a program that ended with exit code 0. @param turns responses in its session's files */
function outcome(program: HandoverWord, printed: readonly object[], turns: number) {
  const output = printed.map((each) => JSON.stringify(each)).join("\n");
  const ended = { how: "exit" as const, exitCode: 0, durationMs: 1, output };
  return outcomeOf(agentPrograms[program].read(ended), { ended, limit: null }, { turns, signal });
}

const usage = { input_tokens: 10, output_tokens: 20 };
const nothing = { input_tokens: 0, output_tokens: 0 };
const started = { type: "thread.started", thread_id: "t" };

it("A prompt that a hook refused is known by a program that ends well without a response", () => {
  const claude = { type: "result", is_error: false, session_id: "s", usage: nothing };
  assert.deepEqual(outcome("claude", [{ ...claude, result: "Blocked.\n\nOriginal prompt: Go on" }], 0), {
    outcome: "environment",
    detail: "the prompt was refused: Blocked.",
  });
  const gemini = { session_id: "s", response: "", stats: { models: {} } };
  for (const [program, printed] of [
    ["gemini", gemini],
    ["codex", started],
  ] as const)
    assert.deepEqual(outcome(program, [printed], 0), {
      outcome: "environment",
      detail: "the prompt was refused, and the program gives no reason: a hook may have refused it",
    });
});

it("A wake with a response is completed, also if its files or its program do not show it", () => {
  const claude = { type: "result", is_error: false, session_id: "s", result: "Done." };
  const completed = { outcome: "completed", detail: null };
  assert.deepEqual(outcome("claude", [{ ...claude, usage }], 0), completed);
  assert.deepEqual(outcome("claude", [claude], 0), completed);
  assert.deepEqual(outcome("claude", [{ ...claude, usage: nothing }], 1), completed);
  assert.deepEqual(outcome("codex", [started, { type: "turn.completed", usage }], 0), completed);
  assert.deepEqual(outcome("codex", [started], 1), completed);
  assert.deepEqual(outcome("gemini", [{ session_id: "s" }], 0), completed);
  assert.deepEqual(outcome("copilot", [{ type: "result", sessionId: "s", exitCode: 0 }], 0), completed);
});
