import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { economyReport } from "../../../../src/engine/recurring/recurring-answers.ts";
import { economyReportOf } from "../../../../src/engine/recurring/figures/report.ts";
import {
  rotationCauses,
  wakeOutcomes,
  wakeReasons,
  wakeSources,
  type WakeRow,
} from "../../../../src/engine/ledger/woken.ts";

let serial = 0;
const wake = (over: Partial<WakeRow> = {}): WakeRow => ({
  id: `w${(serial += 1)}`,
  agent: "keeper",
  project: "/argo",
  program: "claude",
  model: "m",
  taskId: "T1",
  source: "timer",
  at: serial,
  endedAt: serial,
  sessionId: "s",
  reason: "reused",
  cause: null,
  resumeFailed: false,
  outcome: "completed",
  detail: null,
  turns: 1,
  input: 10,
  output: 5,
  cacheCreation5m: 90,
  cacheCreation1h: 0,
  cacheRead: 900,
  normalizedInput: 212,
  rawInput: 1000,
  rawOutput: 5,
  usd: 0.5,
  fetchMode: "delta",
  fullFetches: 0,
  deltaFetches: 1,
  summaryFetches: 0,
  promptChars: 100,
  instructionsChars: 50,
  hasInstructions: true,
  skills: "",
  skillBytes: 0,
  skillsHash: null,
  definitionHash: "d1",
  stateBefore: "todo",
  stateAfter: "todo",
  ...over,
});

describe("economyReportOf", () => {
  it("counts wakes with tokens of unknown cost", () => {
    const { total } = economyReportOf(
      [wake(), wake({ usd: null }), wake({ usd: null, input: 0, cacheCreation5m: 0, cacheRead: 0 })],
      0,
    );
    assert.deepEqual([total.usd, total.unpriced], [0.5, 1]);
  });

  it("reports savings of reused sessions, and whether targets are reached", () => {
    const wakes = [
      wake({ reason: "first", normalizedInput: 1000, fullFetches: 1, source: "manual" }),
      wake(),
      wake({ fullFetches: 1, normalizedInput: 288 }),
      wake({ reason: "rotated", cause: "age", normalizedInput: 800, definitionHash: "d2" }),
      wake({
        outcome: "environment",
        input: null,
        cacheCreation5m: null,
        cacheRead: null,
        normalizedInput: null,
        rawInput: null,
        usd: null,
        definitionHash: "d2",
      }),
      wake({ stateAfter: "done", definitionHash: "d2" }),
      wake({
        stateBefore: "todo",
        stateAfter: "blocked",
        resumeFailed: true,
        reason: "invalid_resume",
        outcome: "failed",
        definitionHash: "d2",
      }),
    ];
    const { total, targets, agents } = economyReportOf(wakes, 0);
    assert.deepEqual(
      [
        total.wakes,
        total.successful,
        total.inputPerFresh,
        total.inputPerReused,
        total.rawInput,
        total.wholeInput,
        total.usd,
      ],
      [7, 5, 900, (212 + 288 + 212) / 3, 6000, 6000, 3],
    );
    assert.equal(total.inputPerTask, null);
    assert.deepEqual(total.guardrails, {
      completedTasks: 0,
      reopened: 1,
      blocked: 1,
      failed: 1,
      limited: 0,
      interrupted: 0,
      environment: 1,
      failedResumes: 1,
      manual: 1,
    });
    assert.equal(total.cacheHits, 0.9);
    assert.deepEqual([total.stableReuse, total.fullFetches], [4 / 6, 1 / 5]);
    assert.deepEqual(
      targets.map(({ name, isReached }) => [name, isReached]),
      [
        ["normalized_input", true],
        ["reuse", false],
        ["full_fetches", true],
        ["completion", null],
      ],
    );
    const { change } = targets.at(-1) ?? {};
    assert.deepEqual([change?.before.of, change?.after.of, change?.result], [3, 3, "too_few"]);
    assert.deepEqual(
      agents[0]?.versions.map(({ definition, figures }) => [definition, figures.wakes]),
      [
        ["d2", 4],
        ["d1", 3],
      ],
    );
  });

  it("is empty without wakes", () => {
    const { total, targets, agents } = economyReportOf([], 0);
    assert.deepEqual([total.inputPerWake, total.reuse, total.usd, agents.length], [null, null, null, 0]);
    assert.ok(targets.every(({ isReached }) => isReached === null));
  });

  it("is complete and independent of the order of any wakes", () => {
    const any = fc.record({
      agent: fc.constantFrom("keeper", "clerk"),
      taskId: fc.option(fc.constantFrom("T1", "T2")),
      source: fc.constantFrom(...wakeSources),
      reason: fc.constantFrom(...wakeReasons),
      cause: fc.option(fc.constantFrom(...rotationCauses)),
      outcome: fc.constantFrom(...wakeOutcomes),
      normalizedInput: fc.option(fc.nat()),
      input: fc.option(fc.nat()),
      at: fc.nat(50),
      stateAfter: fc.constantFrom(null, "done", "todo"),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (all) => {
        const wakes = all.map((each) => wake(each));
        const report = economyReportOf(wakes, 0);
        economyReport.parse(report);
        assert.deepEqual(economyReportOf(wakes.toReversed(), 0), report);
        for (const share of [report.total.reuse, report.total.cacheHits, report.total.stableReuse])
          assert.ok(share === null || (share >= 0 && share <= 1));
        assert.equal(
          report.agents.reduce((sum, { figures }) => sum + figures.wakes, 0),
          wakes.length,
        );
      }),
    );
  });
});
