import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import { defaults, readSettings, settingsShape } from "../../../src/engine/settings/shape.ts";

const whole = z.strictObject(settingsShape);
const reported = whole.partial();

describe("the settings of one place", () => {
  it("have a default each, which is a good value", () => {
    assert.deepEqual(whole.parse(defaults), defaults);
    const { wrapUpAt, endTurnAt, warnAgent, stopGate, liveMinutes } = defaults;
    assert.deepEqual(
      { wrapUpAt, endTurnAt, warnAgent, stopGate, liveMinutes },
      { wrapUpAt: null, endTurnAt: null, warnAgent: true, stopGate: "off", liveMinutes: 120 },
    );
  });

  it("drop an invalid value, name it, and keep the others", () => {
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
      'stopGate cannot be "always"; without another value, "off" is used',
      'there is no setting "colour"',
      "wrapUpAt cannot be 101; it is ignored",
      "models cannot be []; without another value, {} is used",
    ]);
  });

  it("turn on protecting guard rules if a guard mode is invalid", () => {
    const protecting = { safety: "on", secrets: "on", protect: "on" };
    const familiesOf = (value: unknown) => readSettings(value).settings.guardFamilies;
    for (const mode of ["ON", true, 7, null, ["on"], ""])
      assert.deepEqual(familiesOf({ guardMode: mode }), protecting);
    assert.deepEqual(familiesOf({ guardMode: "off", guardFamilies: { safety: "yes" } }), protecting);
    assert.deepEqual(familiesOf({ guardMode: "onn", guardFamilies: { waste: "off" } }), {
      ...protecting,
      waste: "off",
    });
    assert.deepEqual(familiesOf({ guardMode: "onn", guardFamilies: { safety: "off" } }), {
      ...protecting,
      safety: "off",
    });
    assert.deepEqual(readSettings({ guardMode: "ON" }).problems, [
      'guardMode cannot be "ON"; until it is corrected, guard rules on safety, secrets and protected files are on',
    ]);
  });

  it("report that a number is too large", () => {
    const tooLarge: unknown = JSON.parse('{"wrapUpAt":1e400,"stopGate":[-1e400]}');
    assert.deepEqual(readSettings(tooLarge).problems, [
      'wrapUpAt cannot be "Infinity"; it is ignored',
      'stopGate cannot be ["-Infinity"]; without another value, "off" is used',
    ]);
  });

  for (const name of ["wrapUpAt", "endTurnAt"] as const)
    it(`leave out a share that was taken for a percentage: ${name}`, () => {
      for (const share of [0.4, 0.999, 1e-9])
        assert.deepEqual(readSettings({ [name]: share }), {
          settings: {},
          problems: [`${name} cannot be ${share}, as it is in percent; it is ignored`],
        });
      for (const good of [0, 1, 12.5, 100])
        assert.deepEqual(readSettings({ [name]: good }), { settings: { [name]: good }, problems: [] });
    });

  it("are valid for any file, and stable when read again", () => {
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
