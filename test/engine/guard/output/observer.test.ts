import assert from "node:assert/strict";
import { test } from "node:test";
import { compressCommand } from "../../../../src/engine/guard/output/compress-command.ts";
import { outputObserver } from "../../../../src/engine/guard/output/observer.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entry.ts";
import type { GuardMode } from "../../../../src/engine/settings/guard.ts";
import { testContext } from "../support/shell-context.ts";

const repeated = `${"Downloading the same thing again and again\n".repeat(200)}done\n`;

function observer(mode: GuardMode) {
  const recorded: LedgerEntry[] = [];
  const problems: string[] = [];
  const handler = outputObserver({
    compress: (output, command) => Promise.resolve(compressCommand(output, command, testContext)),
    modeOf: () => mode,
    record: (entries) => recorded.push(...entries),
    onProblem: (problem) => problems.push(problem),
    now: () => 1000,
  });
  const after = async (tool_response: unknown, command = "make fetch") => {
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "t1", tool_response };
    const common = { session_id: "s", cwd: "/home/ann/shop" };
    const answer = await handler.answer({ hook_event_name: "PostToolUse", ...common, ...call });
    // Claude Code tells of the same calls again.
    await handler.answer({ hook_event_name: "PostToolBatch", ...common, tool_calls: [call] });
    // What is recorded comes after the answer.
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  };
  return { after, recorded, problems };
}

test("what a smaller output would save is recorded, and nothing is answered", async () => {
  const { after, recorded, problems } = observer("observe");
  assert.equal(await after({ stdout: repeated, stderr: "" }), null);
  assert.equal(await after(repeated), null);
  assert.deepEqual(problems, []);
  assert.equal(recorded.length, 2);
  for (const entry of recorded) {
    assert.ok(entry.kind === "guard-hit");
    assert.deepEqual([entry.family, entry.done, entry.excerpt], ["output", "observed", "make fetch"]);
    assert.ok((entry.savedBytes ?? 0) > 7000 && (entry.savedBytes ?? 0) < Buffer.byteLength(repeated));
  }
});

test("short outputs, files' texts, other tools and unknown shapes are left alone", async () => {
  const { after, recorded } = observer("observe");
  await after("short");
  await after(repeated, "cat notes.txt");
  await after(null);
  await after({ stdout: 5 });
  await after([{ type: "text", text: repeated }]);
  assert.deepEqual(recorded, []);
});

test("turned off, it looks at nothing", async () => {
  const { after, recorded } = observer("off");
  await after(repeated);
  assert.deepEqual(recorded, []);
});
