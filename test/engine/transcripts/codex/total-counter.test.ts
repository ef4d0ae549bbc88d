import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { addUsage, noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { accountOf } from "./live/account-of.ts";
import {
  count,
  idAt,
  meta,
  readLines,
  response,
  row,
  tokensOf,
  vector,
  type Vector,
} from "./rollout-rows.ts";

const id = idAt(0);
const head = meta(0, { id });
const one = vector(1000, 400, 50);

/** The sum of uncached input, cache reads and output, the same in both readers. */
function sumOf(lines: readonly string[]): string {
  const usage = readLines(lines)
    .records.map((record) => record.usage)
    .reduce(addUsage, noUsage);
  assert.deepEqual(accountOf(lines).own.usage(), usage, "read live");
  const { input, cacheRead, output } = usage;
  return `${input} ${cacheRead} ${output}`;
}

function plus(total: Vector, added: Vector, times = 1): Vector {
  return vector(
    total.input_tokens + times * added.input_tokens,
    total.cached_input_tokens + times * added.cached_input_tokens,
    total.output_tokens + times * added.output_tokens,
  );
}

describe("totals that disagree with a response's own usage", () => {
  const none = vector(0, 0, 0);

  it("count nothing when two totals alternate", () => {
    const far = vector(80_000_000, 70_000_000, 100_000);
    const other = vector(2000, 1500, 20);
    const lines = [1, 2, 3, 4].flatMap((index) => [
      count(index, plus(none, one, index), one, { rate_limits: { limit_id: "codex" } }),
      count(index, plus(far, other, index), other, { rate_limits: { limit_id: "codex_other" } }),
    ]);
    assert.equal(sumOf([head, ...lines]), "4400 7600 280");
  });

  it("count nothing when an older one is written again, with its own last usage or the latest", () => {
    const usages = [one, vector(1100, 500, 60), vector(1200, 600, 70), vector(1300, 700, 80)];
    const totals = usages.map((_, index) =>
      usages.slice(0, index + 1).reduce((all, each) => plus(all, each), none),
    );
    const at = (index: number, last = usages[index]) => count(index, totals[index] ?? none, last ?? null);
    for (const again of [at(1), at(1, usages[2]), at(0, usages[2]), count(9, totals[1] ?? none)])
      assert.equal(sumOf([head, at(0), at(1), at(2), again, at(3), again]), "2400 2200 260");
  });

  it("count nothing when a session begins with the total of the session that it continues", () => {
    const lines = [count(1, plus(none, one, 3), one), count(2, plus(none, one, 4), one)];
    assert.equal(sumOf([head, ...lines]), "1200 800 100");
    const isEstimate = { ...none, total_tokens: 9000 };
    assert.equal(sumOf([head, count(0, plus(none, one, 2), isEstimate), ...lines]), "1200 800 100");
  });

  it("count again after they restarted, also with the figures of an earlier response", () => {
    const says = (second: number, type: string) => row(second, "event_msg", { type, message: "Said." });
    const calls = (second: number) =>
      row(second, "response_item", {
        type: "function_call",
        name: "exec_command",
        call_id: "c",
        arguments: "{}",
      });
    const two = plus(one, one);
    const first = [head, says(0, "user_message"), says(1, "agent_message"), count(2, one, one)];
    assert.equal(
      sumOf([...first, says(3, "user_message"), says(4, "agent_message"), count(5, one, one)]),
      "1200 800 100",
    );
    assert.equal(sumOf([...first, says(3, "task_started"), calls(4), count(5, one, one)]), "1200 800 100");
    const grown = [...first, count(3, two, one)];
    assert.equal(
      sumOf([...grown, says(4, "user_message"), count(5, one, one), count(6, two, one)]),
      "2400 1600 200",
    );
    const refreshed = [...first, says(3, "user_message"), count(4, one, one), says(5, "agent_message")];
    assert.equal(
      sumOf([...refreshed, count(6, two, one)]),
      "1200 800 100",
      "repeated before the model answers",
    );
    assert.equal(
      sumOf([...first, says(3, "agent_message"), count(4, one, one)]),
      "600 400 50",
      "without a prompt",
    );
  });

  it("count what their growth explains, when a line has no usage of its own", () => {
    const far = vector(80_000_000, 70_000_000, 100_000);
    const lines = [
      count(1, one),
      count(2, far),
      count(3, plus(one, one)),
      count(4, plus(far, one)),
      count(5, one),
      count(6, plus(one, one, 2)),
    ];
    assert.equal(sumOf([head, ...lines]), "2400 1600 200");
  });

  it("count the same total once per counter, each with the usage that leads to it", () => {
    const double = vector(2000, 800, 100);
    assert.equal(
      sumOf([head, count(1, one, one), count(2, double, double), count(3, double, one)]),
      "2400 1600 200",
    );
  });

  it("are not read where responses have records", () => {
    const lines = [response(1, id, "r1", one), count(1, vector(9000, 0, 900), vector(7000, 0, 700))];
    assert.deepEqual(tokensOf(readLines([head, ...lines]).records), ["600 400 50"]);
  });

  it("are named as the source, and reported as they were written", () => {
    const { records } = readLines([head, count(1, one, one), count(2, plus(one, one, 2))]);
    assert.deepEqual(
      records.map(({ countedBy, raw }) => [countedBy, raw["input_tokens"]]),
      [
        ["last-usage", 1000],
        ["growth", 3000],
      ],
    );
  });
});

describe("any rollout with lines that have a response's own usage", () => {
  const step = fc.record({
    counter: fc.nat(2),
    last: fc
      .tuple(fc.integer({ min: 1, max: 9000 }), fc.nat(9000), fc.integer({ min: 1, max: 900 }))
      .map(([input, cached, output]) => vector(input + cached, cached, output)),
    /** The line that is repeated after this one; undefined if there is none. */
    again: fc.option(fc.nat(30), { nil: undefined }),
  });

  it("is the sum of those, whatever its totals do", () => {
    const begin = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.tuple(begin, begin, begin), (steps, begins) => {
        // Offsets by counter, so that no two totals are the same by chance.
        const totals = begins.map((at, index) => vector(at * 3 + index, at, 0));
        const written: string[] = [];
        for (const [index, { counter, last, again }] of steps.entries()) {
          const total = plus(totals[counter] ?? one, last);
          totals[counter] = total;
          written.push(count(index, total, last, { rate_limits: { limit_id: `lane${counter}` } }));
          const repeated = written[again ?? -1];
          if (repeated !== undefined) written.push(repeated);
        }
        const right = steps.reduce((sum, { last }) => plus(sum, last), vector(0, 0, 0));
        assert.equal(
          sumOf([head, ...written]),
          `${right.input_tokens - right.cached_input_tokens} ${right.cached_input_tokens} ${right.output_tokens}`,
        );
      }),
    );
  });
});
