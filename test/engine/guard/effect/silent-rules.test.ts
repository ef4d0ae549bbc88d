import assert from "node:assert/strict";
import { test } from "node:test";
import { SilentRules } from "../../../../src/engine/guard/effect/silent-rules.ts";
import type { GuardAdvice } from "../../../../src/engine/ledger/answers.ts";

const ignored: GuardAdvice = { rule: "a-rule", helped: 0, failed: 16, wokenAt: null };

test("no rule is silent before the ledger answers, and no hook waits for the ledger", async () => {
  let answer: (advice: readonly GuardAdvice[]) => void = () => assert.fail("nothing is asked");
  const silent = new SilentRules({
    advice: () => new Promise((resolve) => (answer = resolve)),
    elapsed: () => 0,
    onProblem: (problem) => assert.ifError(problem),
  });
  assert.equal(silent.has("a-rule"), false);
  const loading = silent.load();
  answer([ignored, { ...ignored, rule: "b-rule", helped: 16 }]);
  await loading;
  assert.deepEqual([silent.has("a-rule"), silent.has("b-rule")], [true, false]);
});

test("queries the ledger again after a while, and sends advice of a recalled rule again", async () => {
  const clock = { at: 0, asked: 0 };
  let advice = [ignored];
  const silent = new SilentRules({
    advice: () => {
      clock.asked += 1;
      return Promise.resolve(advice);
    },
    elapsed: () => clock.at,
    onProblem: (problem) => assert.ifError(problem),
  });
  await silent.load();
  advice = [{ ...ignored, failed: 0, wokenAt: 5 }];
  assert.equal(silent.has("a-rule"), true);
  clock.at = 11_000;
  assert.equal(silent.has("a-rule"), true);
  await silent.load();
  assert.deepEqual([silent.has("a-rule"), clock.asked], [false, 2]);
});

test("keeps rules silent while the ledger does not answer, and reports a failure", async () => {
  const problems: string[] = [];
  const answers: (() => Promise<readonly GuardAdvice[] | null>)[] = [
    () => Promise.resolve([ignored]),
    () => Promise.resolve(null),
    () => Promise.reject(new Error("gone")),
  ];
  const silent = new SilentRules({
    advice: () => answers.shift()?.() ?? Promise.resolve(null),
    elapsed: () => 0,
    onProblem: (problem) => problems.push(problem),
  });
  for (const count of [0, 0, 1]) {
    await silent.load();
    assert.deepEqual([silent.has("a-rule"), problems.length], [true, count]);
  }
});
