import assert from "node:assert/strict";
import { test } from "node:test";
import { findStalls } from "../../../../src/engine/ledger/anomalies/find.ts";
import { chainOf, minutes } from "../support/chains.ts";

const climbing = (count: number, output = 2) =>
  Array.from({ length: count }, (_, index) => ({
    cacheRead: 20_000 + 300 * index,
    cacheCreation5m: 300,
    output,
  }));
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `m${from + index}`);

test("Five responses in a row that carry more each time and produce nothing are a stall, listed with it", () => {
  const [stall, ...others] = findStalls(chainOf([...climbing(3, 400), ...climbing(8).slice(3)]));
  assert.deepEqual(others, []);
  assert.deepEqual(stall?.turns, ids(3, 8));
  assert.deepEqual([stall.id, stall.cause, stall.at], ["stall:s:m3", "stall", minutes(8)]);
  assert.deepEqual([stall.value, stall.usual], [5 * 302, null]);
});

test("It keeps its id while it continues, and ends when something is produced", () => {
  const longer = findStalls(
    chainOf([...climbing(9), ...climbing(10, 400).slice(9), ...climbing(12).slice(10)]),
  );
  assert.deepEqual(
    longer.map(({ id, turns }) => [id, turns.length]),
    [["stall:s:m0", 9]],
  );
});

test("A subagent's stall is named by the subagent", () => {
  assert.equal(findStalls(chainOf(climbing(5), { agentId: "a1", prompts: [] }))[0]?.id, "stall:s#a1:m0");
});

test("Responses with results, requested responses and responses with too few facts are not a stall", () => {
  const cases = {
    "four responses": chainOf(climbing(4)),
    "some output": chainOf(climbing(9, 11)),
    "tool calls": chainOf(climbing(9), { callers: new Set(ids(0, 9)) }),
    "a tool call between": chainOf(climbing(9), { callers: new Set(["m4"]) }),
    "a person's short questions": chainOf(climbing(20), {
      prompts: ids(0, 20).map((_, n) => minutes(n) + 5),
    }),
    "questions now and then": chainOf(climbing(8), { prompts: [0, minutes(4) + 1] }),
    "an input that does not climb": chainOf(climbing(9).map((step) => ({ ...step, cacheRead: 20_000 }))),
    "unknown times of prompts": chainOf(climbing(9), { prompts: null }),
    "unknown calls": chainOf(climbing(9), { callers: null }),
  };
  for (const [name, chain] of Object.entries(cases)) assert.deepEqual(findStalls(chain), [], name);
});
