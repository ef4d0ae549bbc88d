import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  minUnits,
  netInterval,
  netState,
  type NetUnit,
} from "../../../../src/engine/guard/net/net-interval.ts";
import { netView } from "../../../../src/engine/guard/guard-answers.ts";
import { netOf, netViewOf, restingFormats } from "../../../../src/engine/guard/net/net-figures.ts";
import { RestingFormats } from "../../../../src/engine/guard/net/resting-formats.ts";
import { makeSaving } from "../support/make-saving.ts";
import type { OutputSaving } from "../../../../src/engine/ledger/ledger-answers.ts";

const many = (count: number, own: Partial<OutputSaving> = {}) =>
  Array.from({ length: count }, (_, number) => makeSaving(number, own));
const losing = { fetched: { calls: 2, tokens: 6000 }, command: "kubectl get" };

function units(count: number, net: (index: number) => number): NetUnit[] {
  return Array.from({ length: count }, (_, index) => ({ net: net(index), atRisk: 3, outputs: 2 }));
}

/** A generator of numbers from 0 to 1 that is the same each time. */
function drawing(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296;
}

describe("the interval of a net", () => {
  it("is unknown with few outputs or sessions", () => {
    assert.equal(netInterval(units(minUnits - 1, () => 1)), null);
    assert.equal(netInterval(units(minUnits, () => 1).map((unit) => ({ ...unit, outputs: 1 }))), null);
    assert.equal(netState(units(3, () => -1)), "unknown");
    assert.notEqual(netInterval(units(minUnits, () => 1)), null);
  });

  it("expects one loss more than there was", () => {
    const interval = netInterval(units(20, () => 1)) ?? assert.fail();
    assert.ok(interval.low > 0 && interval.low < 18 && interval.high > 20);
    assert.equal(
      netState(units(12, (index) => 0.01 * index)),
      "unknown",
      "so small a gain is not shown by a dozen",
    );
  });

  it("is found above zero, below zero, or in the end not above zero", () => {
    assert.equal(netState(units(60, (index) => 1 + (index % 3))), "saves");
    assert.equal(netState(units(30, (index) => -1 - (index % 3))), "loses");
    assert.equal(netState(units(119, (index) => (index % 2 === 0 ? 1 : -1))), "unknown");
    assert.equal(netState(units(121, (index) => (index % 2 === 0 ? 1 : -1))), "unproven");
  });

  it("holds at every look: of formats that save nothing, at most 5 % ever seem to save or to lose", () => {
    const random = drawing(7);
    const wrong = { saves: 0, loses: 0 };
    const lives = 300;
    for (let life = 0; life < lives; life += 1) {
      const seen = new Set<string>();
      const all: NetUnit[] = [];
      for (let unit = 0; unit < 119; unit += 1) {
        const gain = -Math.log(1 - random());
        all.push({
          net: random() < 1 / 3 ? gain - 3 * (0.5 - 0.5 * Math.log(1 - random())) : gain,
          atRisk: 3,
          outputs: 2,
        });
        seen.add(netState(all));
      }
      if (seen.has("saves")) wrong.saves += 1;
      if (seen.has("loses")) wrong.loses += 1;
    }
    // Three standard errors above 5 % of 300.
    assert.ok(wrong.saves <= 26 && wrong.loses <= 26, JSON.stringify(wrong));
  });

  it("contains the sum of finite nets, and is finite", () => {
    const net = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    const unit = fc.record({
      net,
      atRisk: fc.double({ min: 0, max: 1e9, noNaN: true }),
      outputs: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (all) => {
        const interval = netInterval(all);
        if (interval === null) return;
        assert.ok(
          Number.isFinite(interval.low) && Number.isFinite(interval.high) && interval.low <= interval.high,
        );
      }),
    );
  });
});

describe("the figures of nets", () => {
  it("are gross, minus and net, in tokens and dollars, by tool, program and format", () => {
    const savings = [
      ...many(8),
      makeSaving(20, { ...losing, again: { calls: 1, tokens: 500 }, minusUsd: 0.02 }),
      makeSaving(21, {
        rule: "smaller-output-json",
        tool: "WebFetch",
        command: "WebFetch",
        grossUsd: 0,
        unpriced: 3,
      }),
    ];
    const view = netViewOf({ savings, wakes: [{ format: "smaller-output-tap", at: 3 }] }, 0);
    assert.deepEqual(netView.parse(view), view);
    const { total } = view;
    assert.equal(total.net, total.gross - total.minus);
    assert.equal(total.minus, 6500);
    assert.deepEqual(total.usd, { gross: 0.01 * 9, minus: 0.02, net: 0.01 * 9 - 0.02 });
    assert.deepEqual([total.outputs, total.sessions, total.unpriced], [30, 10, 3]);
    assert.deepEqual(
      view.tools.map(({ name }) => name),
      ["Bash", "WebFetch"],
    );
    assert.deepEqual(
      view.programs.map(({ name }) => name),
      ["npm test", "WebFetch", "kubectl get"],
    );
    assert.deepEqual(
      view.formats.map(({ name }) => name),
      ["smaller-output-tap", "smaller-output-json"],
    );
    assert.deepEqual(view.woken, [{ id: "smaller-output-tap", at: 3 }]);
    assert.equal(netViewOf({ savings, wakes: [] }, 20).total.sessions, 2);
    assert.equal(netOf([]).usd, null);
  });

  it("switch a losing format off for its command, and elsewhere only if it loses there too", () => {
    const savings = [...many(30), ...many(20, losing)];
    assert.deepEqual(
      restingFormats({ savings }).map(({ id, command, why }) => [id, command, why]),
      [["smaller-output-tap:kubectl get", "kubectl get", "loses"]],
    );
    const spread = Array.from({ length: 30 }, (_, number) =>
      makeSaving(number, { ...losing, command: `tool-${number}` }),
    );
    assert.deepEqual(
      restingFormats({ savings: spread }).map(({ id, command }) => [id, command]),
      [["smaller-output-tap", null]],
    );
    const again = savings.map((saving) => ({ ...saving, isEvidence: false }));
    assert.deepEqual(restingFormats({ savings: again }), []);
  });

  it("do not depend on the order of sessions, and add up", () => {
    const saving = fc
      .tuple(fc.nat(9), fc.constantFrom("npm test", "make"), fc.nat(9000), fc.nat(9000))
      .map(([number, command, gross, cost]) =>
        makeSaving(number, { command, gross, narrower: { calls: 1, tokens: cost } }),
      );
    fc.assert(
      fc.property(fc.array(saving, { maxLength: 30 }), (savings) => {
        const view = netViewOf({ savings, wakes: [] }, 0);
        const turned = netViewOf({ savings: savings.toReversed(), wakes: [] }, 0);
        assert.equal(view.total.net, turned.total.net);
        assert.equal(
          view.programs.reduce((sum, { net }) => sum + net, 0),
          view.total.net,
        );
        assert.equal(
          view.formats.reduce((sum, { net }) => sum + net, 0),
          view.total.net,
        );
      }),
    );
  });
});

describe("formats that are switched off", () => {
  it("are known to hooks after the ledger's answer, and stay known if it fails", async () => {
    let now = 0;
    let savings: OutputSaving[] = many(20, losing);
    const problems: string[] = [];
    let fails = false;
    const formats = new RestingFormats({
      saved: () => (fails ? Promise.reject(new Error("closed")) : Promise.resolve({ savings, wakes: [] })),
      elapsed: () => now,
      onProblem: (problem) => problems.push(problem),
    });
    assert.ok(!formats.has("smaller-output-tap", "kubectl get"));
    await formats.load();
    assert.ok(formats.has("smaller-output-tap", "kubectl get"));
    assert.ok(!formats.has("smaller-output-tap", "npm test"));
    fails = true;
    now = 60_000;
    assert.ok(formats.has("smaller-output-tap", "kubectl get"));
    await formats.load();
    assert.ok(formats.has("smaller-output-tap", "kubectl get"));
    assert.equal(problems.length, 1);
    fails = false;
    savings = [];
    await formats.load();
    assert.ok(!formats.has("smaller-output-tap", "kubectl get"));
  });
});
