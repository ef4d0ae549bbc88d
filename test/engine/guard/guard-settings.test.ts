import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  defaultGuardSettings,
  readGuardSettings,
  settled,
  toldGuardSettings,
} from "../../../src/engine/guard/guard-settings.ts";

describe("settings of hooks", () => {
  it("are the usual ones where nobody sets any, and the later of two where two do", () => {
    assert.deepEqual(settled(), defaultGuardSettings);
    const both = settled({ stopGate: "ask", budgets: "hard" }, { budgets: "off" });
    assert.deepEqual(both, { ...defaultGuardSettings, stopGate: "ask", budgets: "off" });
  });

  it("leave out a value that is none, by its name, and keep the others", () => {
    const { settings, problems } = readGuardSettings({
      $schema: "x",
      stopGate: "always",
      budgets: "hard",
      colour: 1,
    });
    assert.deepEqual(settings, { budgets: "hard" });
    assert.deepEqual(problems, ['stopGate cannot be "always"', 'there is no setting "colour"']);
  });

  it("are whole and good whatever a file holds", () => {
    const value = fc.oneof(
      fc.anything(),
      fc.record(
        {
          stopGate: fc.anything(),
          budgets: fc.constantFrom("off", "hard", 7),
          warnEveryCalls: fc.integer(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(value, (told) => {
        const { settings } = readGuardSettings(told);
        assert.ok(toldGuardSettings.safeParse(settings).success);
        assert.equal(Object.keys(settled(settings)).length, Object.keys(defaultGuardSettings).length);
      }),
    );
  });
});
