import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findCacheFalls } from "../../../../src/engine/ledger/anomalies/cache-falls.ts";
import { chainOf, minutes, type Step } from "../support/chains.ts";

const good: Step = { cacheRead: 38_000, cacheCreation5m: 2000 };
const bad: Step = { cacheRead: 8000, cacheCreation5m: 32_000 };
const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

test("A share of cache reads that falls and stays low is found once, with the responses that read little", () => {
  const steps = [...times(8, good), ...times(7, bad), ...times(10, good)];
  const [fall, ...others] = findCacheFalls(chainOf(steps));
  assert.deepEqual(others, []);
  assert.deepEqual(fall?.turns, ["m8", "m9", "m10", "m11", "m12", "m13", "m14"]);
  assert.deepEqual([fall.id, fall.at], ["cache-fall:s:m8", minutes(15)]);
  assert.deepEqual([fall.value, fall.usual], [0.2, 0.95]);
});

test("A fall stays the same while it continues, and is a new one after the cache worked again", () => {
  const steps = [...times(8, good), ...times(6, bad), ...times(9, good), ...times(6, bad)];
  const found = (count: number) => findCacheFalls(chainOf(steps.slice(0, count))).map(({ id }) => id);
  assert.deepEqual(found(12), []);
  assert.deepEqual(found(13), ["cache-fall:s:m8"]);
  assert.deepEqual(found(23), ["cache-fall:s:m8"]);
  assert.deepEqual(found(29), ["cache-fall:s:m8", "cache-fall:s:m23"]);
});

test("A fall with an explanation is not reported", () => {
  const before = times(8, good);
  const small = { cacheRead: 500, cacheCreation5m: 4000 };
  const cases = {
    "too few": chainOf([...before, ...times(4, bad)]),
    "too few before": chainOf([...times(5, good), ...times(9, bad)]),
    "a share that never was high": chainOf(times(30, { cacheRead: 25_000, cacheCreation5m: 15_000 })),
    "a cache that never was": chainOf(times(30, { input: 40_000 })),
    "one miss": chainOf([...before, bad, ...times(9, good)]),
    "a compaction": chainOf([...before, ...times(6, bad)], { compactions: [minutes(8.5)] }),
    "another model": chainOf([...before, ...times(6, { ...bad, model: "claude-haiku-4-5" })]),
    "two models in turn": chainOf(
      [...before, bad, ...times(9, bad)].map((step, n) => (n < 9 ? step : { ...step, model: `m-${n % 2}` })),
    ),
    "a prompt that was rewritten": chainOf([
      ...before,
      ...times(6, { cacheRead: 6000, cacheCreation5m: 24_000 }),
    ]),
    "long pauses": chainOf([...before, ...times(9, { ...bad, after: 6 })]),
    "small prompts": chainOf([...times(8, small), ...times(8, { input: 5000 })]),
  };
  for (const [name, chain] of Object.entries(cases)) assert.deepEqual(findCacheFalls(chain), [], name);
});

test("With a one-hour cache, pauses of some minutes explain nothing", () => {
  const long: Step = { cacheRead: 38_000, cacheCreation1h: 2000 };
  const chain = chainOf([...times(8, long), ...times(5, { ...bad, after: 6 })]);
  assert.equal(findCacheFalls(chain).length, 1);
  assert.deepEqual(findCacheFalls(chainOf([...times(8, long), ...times(5, { ...bad, after: 61 })])), []);
});

test("A working cache never falls, whatever the way of working", () => {
  const turn = fc.record({
    grown: fc.oneof(fc.nat(3000), fc.nat(60_000)),
    after: fc.oneof({ weight: 8, arbitrary: fc.double({ min: 0.05, max: 4, noNaN: true }) }, fc.constant(90)),
    isOther: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.boolean()),
    isCompacted: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.boolean()),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 10, maxLength: 120 }), (turns) => {
      const [steps, compactions] = conversation(turns);
      assert.deepEqual(findCacheFalls(chainOf(steps, { compactions })), []);
    }),
    { numRuns: 300 },
  );
});

interface Turn {
  readonly grown: number;
  /** Minutes. */
  readonly after: number;
  readonly isOther: boolean;
  readonly isCompacted: boolean;
}

/** Turns with a five-minute cache: everything earlier is read from the cache, unless something invalidated it. */
function conversation(turns: readonly Turn[]): [Step[], number[]] {
  const compactions: number[] = [];
  let [held, now, isFirst] = [15_000, 0, true];
  const steps = turns.map(({ grown, after, isOther, isCompacted }, index): Step => {
    const isNew = isCompacted || held + grown > 900_000;
    if (isNew) compactions.push(minutes(now + after / 2));
    now += after;
    const [before, size] = isNew ? [0, 20_000 + grown] : [held, held + grown];
    const isRead = !isFirst && !isNew && !isOther && after <= 5;
    held = size;
    isFirst = false;
    const cacheRead = isRead ? before : 0;
    return { after, cacheRead, cacheCreation5m: size - cacheRead, model: isOther ? `other-${index}` : "one" };
  });
  return [steps, compactions];
}
