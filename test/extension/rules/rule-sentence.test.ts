import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { writeRule } from "../../../src/extension/rules/rule-sentence.ts";

const sentence = "Read a file once and work from what you saw.";

/** A user who enters these texts in turn, then gives up. It records the message about each. */
function user(texts: readonly string[]) {
  const shown: string[] = [];
  const said: (string | undefined)[] = [];
  const left = [...texts];
  const write = (value: string, validate: (typed: string) => string | undefined) => {
    shown.push(value);
    if (value !== "") said.push(validate(value));
    return Promise.resolve(left.shift());
  };
  return { write, shown, said };
}

test("a rule is added by its text, and its id is returned", async () => {
  const { write } = user([sentence]);
  const propose = (text: string) => Promise.resolve(succeed({ text, id: "r1", refused: null }));
  assert.deepEqual(await writeRule("", { write, propose }), succeed("r1"));
});

test("a text that is refused stays in the input with the reason, until it is another one", async () => {
  const other = "Search once with one pattern for all names.";
  const { write, shown, said } = user([sentence, other]);
  const propose = (text: string) =>
    Promise.resolve(
      succeed(
        text === other
          ? { text, id: "r2", refused: null }
          : { text, id: null, refused: plainSentence("it says the same as rule r1, which is active") },
      ),
    );
  assert.deepEqual(await writeRule("", { write, propose }), succeed("r2"));
  assert.deepEqual(shown, ["", sentence]);
  assert.deepEqual(said, ["It says the same as rule r1, which is active."]);
});

test("explains during typing why a text cannot be a rule, in a sentence", async () => {
  const { write, said } = user([]);
  const propose = () => Promise.resolve(fail("failed", plainSentence("nobody asks")));
  assert.equal(await writeRule("short", { write, propose }), undefined);
  assert.deepEqual(said, ["A rule has 10 to 200 characters, not 5."]);
});

test("a service that does not answer ends it with the reason", async () => {
  const { write } = user([sentence]);
  const lost = fail("offline", plainSentence("the service is not running"));
  assert.deepEqual(await writeRule("", { write, propose: () => Promise.resolve(lost) }), lost);
});
