import assert from "node:assert/strict";
import test from "node:test";
import { askedText } from "../../../../src/engine/continuity/story/prompt-text.ts";

for (const [what, text, own] of [
  ["an addition", "Fix it. <system-reminder>Be brief.</system-reminder> Now.", "Fix it.  Now."],
  ["one within another", "<ide_file>a <reminder>b</reminder> c</ide_file> Fix it.", "Fix it."],
  ["one without its end", "Fix <reminder>this", "Fix <reminder>this"],
  ["an end without its beginning", "Fix </reminder> this", "Fix </reminder> this"],
  ["nothing but additions", "<reminder>a</reminder> <ide_file>b</ide_file>", null],
] as const)
  test(`the words of a prompt with ${what}`, () => {
    assert.equal(askedText(text), own);
  });
