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
  const { code } = await scratch.purser(["shorten-prompt", "--frobnicate"], host);
  return [code, output];
}

const inEditor = { PURSER_HOLD_OPEN: "1" };
const waits = "\nPress Enter to close this terminal. ";

test("keeps an evolution's output open in an editor's terminal until it was read, and ends without a crash", async (t) => {
  assert.deepEqual(await ended(t, inEditor, (stdin) => stdin.write("\n")), [0, waits]);
  assert.deepEqual(await ended(t, inEditor, (stdin) => stdin.end()), [0, waits], "nobody can type any more");
});

test("ends at once in the user's own terminal, and when nobody reads", async (t) => {
  const never = () => assert.fail("it waits");
  assert.deepEqual(await ended(t, {}, never), [2, ""]);
  assert.deepEqual(await ended(t, inEditor, never, false), [2, ""]);
});
