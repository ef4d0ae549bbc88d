import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../support/seeded-random.ts";
import { judge } from "../../../src/engine/verdict/judge.ts";
import type { Interval, Question, RunSample, Verdict } from "../../../src/engine/verdict/verdict.ts";
import { makeRounds, question } from "./support/samples.ts";

const hostileSample: fc.Arbitrary<RunSample> = fc.record({
  taskId: fc.constantFrom("a", "b", "c", "__proto__", ""),
  weight: fc.oneof(fc.constantFrom(1, 2, 0, -1, NaN, Infinity, 1e-300), fc.double({ min: 0.1, max: 9 })),
  side: fc.constantFrom(0 as const, 1 as const),
  round: fc.integer({ min: -2, max: 6 }),
  tokens: fc.oneof(
    fc.constantFrom(0, 1, NaN, -7, Infinity, 1e300, 5e-324, Number.MAX_SAFE_INTEGER),
    fc.nat(200_000),
  ),
  passed: fc.boolean(),
});

const anyQuestion: fc.Arbitrary<Question> = fc.record({
  bar: fc.constantFrom(0, 54, 1000, 1e9, -20),
  alpha: fc.constantFrom(0.05, 0.01, 0.2),
  maxRounds: fc.integer({ min: 0, max: 12 }),
  tokenCap: fc.constantFrom(null, 0, 500_000),
  kind: fc.constantFrom("candidate" as const, "re-audit" as const, "comparison" as const),
});

const contexts = fc.record({
  seed: fc.nat(),
  tasks: fc.integer({ min: 2, max: 6 }),
  rounds: fc.integer({ min: 1, max: 8 }),
  saves: fc.constantFrom(-0.2, 0, 0.1, 0.4),
  passes: fc.constantFrom([1, 1] as const, [0.9, 0.7] as const),
});
type World = Parameters<typeof makeRounds>[0];
const samplesOf = ({ seed, ...made }: { seed: number } & Omit<World, "random">) =>
  makeRounds({ ...made, random: seededRandom(seed) });

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function near(one: unknown, other: unknown): boolean {
  const [first, second] = [numbersIn(one), numbersIn(other)];
  return (
    first.length === second.length &&
    first.every((value, index) => {
      const beside = second[index] ?? NaN;
      return Math.abs(value - beside) <= 1e-6 * Math.max(1, Math.abs(value));
    })
  );
}

test("Whatever the input, every number of a verdict is finite, and every interval holds its value", () => {
  fc.assert(
    fc.property(fc.array(hostileSample, { maxLength: 60 }), anyQuestion, (samples, asked) => {
      const verdict = judge(samples, asked);
      for (const value of numbersIn(verdict)) assert.ok(Number.isFinite(value), JSON.stringify(verdict));
      assert.doesNotMatch(verdict.reason.text, /NaN|undefined|Infinity|null/u);
      const holds = (interval: Interval | null) =>
        assert.ok(interval === null || (interval.low <= interval.value && interval.value <= interval.high));
      holds(verdict.saving);
      holds(verdict.savingShare);
      holds(verdict.passedDifference);
      for (const { saving } of verdict.tasks) holds(saving);
      if (verdict.kind === "saves") assert.ok((verdict.saving?.low ?? -1) >= asked.bar * (1 - 1e-6));
      if (verdict.kind === "costs") assert.ok((verdict.saving?.high ?? 1) <= 0);
    }),
    { numRuns: 300 },
  );
});

test("The order of samples changes nothing", () => {
  fc.assert(
    fc.property(contexts, fc.nat(), (context, seed) => {
      const samples = samplesOf(context);
      const other = seededRandom(seed).shuffled(samples);
      assert.deepEqual(judge(other, question), judge(samples, question));
    }),
    { numRuns: 40 },
  );
});

test("The names of tasks change nothing but the names", () => {
  fc.assert(
    fc.property(contexts, (context) => {
      const samples = samplesOf(context);
      const renamed = samples.map((sample) => ({
        ...sample,
        taskId: `z${9 - Number(sample.taskId.slice(5))}`,
      }));
      const figuresOf = (verdict: Verdict) => ({ ...verdict, tasks: [] });
      const [one, other] = [judge(samples, question), judge(renamed, question)];
      assert.deepEqual([one.kind, one.stop, one.reason], [other.kind, other.stop, other.reason]);
      assert.ok(near(figuresOf(one), figuresOf(other)));
      assert.ok(near(one.tasks, other.tasks.toReversed()));
    }),
    { numRuns: 40 },
  );
});

test("Tokens counted in another unit give the same verdict and share, and a saving in that unit", () => {
  fc.assert(
    fc.property(contexts, fc.constantFrom(0.125, 8, 1024), (context, factor) => {
      const samples = samplesOf(context);
      const scaled = samples.map((sample) => ({ ...sample, tokens: sample.tokens * factor }));
      const [one, other] = [
        judge(samples, { ...question, bar: 64 }),
        judge(scaled, { ...question, bar: 64 * factor }),
      ];
      assert.deepEqual([one.kind, one.stop, one.moreRounds], [other.kind, other.stop, other.moreRounds]);
      assert.ok(near(one.savingShare, other.savingShare));
      assert.ok(near((one.saving?.value ?? 0) * factor, other.saving?.value ?? 0));
      assert.ok(near(one.passed, other.passed));
    }),
    { numRuns: 40 },
  );
});

test("With swapped sides, a saving becomes a cost, and the pass rates are swapped too", () => {
  fc.assert(
    fc.property(contexts, (context) => {
      const samples = samplesOf(context);
      const swapped = samples.map((sample) => ({
        ...sample,
        side: sample.side === 0 ? (1 as const) : (0 as const),
      }));
      const [one, other] = [judge(samples, question), judge(swapped, question)];
      assert.ok(near(one.passed, other.passed.toReversed()));
      const share = one.savingShare;
      const turned = other.savingShare;
      if (share === null || turned === null) assert.equal(share, turned);
      else assert.ok(near(1 - share.low, 1 / (1 - turned.high)));
    }),
    { numRuns: 40 },
  );
});
