import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { WorkSession } from "../../../../src/engine/ledger/rule-questions.ts";
import { workNoise } from "../../../../src/engine/rules/trial.ts";
import { seededRandom } from "../../support/seeded-random.ts";

interface World {
  readonly sessions?: number;
  /** Standard deviation between sessions. */
  readonly between?: number;
  /** Factor by which every twelfth session takes more. */
  readonly astray?: number;
  /** Standard deviation between projects. */
  readonly projects?: number;
}

function made({ sessions = 200, between = 0.25, astray = 0, projects = 0 }: World, seed = 1): WorkSession[] {
  const random = seededRandom(seed);
  const levels = Array.from({ length: 4 }, () => projects * random.normal());
  return Array.from({ length: sessions }, (_, index): WorkSession => {
    const project = random.below(4);
    const completed = 5 + random.below(16);
    return {
      program: "claude-code",
      cwd: `/p${project}`,
      branch: random.next() < 0.5 ? "main" : "fix",
      firstAt: index * 3_600_000,
      promptChars: 20 + random.below(1000),
      completed,
      meanLog:
        10 +
        (levels[project] ?? 0) +
        between * random.normal() +
        (0.9 / Math.sqrt(completed)) * random.normal() +
        (index % 12 === 5 ? astray : 0),
      squares: 0.81 * (completed - 1),
    };
  });
}

/** For a session of usual weight: the variation between sessions, and between their prompts. */
const truth = Math.hypot(0.25, 0.9 / Math.sqrt(11.5));

test("The noise of sessions is found despite project effects and outliers", () => {
  for (const seed of [1, 2, 3])
    for (const world of [{}, { projects: 1.5 }, { astray: 6 }]) {
      const noise = workNoise(made(world, seed));
      assert.ok(noise?.sessions === 200);
      assert.ok(Math.abs(noise.value / truth - 1) < 0.2, `${JSON.stringify(world)}: ${noise.value}`);
    }
});

test("Twenty sessions give about the same result, fewer give none", () => {
  const values = Array.from(
    { length: 40 },
    (_, seed) => workNoise(made({ sessions: 20, projects: 1 }, seed))?.value ?? 0,
  );
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(mean / truth - 1) < 0.25, `in the mean ${mean} of ${truth}`);
  assert.equal(workNoise(made({ sessions: 19 })), null);
});

test("A common factor and the order of sessions change nothing", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.double({ min: -5, max: 5, noNaN: true }),
      (seed, more) => {
        const sessions = made({ sessions: 40 }, seed);
        const noise = workNoise(sessions)?.value ?? 0;
        const shifted = sessions.map((each) => ({ ...each, meanLog: each.meanLog + more }));
        assert.ok(Math.abs((workNoise(shifted)?.value ?? 0) - noise) < 1e-6);
        assert.ok(Math.abs((workNoise(sessions.toReversed())?.value ?? 0) - noise) < 1e-6);
      },
    ),
    { numRuns: 20 },
  );
});
