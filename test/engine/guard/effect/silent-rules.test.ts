import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  silentRules,
  helpAtMost,
  helpsTooLittle,
  minHelp,
  maxError,
} from "../../../../src/engine/guard/effect/silent-rules.ts";
import type { GuardAdvice } from "../../../../src/engine/ledger/ledger-answers.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const ignored: GuardAdvice = { rule: "a-rule", helped: 0, failed: 16, wokenAt: null };

test("no rule is silent before the ledger answers, and no hook waits for the ledger", async () => {
  let answer: (advice: readonly GuardAdvice[]) => void = () => assert.fail("nothing is asked");
  const silent = silentRules({
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

test("queries the ledger again later, and sends advice of a recalled rule again", async () => {
  const clock = { at: 0, asked: 0 };
  let advice = [ignored];
  const silent = silentRules({
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
  const silent = silentRules({
    advice: () => answers.shift()?.() ?? Promise.resolve(null),
    elapsed: () => 0,
    onProblem: (problem) => problems.push(problem),
  });
  for (const count of [0, 0, 1]) {
    await silent.load();
    assert.deepEqual([silent.has("a-rule"), problems.length], [true, count]);
  }
});

/** By outcomes that helped: from which number of others on advice falls silent. */
const silentFrom: number[] = [];

function isSilent(helped: number, failed: number): boolean {
  for (let next = silentFrom.length; next <= helped; next += 1) {
    let from = silentFrom.at(-1) ?? 0;
    while (!helpsTooLittle({ helped: next, failed: from })) from += 1;
    silentFrom.push(from);
  }
  return failed >= (silentFrom[helped] ?? Infinity);
}

/** Returns the share of rules that are silent after so many outcomes, looked at after each, where advice helps so often. */
function silentShare(helps: number, { rules, delivered }: { rules: number; delivered: number }): number {
  const random = seededRandom(15);
  let silent = 0;
  for (let rule = 0; rule < rules; rule += 1) {
    let [helped, failed] = [0, 0];
    for (let number = 0; number < delivered && !isSilent(helped, failed); number += 1)
      if (random.next() < helps) helped += 1;
      else failed += 1;
    if (isSilent(helped, failed)) silent += 1;
  }
  return silent / rules;
}

test("advice that is always ignored becomes silent at the 16th time, and one help delays that", () => {
  assert.equal(helpsTooLittle({ helped: 0, failed: 15 }), false);
  assert.equal(helpsTooLittle({ helped: 0, failed: 16 }), true);
  assert.equal(helpsTooLittle({ helped: 1, failed: 20 }), false);
  assert.equal(helpsTooLittle({ helped: 1, failed: 25 }), true);
  assert.equal(helpsTooLittle({ helped: 0, failed: 0 }), false);
});

/** Returns the probability of falling silent within so many times, computed over all ways. */
function silenceProbability(helps: number, delivered: number): number {
  let silent = 0;
  let open = new Map([[0, 1]]);
  for (let number = 1; number <= delivered; number += 1) {
    const next = new Map<number, number>();
    for (const [before, mass] of open)
      for (const [helped, share] of [
        [before + 1, helps],
        [before, 1 - helps],
      ] as const)
        if (isSilent(helped, number - helped)) silent += mass * share;
        else next.set(helped, (next.get(helped) ?? 0) + mass * share);
    open = next;
  }
  return silent;
}

test("advice that helps every second time becomes silent in one of 40,000 rules, and in no simulated one", () => {
  const probability = silenceProbability(0.5, 300);
  assert.ok(probability > 0 && probability < 1 / 40_000, String(probability));
  assert.equal(silentShare(0.5, { rules: 3000, delivered: 300 }), 0);
});

test("advice that helps just often enough becomes silent within the error, however often it is tested", () => {
  const share = silentShare(minHelp, { rules: 4000, delivered: 500 });
  assert.ok(share > 0 && share <= maxError, String(share));
});

test("advice that helps one time in twenty becomes silent within 100 times", () => {
  assert.ok(silentShare(0.05, { rules: 2000, delivered: 100 }) > 0.95);
});

test("the bound falls with each failure, rises with each help, and decides", () => {
  const count = fc.nat(300);
  fc.assert(
    fc.property(count, count, (helped, failed) => {
      const bound = helpAtMost({ helped, failed });
      assert.ok(bound > 0 && bound <= 1);
      assert.ok(bound >= (helped + failed === 0 ? 0 : helped / (helped + failed)));
      assert.ok(helpAtMost({ helped, failed: failed + 1 }) <= bound);
      assert.ok(helpAtMost({ helped: helped + 1, failed }) >= bound);
      if (Math.abs(bound - minHelp) > 1e-6) assert.equal(helpsTooLittle({ helped, failed }), bound < minHelp);
    }),
  );
});

test("handles very many outcomes", () => {
  assert.equal(helpsTooLittle({ helped: 1000, failed: 99_000 }), true);
  assert.equal(helpsTooLittle({ helped: 50_000, failed: 50_000 }), false);
});
