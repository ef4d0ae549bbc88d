import assert from "node:assert/strict";
import { confidenceLevel } from "../../../../src/engine/base/confidence.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { GuardrailName } from "../../../../src/engine/recurring/recurring-answers.ts";
import { guardrailChangesOf, guardrailRatesOf } from "../../../../src/engine/recurring/figures/guardrails.ts";
import { economyReportOf } from "../../../../src/engine/recurring/figures/report.ts";
import { wakeOutcomes, type WakeRow } from "../../../../src/engine/ledger/woken.ts";
import { wake } from "../../../extension/support/recurring.ts";

const wakes = (count: number, over: Partial<WakeRow> = {}): WakeRow[] =>
  Array.from({ length: count }, () =>
    wake({ stateBefore: "todo", stateAfter: "todo", reason: "reused", ...over }),
  );

const changeOf = (name: GuardrailName, before: readonly WakeRow[], after: readonly WakeRow[]) => {
  const found = guardrailChangesOf(before, after).find((each) => each.name === name);
  assert.ok(found !== undefined);
  return found;
};

describe("guardrailRatesOf", () => {
  it("has each rate of the wakes that could have, with Wilson's interval", () => {
    const own = [
      ...wakes(6),
      ...wakes(1, { outcome: "failed", stateAfter: "blocked" }),
      ...wakes(1, { outcome: "limit", reason: "invalid_resume", resumeFailed: true }),
    ];
    const [completion, blocked, resumes] = guardrailRatesOf(own);
    assert.deepEqual([completion?.wakes, completion?.of], [6, 8]);
    assert.deepEqual([blocked?.wakes, blocked?.of], [1, 8]);
    assert.deepEqual([resumes?.wakes, resumes?.of], [1, 8]);
    assert.ok(completion?.rate?.value === 0.75 && completion.rate.level === confidenceLevel);
    // Wilson's interval of 6 of 8, as published tables have it.
    assert.deepEqual([completion.rate.low.toFixed(3), completion.rate.high.toFixed(3)], ["0.460", "0.913"]);
  });

  it("excludes wakes that say nothing about the agent's file", () => {
    const own = [
      ...wakes(5, { outcome: "environment" }),
      ...wakes(5, { outcome: "interrupted", turns: 0 }),
      ...wakes(5, { outcome: "cancelled", turns: 0, stateBefore: "blocked", stateAfter: "blocked" }),
      ...wakes(5, { outcome: "cancelled", reason: "first", stateBefore: "blocked", stateAfter: "blocked" }),
    ];
    assert.deepEqual(
      guardrailRatesOf(own).map(({ of, rate }) => [of, rate]),
      [
        [0, null],
        [0, null],
        [0, null],
      ],
    );
  });

  it("counts a task that stays blocked once", () => {
    const own = [
      ...wakes(1, { stateAfter: "blocked" }),
      ...wakes(9, { stateBefore: "blocked", stateAfter: "blocked" }),
    ];
    const blocked = guardrailRatesOf(own)[1];
    assert.deepEqual([blocked?.wakes, blocked?.of], [1, 1]);
  });
});

describe("guardrailChangesOf", () => {
  it("finds worse what chance alone would rarely make so", () => {
    const failed = changeOf("completion", wakes(4), wakes(4, { outcome: "failed" }));
    assert.equal(failed.result, "worse");
    assert.ok(failed.chance < 0.005 && failed.difference?.value === -1);
    const blocked = changeOf("blocked", wakes(20), [...wakes(10), ...wakes(10, { stateAfter: "blocked" })]);
    assert.deepEqual([blocked.result, blocked.difference?.value], ["worse", 0.5]);
    const refused = { reason: "invalid_resume", resumeFailed: true } as const;
    assert.equal(changeOf("failed_resumes", wakes(20), wakes(8, refused)).result, "worse");
  });

  it("reports no worse only if the interval excludes a loss of ten points", () => {
    assert.equal(changeOf("completion", wakes(24), wakes(24)).result, "too_few");
    assert.equal(changeOf("completion", wakes(25), wakes(25)).result, "no_worse");
    const better = changeOf("completion", wakes(20, { outcome: "failed" }), wakes(20));
    assert.deepEqual([better.result, better.chance], ["no_worse", 1]);
  });

  it("reports too few wakes if neither is shown", () => {
    const one = changeOf("completion", wakes(3), [...wakes(2), ...wakes(1, { outcome: "failed" })]);
    assert.equal(one.result, "too_few");
    const none = changeOf("completion", wakes(3), wakes(3, { outcome: "environment" }));
    assert.deepEqual([none.result, none.difference, none.chance], ["too_few", null, 1]);
  });

  it("has intervals around each difference, and never reports an improvement as worse", () => {
    const some = fc.array(
      fc.record({
        outcome: fc.constantFrom(...wakeOutcomes),
        resumeFailed: fc.boolean(),
        stateAfter: fc.constantFrom("blocked", "done", null),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, some, (before, after) => {
        const rows = (all: typeof before) => all.flatMap((each) => wakes(1, each));
        for (const { name, difference, result } of guardrailChangesOf(rows(before), rows(after))) {
          if (difference === null) assert.equal(result, "too_few");
          else {
            assert.ok(difference.low <= difference.value && difference.value <= difference.high);
            const lost = name === "completion" ? -difference.value : difference.value;
            assert.ok(result !== "worse" || lost > 0);
          }
        }
      }),
    );
  });
});

describe("the report of wakes", () => {
  it("compares each state of an agent's file with the previous one, except the oldest", () => {
    const own = [
      ...wakes(8, { definitionHash: "d1" }),
      ...wakes(8, { definitionHash: "d2", outcome: "failed" }),
    ].map((each, index) => ({ ...each, id: `w${index}`, at: index }));
    const versions = economyReportOf(own, 0).agents[0]?.versions ?? [];
    assert.deepEqual(
      versions.map(({ definition, guardrailChanges }) => [
        definition,
        guardrailChanges.map(({ result }) => result),
      ]),
      [
        ["d2", ["worse", "too_few", "too_few"]],
        ["d1", []],
      ],
    );
  });
});

describe("the report of a file that is changed often", () => {
  it("compares a change with wakes of older versions, while the last one had few", () => {
    const own = [
      ...wakes(30, { definitionHash: "d1" }),
      ...wakes(2, { definitionHash: "d2", outcome: "failed" }),
      ...wakes(6, { definitionHash: "d3", outcome: "failed" }),
    ].map((each, index) => ({ ...each, id: `w${index}`, at: index }));
    const [newest, second] = economyReportOf(own, 0).agents[0]?.versions ?? [];
    const [completion] = newest?.guardrailChanges ?? [];
    assert.deepEqual(
      [completion?.before.wakes, completion?.before.of, completion?.result],
      [18, 20, "worse"],
    );
    assert.equal(second?.guardrailChanges[0]?.before.of, 30);
  });
});

describe("the target for wakes that succeed", () => {
  const before = (agent: string, outcome: WakeRow["outcome"] = "completed") =>
    wakes(40, { agent, outcome, definitionHash: "d1", at: 1 });
  const after = (agent: string, outcome: WakeRow["outcome"] = "completed") =>
    wakes(40, { agent, outcome, definitionHash: "d2", at: 2 });
  const targetOf = (...rows: readonly (readonly WakeRow[])[]) => {
    const found = economyReportOf(rows.flat(), 0).targets.find(({ name }) => name === "completion");
    assert.ok(found !== undefined);
    return found;
  };

  it("is the rate before the newest change, and is missed only where an exact test finds it worse", () => {
    const kept = targetOf(before("keeper"), after("keeper"));
    assert.deepEqual(
      [kept.wanted, kept.actual, kept.isReached, kept.change?.result],
      [1, 1, true, "no_worse"],
    );
    const lost = targetOf(before("keeper"), after("keeper", "failed"));
    assert.deepEqual([lost.wanted, lost.actual, lost.isReached, lost.change?.result], [1, 0, false, "worse"]);
    const low = targetOf(before("keeper", "failed"), after("keeper", "failed"));
    assert.deepEqual([low.wanted, low.actual, low.isReached], [0, 0, true], "a low level is no worse");
    const unchanged = targetOf(before("keeper", "failed"));
    assert.deepEqual([unchanged.actual, unchanged.isReached, unchanged.change], [0, null, null]);
  });

  it("takes agents of different success one by one", () => {
    const rows = [before("keeper"), after("keeper"), before("clerk", "failed"), after("clerk", "failed")];
    const both = targetOf(...rows);
    assert.deepEqual([both.isReached, both.change], [true, null]);
    const more = targetOf(...rows, after("clerk", "failed"), after("clerk", "failed"));
    assert.equal(more.isReached, true, "more wakes of the one that fails are no change");
    const worse = targetOf(before("keeper"), after("keeper", "failed"), before("clerk"), after("clerk"));
    assert.equal(worse.isReached, false);
  });
});
