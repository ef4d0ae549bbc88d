import { plainSentence } from "../../../../src/engine/base/language.ts";
import { test } from "node:test";
import { planPower, type PowerRequest } from "../../../../src/engine/verdict/power/power.ts";
import { assert } from "../../support/assert-texts.ts";

function request(changes: Partial<PowerRequest> & { readonly spread?: number } = {}): PowerRequest {
  const { spread = 0.3, ...others } = changes;
  return {
    kind: "candidate",
    rules: 3,
    canShare: true,
    expected: {
      perRun: 60_000,
      cacheReadPerRun: 0,
      spread,
      source: "measured",
      because: plainSentence("your last 24 runs"),
    },
    weights: [1, 1, 1, 1],
    bar: 0,
    rounds: null,
    sessions: { count: 280, days: 28, noise: null },
    ...others,
  };
}

test("Rules together buy more rounds for the same tokens, and therefore more chance", () => {
  const { curves, together } = planPower(request());
  assert.equal(together, 3);
  assert.deepEqual(
    curves.map((curve) => curve.together),
    [1, 3, 5],
  );
  const rounds = curves.map(({ points }) => points.map((point) => point.rounds));
  // A round of four tasks on two sides takes 480,000 tokens.
  assert.deepEqual(rounds, [
    [1, 2, 4, 6, 10],
    [3, 6, 12, 18, 23],
    [5, 10, 20, 31, 35],
  ]);
  for (const [index] of curves[0]?.points.entries() ?? []) {
    const chances = curves.map(({ points }) => points[index]?.chances[2] ?? 0);
    assert.deepEqual(
      chances,
      chances.toSorted((one, other) => one - other),
      `budget ${index}`,
    );
  }
});

test("The chance rises with the budget, and falls with noise and with a rule's rent", () => {
  const chancesOf = (asked: PowerRequest) =>
    planPower(asked).curves[1]?.points.map(({ chances }) => chances[1] ?? 0) ?? [];
  const usual = chancesOf(request());
  assert.deepEqual(
    usual,
    usual.toSorted((one, other) => one - other),
  );
  for (const worse of [chancesOf(request({ spread: 0.5 })), chancesOf(request({ bar: 3000 }))])
    assert.ok((worse.at(-1) ?? 1) < (usual.at(-1) ?? 0));
});

test("It reports the source of its noise", () => {
  const own = planPower(request()).noise;
  assert.deepEqual([own.source, own.because], ["measured", "your last 24 runs"]);
  assert.ok(Math.abs(own.value - 0.2936) < 1e-4);
  // No task was run twice: the spread is the usual one.
  const usual = planPower(request({ spread: 0.35 })).noise;
  assert.equal(usual.source, "estimated");
  assert.match(usual.because.text, /documented/u);
});

test("It advises waiting if more candidates make it much cheaper, else measuring now", () => {
  const [one] = planPower(request({ rules: 1 })).advice;
  assert.match(
    one,
    /^Wait: two more candidates make this 2\.2 times cheaper\. Now a true saving of 10% is shown with/u,
  );
  // However cheap it becomes, hardly anything would be shown.
  const hopeless = planPower(request({ rules: 1, spread: 1.6 }));
  assert.match(hopeless.advice[0] ?? "", /^Measuring now says little: /u);
  assert.ok((hopeless.curves[1]?.most.chances[1] ?? 1) < 0.5);
  assert.match(planPower(request({ rules: 3 })).advice[0] ?? "", /^Measure now: /u);
  assert.match(
    planPower(request({ rules: 8 })).advice[0] ?? "",
    /^Measure now: .* chance of 80% for about 2\.\dM tokens a rule\.$/u,
  );
  const noisy = planPower(request({ rules: 1, canShare: false, spread: 0.6 }));
  assert.match(noisy.advice[0] ?? "", /^Measuring now says little: .* at most for about \S+ tokens\.$/u);
  assert.deepEqual(
    noisy.curves.map(({ together }) => together),
    [1],
  );
  // One more would need a second group, which shares nothing with the first.
  const full = planPower(request({ rules: 16 }));
  assert.deepEqual(
    full.curves.map(({ together }) => together),
    [1, 16],
  );
  assert.equal(planPower(request({ rules: 20 })).together, 10);
});

test("Confirming the found rules has its own price, in rounds of all tasks on both sides", () => {
  const { confirmation } = planPower(request({ roundsOfSet: 10 }));
  assert.deepEqual(confirmation, { rounds: 10, tokens: 4_800_000 });
  assert.equal(planPower(request()).confirmation, undefined);
});

test("A trial on real work takes as many days as its sessions", () => {
  const plan = planPower(request());
  assert.deepEqual(plan.trial?.needed, [
    { share: 0.05, sessions: 1521, days: 153 },
    { share: 0.1, sessions: 361, days: 37 },
    { share: 0.2, sessions: 81, days: 9 },
  ]);
  assert.match(plan.advice[1] ?? "", /about 37 days for 10% \(361 sessions, 10 a day\) and costs nothing/u);
  assert.deepEqual([plan.trial.noise, plan.trial.source], [0.4, "estimated"]);
  assert.match(plan.trial.because.text, /fewer than 20 of yours are known/u);
  const own = planPower(request({ sessions: { count: 280, days: 28, noise: { value: 0.2, sessions: 64 } } }));
  assert.deepEqual([own.trial?.noise, own.trial?.source], [0.2, "measured"]);
  assert.match(own.trial?.because ?? "", /^your last 64 sessions/u);
  assert.deepEqual(
    own.trial?.needed.map(({ sessions }) => sessions),
    [381, 91, 21],
  );
  const still = planPower(request({ sessions: { count: 280, days: 28, noise: { value: 0, sessions: 20 } } }));
  assert.deepEqual(
    still.trial?.needed.map(({ sessions }) => sessions),
    [20, 20, 20],
    "minimum sessions",
  );
  const idle = planPower(request({ sessions: { count: 0, days: 28, noise: null } }));
  assert.deepEqual(
    idle.trial?.needed.map(({ days }) => days),
    [null, null, null],
  );
  assert.match(idle.advice[1] ?? "", /is not known/u);
  assert.equal(planPower(request({ sessions: null })).trial, null);
});

test("Runs without cost become no cheaper by waiting", () => {
  for (const free of [{ weights: [] }, { expected: { ...request().expected, perRun: 0 } }])
    assert.doesNotMatch(
      planPower(request(free))
        .advice.map(({ text }) => text)
        .join(" "),
      /NaN|cheaper/u,
    );
});

test("A comparison has one curve, for the requested rounds", () => {
  const plan = planPower(
    request({ kind: "comparison", rules: 1, canShare: false, rounds: 5, sessions: null }),
  );
  assert.deepEqual(
    plan.curves.map(({ together, most }) => [together, most.rounds]),
    [[1, 5]],
  );
  assert.equal(plan.advice.length, 1);
});

test("Replayed runs, which cost nothing, and no tasks still give figures", () => {
  for (const odd of [
    request({ weights: [] }),
    request({ expected: { ...request().expected, perRun: 0, spread: 0 } }),
  ])
    for (const { points, most } of planPower(odd).curves)
      for (const { chances } of [...points, most])
        assert.ok(chances.every((chance) => chance >= 0 && chance <= 1));
});

const use = { perWeek: 25, weeks: 20, tokensPerSession: 60_000 };

test("It prices both grades, and says which of them pays", () => {
  const { worth, proof, advice } = planPower(request({ rules: 8, bar: 60, use, usdOfRound: 4 }));
  assert.ok(worth !== undefined && proof !== undefined);
  assert.deepEqual([worth.pays, proof.pays, worth.more], [true, false, 0]);
  assert.ok(proof.tokens > 5 * worth.tokens && proof.sessions > worth.sessions);
  assert.equal(worth.usd, 4 * worth.rounds);
  assert.match(
    advice[0] ?? "",
    /^Measuring pays for itself after about \d+ sessions \(\d+ days\)\. It takes about /u,
  );
  assert.match(advice[1] ?? "", /^Proof does not pay: only after about 1,\d+ sessions/u);
  // Twice the sessions pay in the same number of sessions at most, and in fewer days.
  const often = planPower(request({ rules: 8, bar: 60, use: { ...use, perWeek: 50 } })).worth;
  assert.ok(often !== undefined && often.days < worth.days && often.usd === null);
});

test("It advises against measuring what does not pay, and says with how many more rules it would", () => {
  const alone = planPower(request({ rules: 1, bar: 60, use }));
  assert.deepEqual([alone.worth?.pays, alone.worth?.more], [false, 2]);
  assert.match(
    alone.advice[0] ?? "",
    /^Measuring does not pay: .* With 2 more candidates it pays\. Assumed: 25 /u,
  );
  const rare = planPower(request({ rules: 1, bar: 60, use: { ...use, perWeek: 0.5 } }));
  assert.deepEqual([rare.worth?.pays, rare.worth?.more], [false, 0]);
  // Without a use, nothing is said of it.
  assert.equal(planPower(request({ rules: 8 })).worth, undefined);
});
