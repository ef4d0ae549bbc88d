import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sum, tonesOf } from "../../../src/webview/components/charts/series.ts";
import { daySeries } from "../../../src/webview/ledger/days.ts";
import { amount, anomalyReason, fillName } from "../../../src/webview/ledger/describe-ledger.ts";
import {
  firstModel,
  applyMessage,
  isSame,
  withQuestion,
  withSession,
} from "../../../src/webview/ledger/ledger-model.ts";
import { firstState } from "../../../src/webview/ledger/ledger-protocol.ts";
import { compactionMarks, contextStack, mainTurns, tokenStack } from "../../../src/webview/ledger/turns.ts";
import { agentNames } from "../../../src/engine/transcripts/agents.ts";
import { makeOverview, overviewMessage } from "./fixtures.ts";
import { makeSession, sessionMessage } from "./session-fixture.ts";

test("days without a response are there, empty, and nothing of the others is lost", () => {
  const overview = makeOverview(30);
  for (const metric of ["tokens", "cost"] as const) {
    const { unit, bins, values, series } = daySeries(overview, {
      since: "2026-10-23",
      until: "2026-11-21",
      metric,
    });
    assert.equal(unit, "day");
    assert.equal(bins.length, 30);
    assert.equal(series.length, 6);
    const whole = sum(overview.days.flatMap(({ models }) => models.map((part) => amount(part, metric))));
    assert.ok(Math.abs(sum(values.map(sum)) - whole) < 0.001);
  }
});

test("a model has the same colour in every period, whatever its rank, and no two of a chart share one", () => {
  const names = ["claude-sonnet-4-6", "gpt-5.2-codex", "claude-haiku-4-5"];
  const tones = tonesOf(names);
  assert.deepEqual(tonesOf(names.toReversed()), tones);
  assert.equal(new Set(tones.values()).size, names.length);
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 5 }), (some) => {
      const found = [...tonesOf(some).values()];
      assert.equal(new Set(found).size, some.length);
      assert.ok(found.every((tone) => tone >= 0 && tone < 5));
    }),
  );
  const shown = { since: "2026-10-23", until: "2026-11-21", metric: "tokens" } as const;
  const overview = makeOverview(30);
  const ranks = (models: readonly string[]) => {
    const days = overview.days.map(({ models: parts, ...day }) => ({
      ...day,
      models: models.flatMap((key, rank) => parts.slice(rank, rank + 1).map((part) => ({ ...part, key }))),
    }));
    return new Map(daySeries({ days, hours: null }, shown).series.map(({ name, tone }) => [name, tone]));
  };
  assert.deepEqual([...ranks(names)].sort(), [...ranks(names.toReversed())].sort());
});

test("many days are weeks that begin on Monday, and very many are months", () => {
  const days = { days: makeOverview(10).days, hours: null };
  const weeks = daySeries(days, { since: "2026-01-01", until: "2026-11-21", metric: "tokens" });
  assert.equal(weeks.unit, "week");
  assert.deepEqual(weeks.bins[0], { from: "2026-01-01", to: "2026-01-04" });
  assert.deepEqual(weeks.bins[1], { from: "2026-01-05", to: "2026-01-11" });
  const months = daySeries(days, { since: "2023-01-15", until: "2026-11-21", metric: "tokens" });
  assert.equal(months.unit, "month");
  assert.deepEqual(months.bins[1], { from: "2023-02-01", to: "2023-02-28" });
  assert.equal(sum(weeks.values.map(sum)), sum(months.values.map(sum)));
});

test("without limits the days are those of the responses, and there are none without responses", () => {
  const { bins } = daySeries(makeOverview(10), { since: null, until: null, metric: "tokens" });
  assert.ok(bins.length >= 8 && bins.length <= 10);
  assert.deepEqual(
    daySeries({ days: [], hours: null }, { since: null, until: null, metric: "tokens" }).bins,
    [],
  );
});

test("an answer to an older question changes nothing", () => {
  const asked = withQuestion(firstModel(firstState), {
    ...firstState.question,
    project: "/home/mara/notes",
  });
  const old = applyMessage(asked, overviewMessage(makeOverview(3)));
  assert.equal(old.overview, null);
  assert.equal(old.isAsking, true);
  const answer = applyMessage(asked, overviewMessage(makeOverview(3), { question: asked.kept.question }));
  assert.equal(answer.isAsking, false);
});

test("two questions are equal in any order of their fields", () => {
  const range = { kind: "between", since: "2026-01-01", until: null } as const;
  const one = { range, project: null, program: "codex" };
  const other = {
    program: "codex",
    project: null,
    range: { until: null, since: "2026-01-01", kind: "between" },
  } as const;
  assert.ok(isSame(one, other));
  assert.ok(!isSame(one, { ...one, range: { kind: "all" } }));
});

test("a session's answer counts while that session is open, and its failure does not touch the overview", () => {
  const open = withSession(applyMessage(firstModel(firstState), overviewMessage(makeOverview(3))), "one");
  assert.equal(applyMessage(open, sessionMessage(makeSession("two"), "two")).session, null);
  const failed = applyMessage(open, { type: "error", about: "overview", message: "no" });
  assert.equal(failed.trouble, null);
  const shown = applyMessage(open, sessionMessage(makeSession("one"), "one"));
  assert.equal(shown.isAsking, false);
  const back = withSession(shown, null);
  assert.equal(back.session, null);
  assert.equal(back.isAsking, false);
});

test("keeps known content while there is no service", () => {
  const known = applyMessage(firstModel(firstState), overviewMessage(makeOverview(3)));
  const offline = applyMessage(known, { type: "offline", message: "gone" });
  assert.ok(offline.overview);
  assert.equal(offline.trouble?.type, "offline");
  assert.equal(applyMessage(offline, overviewMessage(makeOverview(3))).trouble, null);
});

test("the parts of a context add up to it, and a turn without details is one part", () => {
  const page = makeSession("one", 20);
  const turns = mainTurns(page).map((turn, index) => (index === 3 ? { ...turn, fill: null } : turn));
  const { series, values, areEstimates } = contextStack(turns);
  assert.ok(areEstimates);
  assert.equal(series.at(-1)?.name, "Not reported");
  assert.equal(values.at(-1)?.[3], turns[3]?.occupancy);
  assert.ok(series.length <= 7);
  const unreported = contextStack(turns.map((turn) => ({ ...turn, fill: null })));
  assert.deepEqual(
    unreported.series.map(({ name }) => name),
    ["Context"],
  );
  assert.ok(!unreported.areEstimates);
});

test("what a turn was processed for adds up to its new tokens", () => {
  const turns = mainTurns(makeSession("one", 20));
  const { values } = tokenStack(turns);
  assert.equal(
    sum(values.map(sum)),
    sum(turns.map(({ usage }) => usage.input + usage.output + usage.cacheCreation5m)),
  );
});

test("a compaction precedes the turn that follows it, and a subagent's appears nowhere", () => {
  const page = makeSession("one");
  const marks = compactionMarks(page, page.turns);
  assert.equal(marks.length, page.compactions.length);
  for (const { column } of marks)
    assert.ok((page.turns[column]?.occupancy ?? 0) < (page.turns[column - 1]?.occupancy ?? 0));
  const inside = page.compactions.map((one) => ({ ...one, agentId: "a" }));
  assert.deepEqual(compactionMarks({ compactions: inside }, page.turns), []);
});

test("a subagent with its own session is its own main conversation", () => {
  const page = makeSession("one", 20);
  const turns = page.turns.map((turn, index) => ({
    ...turn,
    agentId: index === 3 ? "other" : page.session.id,
  }));
  const compactions = page.compactions.map((one) => ({ ...one, agentId: page.session.id }));
  const main = mainTurns({ ...page, turns });
  assert.equal(main.length, 19);
  assert.equal(compactionMarks({ compactions }, main).length, compactions.length);
});

test("what is not known by name keeps its own", () => {
  assert.equal(agentNames.of("claude-code"), "Claude Code");
  assert.equal(agentNames.of("other-agent"), "other-agent");
  assert.equal(fillName("result:Read"), "Results of Read");
  assert.equal(fillName("something new"), "something new");
});

test("every anomaly has its reason in words, with or without figures", () => {
  const [first] = makeOverview(3).anomalies;
  assert.ok(first);
  for (const cause of ["costly-run", "stall", "cache-fall"] as const)
    for (const value of [null, 0.25, 4000])
      for (const usual of [null, 0, 0.9])
        assert.match(anomalyReason({ ...first, cause, value, usual }), /^[A-Z][^]*\.$/u);
  assert.match(
    anomalyReason({ ...first, cause: "costly-run", value: 900, usual: 300 }),
    /900 new tokens, 3\.0 times the usual 300/u,
  );
});
