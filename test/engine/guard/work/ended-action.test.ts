import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { actionOf } from "../../../../src/engine/guard/work/ended-action.ts";

const session_id = "s";

function used(tool_name: string, tool_input: unknown, tool_response: unknown) {
  return actionOf({ hook_event_name: "PostToolUse", session_id, tool_name, tool_input, tool_response });
}

function failed(error: string) {
  const tool_input = { command: "npm  test\n" };
  return actionOf({
    hook_event_name: "PostToolUseFailure",
    session_id,
    tool_name: "Bash",
    tool_input,
    error,
  });
}

test("failures that differ only in numbers and addresses are the same", () => {
  const first = failed("Exit code 1\nline 3: 0xdeadbeef at 12:03:04");
  assert.deepEqual(first, failed("Exit code 1\nline 14: 0xcafe01 at 12:09:59"));
  assert.deepEqual([first.subject, first.outcome], ["npm test", "failed"]);
  assert.notEqual(first.failure, failed("Exit code 1\nno such file").failure);
});

test("reads each agent's report of a command's end", () => {
  const ends = [
    ["Bash", { stdout: "ok", stderr: "" }, "succeeded"],
    ["Bash", "hi\n", "unknown"],
    ["bash", "hi\n<shellId: 0 completed with exit code 0>", "succeeded"],
    ["bash", "no\n<shellId: 0 completed with exit code 2>", "failed"],
    ["run_shell_command", "Output: no\nExit Code: 1\nProcess Group PGID: 7", "failed"],
  ] as const;
  for (const [tool, response, outcome] of ends)
    assert.equal(used(tool, { command: "make" }, response).outcome, outcome, tool);
});

test("names files, and only hashes other inputs", () => {
  assert.equal(used("Read", { file_path: "/a/b.ts" }, {}).subject, "/a/b.ts");
  const other = used("WebFetch", { url: "https://example.com/?token=1" }, "x");
  assert.match(String(other.subject), /^[\da-f]{16}$/u);
  assert.equal(used("WebFetch", undefined, "x").subject, null);
});

test("any input and response is read", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.anything(), (tool, input, response) => {
      const { outcome, failure, subject } = used(tool, input, response);
      assert.equal(failure !== null, outcome === "failed");
      assert.ok((subject ?? "").length <= 400);
    }),
  );
});
