import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { problemFor, settingsFor, type EditorSettings } from "../../../src/engine/settings/precedence.ts";
import { defaults, type PartialSettings } from "../../../src/engine/settings/shape.ts";

/** Resolves settings; a path is inside every folder that is a prefix of it. */
function hold(path: string | null, own: PartialSettings, editors: readonly EditorSettings[]) {
  return settingsFor({ own, editors }, (folder) => path?.startsWith(folder) === true);
}

function of(folder: string | null, changedAt: number, settings: PartialSettings): EditorSettings {
  return { folder, changedAt, settings };
}

describe("which settings hold for a session", () => {
  /**
   * Where the session started, `settings.json`, what editors' users set by folder, and the resulting wrap-up
   * value.
   */
  const table: readonly {
    readonly what: string;
    readonly place?: string | null;
    readonly own?: number;
    readonly editors?: readonly (readonly [folder: string | null, changedAt: number, wrapUpAt: number])[];
    readonly holds: number;
  }[] = [
    { what: "nobody set any: the default", holds: 50 },
    { what: "only the file does", own: 31, holds: 31 },
    { what: "an editor's user goes before the file", own: 31, editors: [[null, 1, 32]], holds: 32 },
    {
      what: "a folder goes before its editor's user",
      editors: [
        ["/a", 1, 33],
        [null, 2, 32],
      ],
      holds: 33,
    },
    {
      what: "the file holds where no editor says",
      place: "/c",
      own: 31,
      editors: [["/a", 1, 33]],
      holds: 31,
    },
    { what: "no folder is known of the session", place: null, own: 31, editors: [["/a", 1, 33]], holds: 31 },
    {
      what: "the deepest folder",
      editors: [
        ["/a", 9, 33],
        ["/a/b", 1, 34],
        ["/a/b/x", 2, 35],
      ],
      holds: 34,
    },
    {
      what: "of two editors, the one that was changed last",
      editors: [
        [null, 5, 36],
        [null, 4, 37],
      ],
      holds: 36,
    },
    {
      what: "of two windows of one folder too",
      editors: [
        ["/a/b", 4, 38],
        ["/a/b", 5, 39],
        ["/a", 6, 40],
      ],
      holds: 39,
    },
  ];
  for (const { what, place: path = "/a/b/c", own, editors = [], holds } of table)
    it(what, () => {
      const reported = editors.map(([folder, changedAt, wrapUpAt]) => of(folder, changedAt, { wrapUpAt }));
      assert.deepEqual(
        hold(path, { endTurnAt: 5, ...(own === undefined ? {} : { wrapUpAt: own }) }, reported),
        {
          ...defaults,
          wrapUpAt: holds,
          endTurnAt: 5,
        },
      );
    });

  it("are found key by key", () => {
    const settings = hold("/a", { wrapUpAt: 10, endTurnAt: 5, stopGate: "ask" }, [
      of("/a", 1, { warnAgent: false }),
      of(null, 2, { endTurnAt: 7, budgets: "hard" }),
      of(null, 1, { endTurnAt: 8, messages: "off" }),
    ]);
    assert.deepEqual(settings, {
      ...defaults,
      wrapUpAt: 10,
      endTurnAt: 7,
      stopGate: "ask",
      warnAgent: false,
      budgets: "hard",
      messages: "off",
    });
  });

  it("have the figures of all places for a model, each by itself", () => {
    const models = { "ship-1": { window: 1, input: 2 }, "ship-2": { window: 3 }, odd: 7 };
    const settings = hold("/a", { models }, [
      of("/a", 1, { models: { "ship-1": { window: 9 }, odd: { window: 4 } } }),
      of(null, 1, { models: { "ship-1": { window: 8, output: 5 }, "ship-2": 6 } }),
    ]);
    assert.deepEqual(settings.models, {
      "ship-1": { window: 9, input: 2, output: 5 },
      "ship-2": 6,
      odd: { window: 4 },
    });
  });

  it("do not depend on the order in which editors are listed, and are always whole", () => {
    const layer = fc.record({
      folder: fc.constantFrom(null, "/a", "/a/b", "/c"),
      settings: fc.record(
        {
          wrapUpAt: fc.nat(100),
          endTurnAt: fc.nat(100),
          stopGate: fc.constantFrom("off" as const, "ask" as const),
        },
        { requiredKeys: [] },
      ),
    });
    fc.assert(
      fc.property(fc.array(layer), fc.constantFrom(null, "/a/b", "/x"), (layers, place) => {
        const editors = layers.map(({ folder, settings }, changedAt) => of(folder, changedAt, settings));
        const settings = hold(place, {}, editors);
        assert.deepEqual(hold(place, {}, editors.toReversed()), settings);
        assert.deepEqual(Object.keys(settings).sort(), Object.keys(defaults).sort());
        const inPlace = editors.filter(({ folder }) => folder !== null && place?.startsWith(folder) === true);
        if (inPlace.every(({ settings: { wrapUpAt, endTurnAt } }) => (wrapUpAt ?? endTurnAt) === undefined))
          assert.equal(settings.wrapUpAt, hold(null, {}, editors).wrapUpAt);
        const { wrapUpAt, endTurnAt } = settings;
        assert.equal(wrapUpAt === null, endTurnAt === null);
        if (wrapUpAt === null || endTurnAt === null) return;
        assert.ok(endTurnAt < wrapUpAt || endTurnAt === 0 || endTurnAt === 100);
      }),
    );
  });

  const orders: readonly {
    readonly what: string;
    readonly own?: PartialSettings;
    readonly folder?: PartialSettings;
    readonly used: readonly [wrapUpAt: number, endTurnAt: number];
    readonly isWrong: boolean;
  }[] = [
    { what: "both in order", own: { wrapUpAt: 30, endTurnAt: 10 }, used: [30, 10], isWrong: false },
    { what: "no advice at all", own: { wrapUpAt: 0, endTurnAt: 0 }, used: [0, 0], isWrong: false },
    { what: "both, exchanged", own: { wrapUpAt: 20, endTurnAt: 40 }, used: [50, 40], isWrong: true },
    { what: "both, equal", own: { wrapUpAt: 40, endTurnAt: 40 }, used: [50, 40], isWrong: true },
    { what: "only a late wrap-up", own: { wrapUpAt: 20 }, used: [20, 16], isWrong: true },
    { what: "only an early end", own: { endTurnAt: 95 }, used: [100, 95], isWrong: true },
    { what: "only an end at once", own: { endTurnAt: 100 }, used: [100, 90], isWrong: true },
    { what: "both at once", own: { wrapUpAt: 100, endTurnAt: 100 }, used: [100, 90], isWrong: true },
    {
      what: "two places against each other",
      own: { wrapUpAt: 20 },
      folder: { endTurnAt: 40 },
      used: [50, 40],
      isWrong: true,
    },
  ];
  for (const { what, own = {}, folder = {}, used, isWrong } of orders)
    it(`are thresholds by which both kinds of advice come: ${what}`, () => {
      const editors = [of("/a", 1, folder)];
      const { wrapUpAt, endTurnAt } = hold("/a", own, editors);
      assert.deepEqual([wrapUpAt, endTurnAt], used);
      const problem = problemFor({ own, editors }, (path) => path === "/a");
      const set = { wrapUpAt: 50, endTurnAt: 40, ...own, ...folder };
      const sentence =
        `endTurnAt (${set.endTurnAt}) must be below wrapUpAt (${set.wrapUpAt}); ` +
        `${used[0]} is used for wrapUpAt and ${used[1]} for endTurnAt`;
      assert.equal(problem, isWrong ? sentence : undefined);
    });

  it("are in order for every pair that a person may set, with the replaced values named", () => {
    const percents = [0, 1, 10, 39.9, 40, 50, 90, 91, 99.9, 100];
    for (const wrapUpAt of [undefined, ...percents])
      for (const endTurnAt of [undefined, ...percents]) {
        const own: PartialSettings = { wrapUpAt, endTurnAt };
        const used = hold("/a", own, []);
        const what = JSON.stringify([wrapUpAt, endTurnAt, used.wrapUpAt, used.endTurnAt]);
        if (wrapUpAt === undefined && endTurnAt === undefined) {
          assert.deepEqual([used.wrapUpAt, used.endTurnAt], [null, null]);
          continue;
        }
        const [usedWrap, usedEnd] = [used.wrapUpAt ?? NaN, used.endTurnAt ?? NaN];
        assert.ok(usedEnd < usedWrap || usedEnd === 0, what);
        assert.ok(usedWrap <= 100, what);
        const isKept = (wrapUpAt ?? 50) === usedWrap && (endTurnAt ?? 40) === usedEnd;
        assert.equal(problemFor({ own, editors: [] }, () => true) === undefined, isKept, what);
      }
  });
});
