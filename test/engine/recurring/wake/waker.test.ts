import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wakerOf } from "../../../../src/engine/recurring/wake/agent-overview.ts";
import { recurringAgent } from "./support/agent.ts";

const now = Date.parse("2026-11-27T08:00:00Z");
const day = 86_400_000;
const scheduled = {
  agent: recurringAgent("keeper", 'schedule: "0 * * * *"'),
  faults: [],
  isAgreed: true,
  timedBy: null,
};
const off = { isOn: false, isTrusted: true, now };
const on = { ...off, isOn: true };
const by = (change: Partial<Parameters<typeof wakerOf>[0]>, facts: typeof off) => {
  const { waker, why } = wakerOf({ ...scheduled, ...change }, facts);
  return why === null ? waker : `${waker}: ${why}`;
};

describe("who wakes an agent by its schedule", () => {
  it("is the service if allowed, otherwise a recently active cron, otherwise nobody, with a reason", () => {
    assert.equal(by({}, on), "service");
    assert.equal(by({}, off), "nobody: off");
    assert.equal(by({}, { ...on, isTrusted: false }), "nobody: not_trusted");
    assert.equal(by({ isAgreed: false }, on), "nobody: not_agreed");
    assert.equal(by({ agent: recurringAgent("keeper") }, on), "person");
    assert.equal(
      by({ agent: null, faults: [{ line: 1, message: plainSentence("m") }] }, on),
      "nobody: faulty",
    );
    const terminal = (at: number) => ({ timedBy: { by: "terminal" as const, at } });
    assert.equal(by(terminal(now - day + 1), off), "cron");
    assert.equal(by(terminal(now - day), off), "nobody: off");
    assert.equal(by({ timedBy: { by: "service", at: now } }, off), "nobody: off");
    assert.equal(by(terminal(now), on), "service");
    const weekly = recurringAgent("keeper", 'schedule: "0 8 * * 1"');
    assert.equal(by({ ...terminal(now - 20 * day), agent: weekly }, off), "cron");
    assert.equal(by({ ...terminal(now - 21 * day), agent: weekly }, off), "nobody: off");
  });
});
