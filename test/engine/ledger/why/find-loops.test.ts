import assert from "node:assert/strict";
import test from "node:test";
import { findLoops } from "../../../../src/engine/ledger/why/find-loops.ts";
import type { TracedCall } from "../../../../src/engine/ledger/why/session-trace.ts";

let chars = 0;
const call = (over: Partial<TracedCall> = {}): TracedCall => ({
  id: "t",
  messageId: "m",
  at: 0,
  tool: "Bash",
  inputChars: (chars += 1),
  resultChars: 10,
  isError: false,
  path: null,
  ...over,
});
const failures = (count: number) => Array.from({ length: count }, () => call({ isError: true }));
const found = (calls: readonly TracedCall[]) =>
  findLoops(calls).map(({ tool, calls: own, late }) => [tool, own.length, late.size]);

test("five failures of one tool are a loop, four are not", () => {
  assert.deepEqual(found(failures(4)), []);
  assert.deepEqual(found(failures(5)), [["Bash", 5, 2]]);
});

test("one other call between failures does not end a loop, two do", () => {
  const edit = call({ tool: "Edit" });
  assert.deepEqual(found([...failures(3), edit, ...failures(3)]), [["Bash", 7, 3]]);
  assert.deepEqual(found([...failures(3), edit, call(), ...failures(3)]), []);
  assert.deepEqual(
    found([...failures(5), edit, call()]),
    [["Bash", 5, 2]],
    "calls after it do not belong to it",
  );
});

test("a loop of another tool may follow at once", () => {
  const edits = Array.from({ length: 5 }, () => call({ tool: "Edit", isError: true }));
  assert.deepEqual(found([...failures(5), ...edits]), [
    ["Bash", 5, 2],
    ["Edit", 5, 2],
  ]);
});

test("six calls that look the same are a loop", () => {
  const same = Array.from({ length: 6 }, () => call({ tool: "Poll", inputChars: 3 }));
  assert.deepEqual(found(same), [["Poll", 6, 3]]);
  assert.deepEqual(found(same.slice(1)), []);
  assert.deepEqual(found([...same.slice(1), call({ tool: "Poll", inputChars: 4 })]), []);
  const unknown = same.map((each) => ({ ...each, inputChars: null }));
  assert.deepEqual(found(unknown), [], "unknown sizes are not equal");
});
