import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { contextSettings, defaultSettings, settingsIn } from "../../../src/engine/context/settings.ts";

describe("the settings", () => {
  it("have defaults", () => {
    assert.deepEqual(defaultSettings, {
      wrapUpAt: 50,
      endTurnAt: 40,
      folders: [],
      liveMinutes: 120,
      compactAtTokens: null,
      models: {},
    });
  });

  it("take good values", () => {
    const folders = [{ path: "/work", wrapUpAt: 20, endTurnAt: 10 }];
    const own = {
      wrapUpAt: 0,
      endTurnAt: 100,
      folders,
      liveMinutes: 1,
      compactAtTokens: 1,
      models: { x: 1 },
    };
    assert.deepEqual(contextSettings.parse(own), own);
  });

  it("take a default for each bad value and keep the others", () => {
    const bad = { wrapUpAt: "50", endTurnAt: 101, liveMinutes: 0, compactAtTokens: 1.5, models: [] };
    for (const [key, value] of Object.entries(bad))
      assert.deepEqual(
        contextSettings.parse({ wrapUpAt: 30, [key]: value }),
        { ...defaultSettings, ...(key === "wrapUpAt" ? {} : { wrapUpAt: 30 }) },
        key,
      );
    assert.equal(contextSettings.parse({ endTurnAt: NaN }).endTurnAt, 40);
  });

  it("come out right whatever comes in", () => {
    const keys = fc.constantFrom(
      "wrapUpAt",
      "endTurnAt",
      "folders",
      "liveMinutes",
      "compactAtTokens",
      "models",
    );
    fc.assert(
      fc.property(fc.dictionary(keys, fc.anything()), (values) => {
        const once = contextSettings.parse(values);
        assert.deepEqual(contextSettings.parse(once), once);
      }),
    );
  });

  it("of its folder hold for a session", () => {
    const folders = [
      { path: "/work", wrapUpAt: 30, endTurnAt: 20 },
      { path: "/work/deep", wrapUpAt: 10, endTurnAt: 5 },
    ];
    const settings = { ...defaultSettings, folders };
    const wrapUpAt = (folder: string | null) => settingsIn(folder, settings).wrapUpAt;
    assert.deepEqual(["/work", "/work/deep", "/work/other", null].map(wrapUpAt), [30, 10, 50, 50]);
  });
});
