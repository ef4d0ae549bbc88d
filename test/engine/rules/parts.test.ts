import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { cellKey, scheduleOf } from "../../../src/engine/bench/execute/schedule.ts";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { firstRounds, rulesToMeasure, selectRules } from "../../../src/engine/rules/selection.ts";
import { rule } from "./support/support.ts";
import { approved, suite, World } from "./support/world.ts";

const never = new AbortController().signal;
const taskIds = suite.tasks.map(({ id }) => id);
const effect = (memory: string) => ({
  factor: (memory.includes("Rule 0") ? 0.6 : 1) * (memory.includes("Rule 1") ? 1.3 : 1),
  breaks: false,
});
const waiting = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...approved(`r${index}`, `Rule ${index}.`),
    decidedAt: index,
  }));
const active = rule({ id: "a1", sentence: "An active one.", status: "active", saving: 9 });

/** The rounds before the first look, as each machine finds them by itself. */
function partsOf(count: number, draw: { readonly seed: number; readonly rounds: number | null }) {
  const context = new World([...waiting(count), active], effect);
  context.seed = draw.seed;
  const request = context.request({ draw, seed: draw.seed, audits: 0, id: `select-1.s${draw.seed}` });
  const first = firstRounds(request, rulesToMeasure(request));
  assert.ok(first !== null);
  return { context, request, first };
}

test("Parts of a selection add up to the whole: the same runs, none twice, the same receipts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 5 }),
      async (count, seed, rounds, of) => {
        const draw = { seed, rounds };
        const { context, request, first } = partsOf(count, draw);
        const asked = { suite, taskIds, seed, ...first, runs: first.rounds };
        const whole = scheduleOf({ ...asked, shard: null }).map(cellKey);
        const stored = new Map<string, BenchRun[]>();
        const parts = Array.from({ length: of }, (_, index) => {
          const own = partsOf(count, draw);
          assert.deepEqual(own.first, first, "every machine finds the same runs");
          const cells = scheduleOf({ ...asked, ...own.first, shard: { index: index + 1, of } });
          for (const cell of cells) stored.set(cellKey(cell), own.context.runsOf(first, [cell]));
          return cells;
        });
        const all = parts.flat().map(cellKey);
        assert.deepEqual(all.toSorted(), whole.toSorted());
        assert.equal(new Set(all).size, all.length);
        for (const cells of parts) {
          const pairs = new Map<string, number>();
          for (const { round, taskId } of cells)
            pairs.set(`${round}:${taskId}`, (pairs.get(`${round}:${taskId}`) ?? 0) + 1);
          assert.ok(
            [...pairs.values()].every((sides) => sides === 2),
            "a pair is on one machine",
          );
        }

        const alone = await selectRules(request, context.ports({ now: () => 9 }), never);
        const joined = new World(
          context.rules.map((each) => ({ ...each, status: each.id === "a1" ? "active" : "approved" })),
          effect,
        );
        joined.seed = seed;
        let fromParts = 0;
        const ports = joined.ports({ now: () => 9 });
        const together = await selectRules(
          request,
          {
            ...ports,
            round: async (bench, round, signal) => {
              if (bench.benchId !== first.benchId || round > first.rounds)
                return await ports.round(bench, round, signal);
              fromParts += 1;
              const cells = scheduleOf({ ...asked, runs: round, shard: null }).filter(
                (cell) => cell.round === round,
              );
              return { kind: "made", runs: cells.flatMap((cell) => stored.get(cellKey(cell)) ?? []) };
            },
          },
          never,
        );
        assert.equal(fromParts, first.rounds, "all that was made is judged");
        assert.deepEqual(
          together.settled.map(({ receipt }) => receipt),
          alone.settled.map(({ receipt }) => receipt),
        );
        for (const { receipt } of together.settled) {
          assert.equal(receipt.question.firstLook, first.rounds);
          assert.ok(receipt.verdict.rounds >= first.rounds);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test("By default, half of the planned rounds precede the first look; another seed makes other runs", () => {
  const one = partsOf(8, { seed: 7, rounds: null }).first;
  assert.deepEqual([one.rounds, one.rules.length], [22, 8]);
  const other = partsOf(8, { seed: 8, rounds: null }).first;
  assert.notEqual(one.benchId, other.benchId);
  assert.equal(partsOf(1, { seed: 7, rounds: null }).first.rounds, 6);
});
