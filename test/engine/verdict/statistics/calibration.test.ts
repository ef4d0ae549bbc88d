import { test } from "node:test";
import assert from "node:assert/strict";
import { seededRandom } from "../../support/seeded-random.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import type { RunSample, Verdict, VerdictKind } from "../../../../src/engine/verdict/verdict.ts";
import { atMost, makeRounds, question, type MadeRounds } from "../support/samples.ts";

// Seeded, so draws are the same everywhere. Each test states an error rate and enforces it, plus what noise explains (3.5
// standard errors of a binomial share).

type Shape = Omit<MadeRounds, "random" | "rounds">;

/** Judges after every round to the last, like a procedure that never gives up or stops. */
function look(
  seed: number,
  shape: Shape,
  rounds: number,
  seen: (verdict: Verdict, round: number) => boolean,
): boolean {
  const all = makeRounds({ ...shape, rounds, random: seededRandom(seed) });
  let samples: RunSample[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    samples = [...samples, ...all.filter((sample) => sample.round === round)];
    if (seen(judge(samples, question), round)) return true;
  }
  return false;
}

/** The verdicts of one simulation, each with the first round that showed it. */
function kindsShown(seed: number, shape: Shape, rounds: number): Map<VerdictKind, number> {
  const kinds = new Map<VerdictKind, number>();
  look(seed, shape, rounds, ({ kind }, round) => {
    if (!kinds.has(kind)) kinds.set(kind, round);
    return false;
  });
  return kinds;
}

function shareOf(draws: number, happens: (seed: number) => boolean): number {
  let count = 0;
  for (let draw = 0; draw < draws; draw += 1) if (happens(draw)) count += 1;
  return count / draws;
}

const shapes: readonly (Shape & { readonly name: string })[] = [
  { name: "as published of real runs", tasks: 5, spread: 0.25, astray: 0.05 },
  { name: "heavy tails: a quarter goes astray, widely", tasks: 4, spread: 0.5, astray: 0.25 },
  { name: "two tasks", tasks: 2, spread: 0.3, astray: 0.1 },
  { name: "many tasks", tasks: 16, spread: 0.3, astray: 0.05 },
  { name: "one run in four fails", tasks: 5, spread: 0.25, astray: 0.05, passes: [0.75, 0.75] },
];

for (const { name, ...shape } of shapes) {
  test(`A change without effect gets a false saving, cost or broken task within its error rate, over ten looks: ${name}`, () => {
    const draws = shape.tasks > 10 ? 100 : 250;
    const lives = Array.from({ length: draws }, (_, seed) => kindsShown(seed, shape, 10));
    const share = (last: number, ...kinds: readonly VerdictKind[]) =>
      lives.filter((shown) => kinds.some((kind) => (shown.get(kind) ?? Infinity) <= last)).length / draws;
    const [saves, costs] = [share(10, "saves", "cheaper-not-as-good"), share(10, "costs")];
    assert.ok(saves <= atMost(0.05, draws), `saves ${saves}`);
    assert.ok(costs <= atMost(0.05, draws), `costs ${costs}`);
    const breaks = share(8, "regression");
    assert.ok(breaks <= atMost(0.05, draws), `breaks ${breaks}`);
  });
}

for (const saves of [-0.2, 0, 0.1, 0.3])
  test(`The interval of the share covers the truth at every look as often as stated: ${saves * 100} % saved`, () => {
    const draws = 200;
    const missed = shareOf(draws, (seed) =>
      look(seed, { tasks: 5, spread: 0.3, astray: 0.06, saves }, 10, ({ savingShare }) =>
        savingShare === null ? false : savingShare.low > saves || savingShare.high < saves,
      ),
    );
    assert.ok(missed <= atMost(0.1, draws), String(missed));
  });

test("The interval in tokens covers the average saving", () => {
  const draws = 300;
  const shape = { tasks: 5, spread: 0.3, astray: 0.04, saves: 0.2 };
  const missed = shareOf(draws, (seed) => {
    const mean = (side: 0 | 1) => {
      const many = makeRounds({ ...shape, rounds: 60, random: seededRandom(seed) }).filter(
        (sample) => sample.side === side,
      );
      return many.reduce((sum, { tokens }) => sum + tokens, 0) / many.length;
    };
    // The first draws of a seed are the tasks' sizes: the same tasks run again with different luck.
    const truth = shape.saves * mean(0);
    const samples = makeRounds({ ...shape, rounds: 8, random: seededRandom(seed) });
    const saving = judge(samples, question).saving;
    return saving === null || saving.low > truth || saving.high < truth;
  });
  assert.ok(missed <= atMost(0.1, draws), String(missed));
});

test("A true saving of a fifth is mostly found in ten rounds, and one of a tenth often", () => {
  const found = (saves: number) =>
    shareOf(200, (seed) =>
      look(seed, { tasks: 5, spread: 0.25, astray: 0.03, saves }, 10, ({ kind }) => kind === "saves"),
    );
  const [fifth, tenth] = [found(0.2), found(0.1)];
  assert.ok(fifth > 0.8, String(fifth));
  assert.ok(tenth > 0.35, String(tenth));
});

test("A variant that always fails one task never wins, whatever it saves", () => {
  const won = shareOf(200, (seed) => {
    const samples = makeRounds({ tasks: 5, rounds: 10, saves: 0.4, random: seededRandom(seed) });
    const broken = samples.map((sample) =>
      sample.side === 1 && sample.taskId === "task-2" ? { ...sample, passed: false } : sample,
    );
    return [2, 4, 6, 8, 10].some(
      (rounds) =>
        judge(
          broken.filter(({ round }) => round <= rounds),
          question,
        ).kind === "saves",
    );
  });
  assert.equal(won, 0);
});
