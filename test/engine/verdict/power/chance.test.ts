import assert from "node:assert/strict";
import { test } from "node:test";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import { orthogonalRows, samplesOf, type JointRun } from "../../../../src/engine/verdict/orthogonal-rows.ts";
import { chances, type Runs } from "../../../../src/engine/verdict/power/chance.ts";
import {
  patientBoundaries,
  patientSpending,
  crossedAbove,
} from "../../../../src/engine/verdict/statistics/boundaries.ts";
import { jointQuestion, usualQuestion } from "../../../../src/engine/verdict/verdict.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const usual: Runs = { noise: 0.3, passShare: 0.93, tasks: 4 };

function chance(share: number, { runs = usual, together = 1, rounds = Infinity, barShare = 0 } = {}): number {
  const question = jointQuestion("candidate", 0, { count: together, affordable: null });
  const all = chances(share, runs, { barShare, question, together });
  return all[Math.min(rounds, all.length) - 1] ?? 0;
}

test("A sum without drift passes the boundaries as often as they are made for", () => {
  const planned = 11;
  const boundaries = patientBoundaries(0.05, planned);
  const looks = Array.from({ length: 11 }, (_, index) => {
    return { upper: boundaries.at(index + 1) * Math.sqrt(index + 1), lower: -Infinity };
  });
  const spending = patientSpending(0.05, planned);
  for (const [index, crossed] of crossedAbove(looks).entries())
    assert.ok(Math.abs(crossed - spending(index + 1)) < 1e-5, `look ${index + 1}`);
});

test("A drifting sum crosses moving bounds as often as simulated ones", () => {
  const looks = Array.from({ length: 14 }, (_, index) => {
    const look = index + 1;
    const mean = 0.35 * look;
    return {
      upper: (look < 3 ? Infinity : patientBoundaries(0.05, 11).at(look) * Math.sqrt(look)) - mean,
      lower: look < 6 ? -Infinity : -1.2 * Math.sqrt(look) + 0.02 * look,
    };
  });
  const computed = crossedAbove(looks);
  const draws = 20_000;
  const random = seededRandom(871);
  const counts = looks.map(() => 0);
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const [index, { upper, lower }] of looks.entries()) {
      sum += random.normal();
      if (sum >= upper) {
        for (let later = index; later < looks.length; later += 1) counts[later] = (counts[later] ?? 0) + 1;
        break;
      }
      if (sum <= lower) break;
    }
  }
  for (const [index, count] of counts.entries()) {
    const share = computed[index] ?? 0;
    const error = 3.5 * Math.sqrt(Math.max(1e-4, share * (1 - share)) / draws);
    assert.ok(Math.abs(count / draws - share) < error, `look ${index + 1}: ${count / draws}, ${share}`);
  }
});

test("Nothing crosses after all sums have ended", () => {
  assert.deepEqual(
    crossedAbove([
      { upper: -20, lower: -30 },
      { upper: 0, lower: -1 },
    ]),
    [1, 1],
  );
  const [first, second] = crossedAbove([
    { upper: 30, lower: 20 },
    { upper: -5, lower: -9 },
  ]);
  assert.ok((first ?? 1) < 1e-9 && second === first);
});

test("The chance rises with the saving, with rounds and with rules together, and falls with noise and with a bar", () => {
  for (const rounds of [3, 6, 11]) {
    assert.ok(
      chance(0.2, { rounds }) > chance(0.1, { rounds }) && chance(0.1, { rounds }) > chance(0.05, { rounds }),
    );
    assert.ok(chance(0.2, { rounds }) < chance(0.2, { rounds: rounds + 3 }) || rounds === 11);
    const noisy = { ...usual, noise: 0.5 };
    assert.ok(chance(0.2, { rounds, runs: noisy }) < chance(0.2, { rounds }));
    assert.ok(chance(0.2, { rounds, barShare: 0.05 }) < chance(0.2, { rounds }));
  }
  assert.ok(chance(0.1, { together: 3 }) > chance(0.1) + 0.1);
  assert.ok(chance(0.1, { together: 8 }) > chance(0.1, { together: 3 }) + 0.15);
  assert.ok(chance(0) < 0.05);
  assert.ok(chance(0.2, { runs: { ...usual, passShare: 0.5 } }) < chance(0.2));
  assert.ok(chance(0.2, { runs: { ...usual, tasks: 8 } }) > chance(0.2));
});

test("Runs that all cost the same, or all pass, still give figures", () => {
  for (const runs of [
    { ...usual, noise: 0 },
    { ...usual, passShare: 1 },
    { ...usual, passShare: 0 },
    { ...usual, tasks: 1 },
  ]) {
    const value = chance(0.2, { runs });
    assert.ok(value >= 0 && value <= 1, JSON.stringify(runs));
  }
  assert.ok(chance(0.2, { runs: { ...usual, noise: 0 } }) > 0.9);
});

/**
 * Rounds of log-normal runs of rules together; the first saves. Returns the share of simulations in which it was shown
 * by the last round.
 */
function simulated(
  saves: number,
  { noise, passShare, tasks }: Runs,
  asked: { together: number; lives: number; seed: number },
): number {
  const { together, lives } = asked;
  const random = seededRandom(asked.seed);
  const question =
    together === 1
      ? usualQuestion("candidate", 0, null)
      : jointQuestion("candidate", 0, { count: together, affordable: null });
  const rows = orthogonalRows(together);
  const ids = Array.from({ length: together }, (_, index) => `rule-${index}`);
  let shown = 0;
  for (let life = 0; life < lives; life += 1) {
    const runs: JointRun[] = [];
    const sizes = Array.from({ length: tasks }, () => 50_000 * Math.exp(0.3 * random.normal()));
    for (let round = 1; round <= question.maxRounds; round += 1) {
      for (const [task, size] of sizes.entries()) {
        const row = rows[Math.floor(random.next() * rows.length)] ?? [];
        const flip = random.next() < 0.5 ? 1 : -1;
        for (const side of [1, -1]) {
          const rules = ids.filter((_, index) => (row[index] ?? 1) * side * flip === 1);
          const factor = rules.includes("rule-0") ? 1 - saves : 1;
          const tokens = Math.round(size * factor * Math.exp(noise * random.normal()));
          runs.push({
            taskId: `task-${task}`,
            weight: 1,
            round,
            tokens,
            passed: random.next() < passShare,
            rules,
          });
        }
      }
      const { kind, stop } = judge(samplesOf("rule-0", runs), question);
      if (stop === null) continue;
      shown += Number(kind === "saves");
      break;
    }
  }
  return shown / lives;
}

test("It agrees with the verdict on simulated runs", () => {
  for (const [saves, noise, together, lives, seed] of [
    [0.2, 0.3, 1, 150, 11],
    [0.1, 0.3, 1, 150, 12],
    [0.2, 0.5, 1, 150, 13],
    [0.1, 0.3, 4, 60, 14],
  ] as const) {
    const runs = { ...usual, noise };
    const found = simulated(saves, runs, { together, lives, seed });
    const computed = chance(saves, { runs, together });
    const error = 3 * Math.sqrt((computed * (1 - computed)) / lives);
    assert.ok(
      Math.abs(found - computed) < error + 0.08,
      `${saves} ${noise} ${together}: ${found}, ${computed}`,
    );
  }
});
