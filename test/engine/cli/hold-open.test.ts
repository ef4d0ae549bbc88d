import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import { Scratch } from "./support/support.ts";

/**
 * Runs an evolution with a wrong argument, which ends at once, in front of a person; returns the exit code
 * and output.
 */
async function ended(
  t: TestContext,
  env: Record<string, string>,
  act: (stdin: PassThrough) => void,
  isTTY = true,
) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stop = new AbortController();
  let output = "";
  const write = (text: string | Uint8Array) => {
    output += String(text);
    if (output.includes("Press Enter")) act(stdin);
  };
  const host = { env, stdin: () => stdin, signal: stop.signal, stdout: { isTTY, write } };
  const { code } = await scratch.purser(["evolve", "--frobnicate"], host);
  return [code, output];
}

const inEditor = { PURSER_HOLD_OPEN: "1" };
const waits = "\nPress Enter to close this terminal. ";

test("In a terminal of an editor's, what an evolution said stays until it was read, and its end is no crash", async (t) => {
  assert.deepEqual(await ended(t, inEditor, (stdin) => stdin.write("\n")), [0, waits]);
  assert.deepEqual(await ended(t, inEditor, (stdin) => stdin.end()), [0, waits], "nobody can type any more");
});

test("In a terminal of the user's own, and where nobody reads, it ends at once", async (t) => {
  const never = () => assert.fail("it waits");
  assert.deepEqual(await ended(t, {}, never), [2, ""]);
  assert.deepEqual(await ended(t, inEditor, never, false), [2, ""]);
});
