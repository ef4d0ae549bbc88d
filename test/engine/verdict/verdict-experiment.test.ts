import { plainSentence } from "../../../src/engine/base/language.ts";
import { test } from "node:test";
import { assert } from "../support/assert-texts.ts";
import { seededRandom } from "../support/seeded-random.ts";
import {
  runExperiment,
  type ExperimentProgress,
  type ExperimentRequest,
  type RoundAnswer,
} from "../../../src/engine/verdict/measure-pair.ts";
import type { RunSample } from "../../../src/engine/verdict/verdict.ts";
import { makeRounds, question, steadyRounds } from "./support/samples.ts";

const request: ExperimentRequest = {
  question: { ...question, maxRounds: 8 },
  pooled: [],
  stored: [],
  expectedTokens: null,
};
const saving = steadyRounds(4, 30, [50_000, 40_000]);
const noise = makeRounds({ random: seededRandom(21), tasks: 4, rounds: 30 });
const roundOf = (all: readonly RunSample[], round: number) => all.filter((sample) => sample.round === round);

async function run(
  asked: Partial<ExperimentRequest>,
  answer: (round: number) => RoundAnswer,
  signal = new AbortController().signal,
) {
  const reported: ExperimentProgress[] = [];
  const rounds: number[] = [];
  const outcome = await runExperiment(
    { ...request, ...asked },
    {
      round: (round) => {
        rounds.push(round);
        return Promise.resolve(answer(round));
      },
      onProgress: (progress) => void reported.push(progress),
    },
    signal,
  );
  return { outcome, reported, rounds };
}
const made =
  (all: readonly RunSample[]) =>
  (round: number): RoundAnswer => ({ kind: "made", samples: roundOf(all, round) });

test("It stops as soon as it is decided, and judges after each round", async () => {
  const { outcome, reported: answer, rounds } = await run({}, made(saving));
  assert.deepEqual(outcome.end, { kind: "finished" });
  assert.equal(outcome.verdict.kind, "saves");
  assert.ok(rounds.length < 8);
  assert.deepEqual(
    rounds,
    answer.map((progress) => progress.rounds),
  );
  assert.ok(answer.slice(0, -1).every(({ verdict }) => verdict.stop === null));
});

test("It ends the same without a progress listener", async () => {
  for (const samples of [saving, noise]) {
    const { outcome } = await run({}, made(samples));
    const round = (number: number) => Promise.resolve(made(samples)(number));
    const unobserved = await runExperiment(request, { round }, new AbortController().signal);
    assert.deepEqual(unobserved, outcome);
  }
});

test("It ends at its last round", async () => {
  const { outcome, rounds } = await run(
    { question: { ...question, maxRounds: 3, plannedRounds: 20 } },
    made(noise),
  );
  assert.deepEqual(rounds, [1, 2, 3]);
  assert.equal(outcome.verdict.stop, "cap");
  assert.equal(outcome.verdict.kind, "undecided");
});

test("No round is begun that is expected to exceed the cap", async () => {
  const alike = steadyRounds(4, 30, [50_000, 50_000]);
  const ofRound = roundOf(alike, 1).reduce((sum, { tokens }) => sum + tokens, 0);
  const capped = { question: { ...question, tokenCap: 2.5 * ofRound } };
  const { outcome, rounds } = await run(capped, made(alike));
  assert.deepEqual(rounds, [1, 2]);
  assert.equal(outcome.verdict.stop, "cap");
  assert.equal(outcome.tokensSpent, 2 * ofRound);
  // Before the first round only its expected cost is known.
  const none = await run({ ...capped, expectedTokens: 3 * ofRound }, made(alike));
  assert.deepEqual(none.rounds, []);
  assert.equal(none.outcome.verdict.stop, "cap");
});

test("After an interruption it continues, and ends with the same result", async () => {
  const whole = await run({}, made(noise));
  const paused = await run({}, (round) =>
    round === 3 ? { kind: "paused", detail: plainSentence("quota") } : made(noise)(round),
  );
  assert.deepEqual(paused.outcome.end, { kind: "paused", detail: "quota" });
  assert.equal(paused.outcome.rounds, 2);
  const rest = await run({ stored: paused.outcome.samples }, made(noise));
  assert.equal(rest.rounds[0], 3);
  assert.deepEqual(rest.outcome, whole.outcome);
});

test("A stored experiment that was decided runs no round", async () => {
  const whole = await run({}, made(saving));
  const again = await run({ stored: whole.outcome.samples }, made(saving));
  assert.deepEqual(again.rounds, []);
  assert.deepEqual(again.outcome, whole.outcome);
});

test("Earlier evidence counts, but at least one round of its own is made", async () => {
  const { outcome, rounds } = await run({ pooled: saving.filter(({ round }) => round <= 10) }, made(saving));
  assert.deepEqual(rounds, [1]);
  assert.equal(outcome.pooledRounds, 10);
  assert.equal(outcome.verdict.rounds, 11);
  assert.equal(outcome.tokensSpent, 4 * 90_000);
});

test("It can be cancelled before it began, and during a round", async () => {
  const { outcome, rounds } = await run({}, made(saving), AbortSignal.abort());
  assert.deepEqual([outcome.end.kind, rounds], ["cancelled", []]);
  const meanwhile = await run({}, (round) => (round === 2 ? { kind: "cancelled" } : made(noise)(round)));
  assert.deepEqual([meanwhile.outcome.end.kind, meanwhile.outcome.rounds], ["cancelled", 1]);
});

test("A round without any measurement pauses it, so that it does not continue forever", async () => {
  const { outcome, rounds } = await run({}, () => ({ kind: "made", samples: [] }));
  assert.equal(outcome.end.kind, "paused");
  assert.deepEqual(rounds, [1]);
});

test("It forecasts the rounds to a decision", async () => {
  const { reported: answer } = await run(
    {},
    made(makeRounds({ random: seededRandom(12), tasks: 6, rounds: 8, saves: 0.15, astray: 0 })),
  );
  const [first] = answer;
  assert.ok(first?.tokensToDecision !== null && first?.tokensToDecision !== undefined);
  assert.equal(first.tokensToDecision, (first.verdict.moreRounds ?? NaN) * first.tokensSpent);
});
