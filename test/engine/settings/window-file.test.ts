import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  readWindowFile,
  windowFileText,
  withWindow,
  type WindowLayer,
} from "../../../src/engine/settings/window-file.ts";
import { windowSettings } from "../../../src/engine/settings/editor-window.ts";
import type { PartialSettings } from "../../../src/engine/settings/shape.ts";
import { windowSettingsOf } from "../service/support/window-settings.ts";

const day = 24 * 60 * 60_000;
const begin = 1000 * day;

/** The layers stored after windows sent their settings, one a day unless a time is given. */
function after(
  ...windows: readonly (readonly [told: ReturnType<typeof windowSettingsOf>, at?: number])[]
): readonly WindowLayer[] {
  return windows.reduce<readonly WindowLayer[]>(
    (kept, [reported, at], index) => withWindow(kept, reported, at ?? begin + index * day).layers,
    [],
  );
}

function brief(layers: readonly WindowLayer[]): [string, string | null, PartialSettings][] {
  return layers
    .map(({ editor, folder, settings }): [string, string | null, PartialSettings] => [
      editor,
      folder,
      settings,
    ])
    .sort();
}

describe("settings reported by windows", () => {
  it("are stored by editor and folder, without unset values", () => {
    const kept = after(
      [windowSettingsOf({ wrapUpAt: 30 }, { "/a": { endTurnAt: 5 }, "/b": {} }, { editor: "stable" })],
      [windowSettingsOf({}, { "/a": { endTurnAt: 6 } }, { editor: "insiders" })],
    );
    assert.deepEqual(brief(kept), [
      ["insiders", "/a", { endTurnAt: 6 }],
      ["stable", null, { wrapUpAt: 30 }],
      ["stable", "/a", { endTurnAt: 5 }],
    ]);
  });

  it("is removed when reset in its editor, and stays when other windows are silent", () => {
    const set = windowSettingsOf({ wrapUpAt: 30 }, { "/a": { endTurnAt: 5 } });
    const silent = windowSettingsOf({}, { "/a": {}, "/b": {} }, { editor: "insiders" });
    assert.equal(after([set], [silent]).length, 2);
    assert.deepEqual(brief(after([set], [windowSettingsOf({ wrapUpAt: 30 }, { "/b": {} })])), [
      ["file:///editor", null, { wrapUpAt: 30 }],
      ["file:///editor", "/a", { endTurnAt: 5 }],
    ]);
    assert.deepEqual(after([set], [windowSettingsOf({}, { "/a": {} })]), []);
  });

  it("of a workspace file apply to its folders, and are dropped with a removed folder", () => {
    const whole = windowSettingsOf(
      {},
      { "/a": { wrapUpAt: 1 }, "/b": { wrapUpAt: 1 } },
      { workspace: "file:///w.code-workspace" },
    );
    const alone = windowSettingsOf({}, { "/a": {} });
    assert.equal(
      after([whole], [alone]).length,
      2,
      "a window of one of its folders alone says nothing of it",
    );
    const fewer = windowSettingsOf({}, { "/a": { wrapUpAt: 1 } }, { workspace: "file:///w.code-workspace" });
    assert.deepEqual(
      after([whole], [fewer]).map(({ folder }) => folder),
      ["/a"],
    );
  });

  it("have the time of their change, not of a repeated report, whatever the clock does", () => {
    const [a, b] = [
      windowSettingsOf({ wrapUpAt: 1 }, {}, { editor: "a" }),
      windowSettingsOf({ wrapUpAt: 2 }, {}, { editor: "b" }),
    ];
    const times = after([a, begin], [b, begin + 1], [a, begin + 2]).map(({ editor, changedAt }) => [
      editor,
      changedAt,
    ]);
    assert.deepEqual(times.sort(), [
      ["a", begin],
      ["b", begin + 1],
    ]);
    const back = after([a, begin], [b, begin - 500 * day]);
    assert.ok((back.find(({ editor }) => editor === "b")?.changedAt ?? 0) > begin);
  });

  it("are the same list object if a window reported nothing new", () => {
    const settings = windowSettingsOf({ wrapUpAt: 1 }, { "/a": { warnAgent: false } });
    const { layers } = withWindow([], settings, begin);
    assert.equal(withWindow(layers, settings, begin + 1).layers, layers);
    const later = withWindow(layers, settings, begin + 2 * day).layers;
    assert.notEqual(later, layers, "that it was told is written down once a day");
    assert.deepEqual(
      later.map(({ changedAt }) => changedAt),
      [begin, begin],
    );
  });

  it("are dropped after months without a report, but not because a clock jumped", () => {
    const [gone, there] = [
      windowSettingsOf({ wrapUpAt: 1 }, {}, { editor: "a" }),
      windowSettingsOf({ wrapUpAt: 2 }, {}, { editor: "b" }),
    ];
    const both = after([gone, begin], [there, begin + 1]);
    assert.equal(
      withWindow(both, windowSettingsOf({}, {}, { editor: "c" }), begin + 400 * day).layers.length,
      2,
    );
    const again = after(
      [gone, begin],
      [there, begin + 80 * day],
      [there, begin + 100 * day],
      [there, begin + 102 * day],
    );
    assert.deepEqual(
      again.map(({ editor }) => editor),
      ["b"],
    );
  });

  it("does not grow without bound", () => {
    const kept = Array.from({ length: 500 }, (_, index) =>
      windowSettingsOf({}, { [`/folder/${index}`]: { wrapUpAt: 1 } }),
    ).reduce<readonly WindowLayer[]>(
      (layers, reported, index) => withWindow(layers, reported, begin + index).layers,
      [],
    );
    assert.equal(kept.length, 300);
    assert.equal(kept.at(-1)?.folder, "/folder/499");
  });

  it("keep an earlier purser's values until an editor reports", () => {
    const { layers, problems } = readWindowFile({ stopGate: "ask" });
    assert.deepEqual([brief(layers), problems], [[["", null, { stopGate: "ask" }]], []]);
    assert.deepEqual(withWindow(layers, windowSettingsOf({}), begin).layers, []);
    assert.deepEqual(readWindowFile({}), { layers: [], problems: [] });
  });

  it("drop damaged entries, and report it", () => {
    const good = {
      editor: "a",
      workspace: null,
      folder: null,
      changedAt: 1,
      seenAt: 1,
      settings: { wrapUpAt: 7, colour: 1 },
    };
    const { layers, problems } = readWindowFile({ schema: 1, layers: [good, { ...good, folder: 7 }, null] });
    assert.deepEqual(
      [brief(layers), problems],
      [[["a", null, { wrapUpAt: 7 }]], ['there is no setting "colour"', "2 entries are none"]],
    );
  });

  it("are restored from the file unchanged, after any order of reports", () => {
    const values = fc.record(
      { wrapUpAt: fc.nat(120), models: fc.constantFrom({}, { a: { window: 5 } }) },
      { requiredKeys: [] },
    );
    const window = fc.record({
      editor: fc.constantFrom("a", "b"),
      workspace: fc.constantFrom(null, "w"),
      user: values,
      folders: fc.uniqueArray(fc.record({ path: fc.constantFrom("/a", "/b"), settings: values }), {
        selector: ({ path }) => path,
      }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(window, fc.integer({ min: -9, max: 9 }))), (all) => {
        let kept: readonly WindowLayer[] = [];
        for (const [reported, step] of all) {
          assert.ok(windowSettings.safeParse(reported).success);
          const { layers } = withWindow(kept, reported, begin + step * day);
          assert.deepEqual(
            withWindow(layers, reported, begin + step * day).layers,
            layers,
            "telling it twice is telling it once",
          );
          kept = layers;
        }
        assert.deepEqual(readWindowFile(JSON.parse(windowFileText(kept))), { layers: kept, problems: [] });
        const paths = kept.map(({ editor, workspace, folder }) => [editor, workspace, folder].join("\n"));
        assert.equal(new Set(paths).size, paths.length);
      }),
    );
  });
});
