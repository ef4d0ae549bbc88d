import test from "node:test";
import { costlyRuns } from "../../../src/engine/rules/distil/costly-runs.ts";
import { estimatedTokens, rentOf } from "../../../src/engine/rules/rent.ts";
import { assert } from "../support/assert-texts.ts";

const basis = { charactersPerToken: [], prefixTokens: 0, cachedAtStart: [], conversationsPerChange: 20 };
const text = "Read a file once and work from what you saw, unless it changed.";

test("Rent is an estimate of the rule's own tokens, and grows with the rule", () => {
  const rent = rentOf(text, basis);
  assert.ok(rent.own >= 10 && rent.own <= 25, String(rent.own));
  assert.equal(rent.total, rent.own);
  assert.ok(rentOf(text + text, basis).own > rent.own);
  assert.equal(rent.provenance, "estimated");
});

test("The ledger's requests calibrate it, if there are enough and within reason", () => {
  const plain = rentOf(text, basis).own;
  const dense = rentOf(text, { ...basis, charactersPerToken: Array.from({ length: 10 }, () => 3) });
  assert.equal(dense.own, Math.round((plain * 4) / 3));
  assert.match(dense.because.text, /calibrated with 10 requests/u);
  assert.equal(rentOf(text, { ...basis, charactersPerToken: [3, 3] }).own, plain);
  assert.ok(
    rentOf(text, { ...basis, charactersPerToken: Array.from({ length: 10 }, () => 0.01) }).own < 2 * plain,
  );
});

test("Any text is estimated by the same scale, with an explanation", () => {
  const plain = estimatedTokens(text, []);
  assert.equal(plain.how, "counted by words");
  const dense = estimatedTokens(
    text,
    Array.from({ length: 10 }, () => 2.5),
  );
  assert.ok(Math.abs(dense.tokens - plain.tokens * 1.6) <= 1);
  assert.match(dense.how.text, /calibrated with 10 requests/u);
  assert.equal(estimatedTokens("", []).tokens, 0);
});

test("A changed memory has the prompt cache written again: shared by the conversations until the next change", () => {
  const own = rentOf(text, basis).own;
  assert.equal(rentOf(text, { ...basis, prefixTokens: 2000 }).total, own + 100);
  assert.equal(rentOf(text, { ...basis, prefixTokens: 2000, cachedAtStart: [400] }).total, own + 20);
});

test("A costly run took more than the nearest-rank 75th percentile of at least five, at most fifty before it", () => {
  const run = (number: number, processingTokens: number, agent = "main", program = "claude-code") => ({
    id: `${agent}-${number}`,
    sessionId: "s",
    agent,
    program,
    project: null,
    model: null,
    startedAt: null,
    endedAt: number,
    processingTokens,
    toolCalls: null,
    filesReread: null,
    rulesetVersion: null,
  });
  const first = [10, 20, 30, 40].map((tokens, index) => run(index, tokens));
  assert.deepEqual(costlyRuns([...first, run(5, 1000)]), [], "four before it say nothing");
  const five = [...first, run(4, 50)];
  assert.deepEqual(
    costlyRuns([...five, run(6, 41)]).map(({ run: { id }, usual, before }) => [id, usual, before]),
    [["main-6", 40, 5]],
  );
  assert.deepEqual(costlyRuns([...five, run(6, 40)]), [], "strictly more");
  assert.deepEqual(costlyRuns([...five, run(6, 41, "scout")]), [], "of its own agent");
  assert.deepEqual(costlyRuns([...five, run(6, 41, "main", "codex")]), [], "of its own program");
  const many = Array.from({ length: 60 }, (_, index) => run(index, index < 10 ? 100_000 : 10));
  assert.equal(costlyRuns([...many, run(61, 11)]).at(-1)?.before, 50);
});
