import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { alarmKey, alarmSentence, newAlarms } from "../../../src/extension/budgets/alarms.ts";
import { agent, convoy, level, project } from "../support/budgets.ts";
import { t } from "../support/session.ts";

const today = "2026-11-02";
const isLive = (id: string) => id === "live";

/** Reports new alarms, like a window, and remembers them. */
function alarmReporter() {
  const reported = new Set<string>();
  return (...args: Parameters<typeof project>) =>
    newAlarms([project(...args)], (key) => reported.has(key), { today, isLive }).map(({ held, keys }) => {
      for (const key of keys) reported.add(key);
      return `${held.level.level} ${held.level.state}`;
    });
}

describe("budget alarms", () => {
  it("warns once per limit and period when it is near, and once when it is passed", () => {
    const tell = alarmReporter();
    assert.deepEqual(tell([convoy([level({ used: 300_000 })])]), []);
    assert.deepEqual(tell([convoy([level({ used: 400_000 })])]), ["convoy warning"]);
    assert.deepEqual(tell([convoy([level({ used: 450_000 })])]), []);
    assert.deepEqual(tell([convoy([level({ used: 500_001 })])]), ["convoy exceeded"]);
    assert.deepEqual(tell([convoy([level({ used: 600_000 })])]), []);
    const tomorrow = { since: "2026-11-03" };
    assert.deepEqual(tell([convoy([level({ used: 400_000, ...tomorrow })])]), ["convoy warning"]);
  });

  it("warns again after a limit was raised", () => {
    const tell = alarmReporter();
    assert.deepEqual(tell([convoy([level({ used: 500_001 })])]), ["convoy exceeded"]);
    assert.deepEqual(tell([convoy([level({ used: 500_001, amount: 750_000 })])]), []);
    assert.deepEqual(tell([convoy([level({ used: 600_001, amount: 750_000 })])]), ["convoy warning"]);
  });

  it("shows the worst of a group, and no approaching limit after a passed one", () => {
    const tell = alarmReporter();
    const both = [level({ used: 410_000 }), agent("a", { amount: 1000, used: 1001 })];
    assert.deepEqual(tell([convoy(both)]), ["agent exceeded"]);
    assert.deepEqual(tell([convoy(both)]), []);
    // A returned lease puts it below the limit again, which is not reported.
    assert.deepEqual(tell([convoy([agent("a", { amount: 1000, used: 900 })])]), []);
  });

  it("shows nothing while budgets are off", () => {
    assert.deepEqual(alarmReporter()([convoy([level({ used: 600_000 })])], { mode: "off" }), []);
  });

  it("ignores a session that has ended, and its agents", () => {
    const tell = alarmReporter();
    const over = { amount: 1000, used: 1001, sessionId: "gone" };
    assert.deepEqual(
      tell([convoy([agent("a", over), level({ level: "session", who: "gone", ...over })])]),
      [],
    );
  });

  it("warns once about a total limit, and once a day about a limit per run", () => {
    const tell = alarmReporter();
    const total = level({ used: 500_001, period: "total", since: null });
    const run = agent("main", { used: 500_001, period: "run", since: null });
    assert.deepEqual(tell([convoy([total]), convoy([run], "runs")]), ["convoy exceeded", "agent exceeded"]);
    assert.deepEqual(tell([convoy([total]), convoy([run], "runs")]), []);
    const key = (each: typeof run, day: string) =>
      alarmKey({ project: project([]), convoy: convoy([]), level: each }, day);
    assert.equal(key(total, today), key(total, "2026-11-03"));
    assert.notEqual(key(run, today), key(run, "2026-11-03"));
  });

  it("states the consequence: stopped or not, and until when", () => {
    const passed = level({ used: 512_000 });
    const say = (mode: "warn" | "hard", each = passed) =>
      alarmSentence({ project: project([], { mode }), convoy: convoy([]), level: each }, t);
    assert.equal(
      say("hard"),
      "Group checkout used 512k of 500k tokens today: the limit is passed. " +
        "Its calls are blocked until you raise the limit or tomorrow.",
    );
    const total = level({ used: 512_000, period: "total", since: null });
    assert.match(
      say("hard", total),
      /in total: the limit is passed\. Its calls are blocked until you raise the limit\.$/u,
    );
    assert.match(say("warn"), /Calls are not blocked \(mode: warn\)\.$/u);
    assert.equal(
      say("hard", agent("backend", { amount: 100_000, used: 82_000, period: "week" })),
      "Agent backend of group checkout used 82k of 100k tokens this week (82%). At the limit its calls are blocked.",
    );
  });

  it("keeps different limits apart, and shows no unprintable characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        const held = (who: string) => ({
          project: project([]),
          convoy: convoy([]),
          level: agent(who, { used: 450_000 }),
        });
        assert.equal(alarmKey(held(one), today) === alarmKey(held(other), today), one === other);
        assert.doesNotMatch(alarmSentence(held(one), t), /[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});
