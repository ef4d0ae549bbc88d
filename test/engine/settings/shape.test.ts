import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import { defaults, readSettings, settingsShape } from "../../../src/engine/settings/shape.ts";

const whole = z.strictObject(settingsShape);
const reported = whole.partial();

describe("the settings of one place", () => {
  it("have a default each, which is a good value", () => {
    assert.deepEqual(whole.parse(defaults), defaults);
    const { wrapUpAt, endTurnAt, sumUpBelow, warnAgent, stopGate, liveMinutes } = defaults;
    assert.deepEqual(
      { wrapUpAt, endTurnAt, sumUpBelow, warnAgent, stopGate, liveMinutes },
      { wrapUpAt: 50, endTurnAt: 40, sumUpBelow: 20, warnAgent: true, stopGate: "off", liveMinutes: 120 },
    );
  });

  it("leave out a value that is none, by its name, and keep the others", () => {
    const { settings, problems } = readSettings({
      $schema: "x",
      stopGate: "always",
      budgets: "hard",
      colour: 1,
      wrapUpAt: 101,
      endTurnAt: 10,
      models: [],
      compactAtTokens: null,
    });
    assert.deepEqual(settings, { budgets: "hard", endTurnAt: 10, compactAtTokens: null });
    assert.deepEqual(problems, [
      'stopGate cannot be "always"',
      'there is no setting "colour"',
      "wrapUpAt cannot be 101",
      "models cannot be []",
    ]);
  });

  it("are good whatever a file holds, and come out the same when they are read again", () => {
    const keys = fc.constantFrom(...Object.keys(settingsShape), "__proto__", "constructor", "x");
    const value = fc.oneof(
      fc.anything(),
      fc.dictionary(keys, fc.oneof(fc.anything(), fc.nat(100), fc.boolean(), fc.constantFrom("off", "ask"))),
    );
    fc.assert(
      fc.property(value, (written) => {
        const { settings } = readSettings(written);
        assert.ok(reported.safeParse(settings).success);
        assert.deepEqual(readSettings(settings), { settings, problems: [] });
      }),
    );
  });
});
