import { test } from "node:test";
import { filled } from "../../../src/webview/components/sentences.ts";
import { plainSentence, sentence } from "../../../src/engine/base/language.ts";
import { assert } from "../../engine/support/assert-texts.ts";
import { verdictReason, verdictSentence } from "../../../src/webview/components/sentences.ts";
import { inGerman } from "../../engine/support/in-german.ts";
import { makeResult } from "../experiments/compare/fixtures.ts";

test("puts elements at the language's position, and keeps placeholders without a value", () => {
  const [link, count] = [{ is: "link" }, { is: "count" }];
  assert.deepEqual(filled("Saved in {0}.", link), ["Saved in ", link, "."]);
  assert.deepEqual(filled("{1} in {0}", link, count), ["", count, " in ", link, ""]);
  assert.deepEqual(filled("{0} {2} {name}", link), ["", link, " ", "{2}", " {name}"]);
  assert.deepEqual(filled("Saved."), ["Saved."]);
});

test("the English verdict equals the receipt's", () => {
  const result = makeResult();
  assert.deepEqual([verdictSentence(result), verdictReason(result)], [result.sentence, result.reason]);
});

test(
  "in another language it is the same sentence, translated",
  inGerman(() => {
    const result = makeResult({
      sentence: sentence("{after} fails where {before} passes: {tasks}.", {
        after: "haiku",
        before: "sonnet",
        tasks: "backend-03",
      }),
      reason: plainSentence("backend-03 passed before and fails now"),
    });
    assert.deepEqual(
      [verdictSentence(result), verdictReason(result)],
      ["haiku scheitert, wo sonnet besteht: backend-03.", result.reason],
    );
  }),
);
