import assert from "node:assert/strict";
import test from "node:test";
import { ruleSentence } from "../../../src/extension/rules/rule-sentence.ts";
import { readSentence } from "../../../src/engine/rules/distil/propose.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { makeLearned } from "../../webview/rules/learned-fixtures.ts";
import { RulesControllerHarness } from "../support/rules-controller-harness.ts";

test("sends learned items without forgotten ones, marks them, and makes rules only of items from the service", async () => {
  const harness = new RulesControllerHarness();
  harness.learned = [makeLearned(), makeLearned({ id: "l2", state: "forgotten" })];
  await harness.begun();
  const last = () => harness.posted.findLast((message) => message.type === "learned")?.items;
  await waitUntil(() => last() !== undefined);
  assert.deepEqual(
    last()?.map(({ id }) => id),
    ["l1"],
  );
  harness.talk.handleMessage({ type: "promoteLearned", id: "unknown" });
  harness.talk.handleMessage({ type: "promoteLearned", id: "l1" });
  harness.learned = [makeLearned({ state: "edited", text: "Run npm ci." })];
  harness.talk.handleMessage({ type: "markLearned", id: "l1", state: "edited", text: "Run npm ci." });
  await waitUntil(() => last()?.[0]?.text === "Run npm ci.");
  assert.deepEqual(harness.did, ["promote l1", "mark l1 edited Run npm ci."]);
  assert.ok(
    harness.posted.some((message) => message.type === "done" && message.message.includes("your words")),
  );
  harness.talk.dispose();
});

test("Each kind begins as a sentence that a rule can be", () => {
  for (const [item, expected] of [
    [makeLearned(), "When tsc says “Cannot find module 'zod'”, try first: npm install zod"],
    [makeLearned({ state: "edited", text: "Run npm ci before tests." }), "Run npm ci before tests."],
    [
      makeLearned({ kind: "convention", text: "Tests are run with `npm test` (3 of 3)" }),
      "Tests are run with `npm test`.",
    ],
    [
      makeLearned({
        kind: "sequence",
        text: "test passes more often after edit .ts, then run make: 100% of 16 times, against 63% of 32",
      }),
      "Before running test, edit .ts, then run make.",
    ],
    [
      makeLearned({ kind: "dead-end", text: "make deploy: Error: no host" }),
      "Do not try again: make deploy: Error: no host",
    ],
  ] as const) {
    assert.equal(ruleSentence(item), expected);
    assert.ok(readSentence(ruleSentence(item)).ok, expected);
  }
});
