import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inWindows, type FoundCompaction } from "../../../src/engine/context/learn.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue.ts";
import { catalogueWith } from "./support/describe.ts";
import { at, sonnet } from "./support/rows.ts";

function found(reported: Partial<FoundCompaction> = {}): FoundCompaction {
  return { model: sonnet, long: false, preTokens: 167_000, at: at(1), ...reported };
}

describe("compactions found in all transcripts", () => {
  it("teach something of the window they happened in", () => {
    const both = [found(), found({ long: true, at: at(2), preTokens: 967_000 })];
    assert.deepEqual(
      inWindows(both, builtInCatalogue).map(({ window }) => window),
      [200_000, 1_000_000],
    );
    assert.equal(inWindows([found()], catalogueWith({ [sonnet]: { window: 180_000 } }))[0]?.window, 180_000);
  });

  it("teach nothing where the window is unknown", () => {
    assert.deepEqual(inWindows([found({ model: "quay-1" })], builtInCatalogue), []);
  });

  it("count once where a fork copied them", () => {
    assert.equal(inWindows([found(), found(), found({ at: at(9) })], builtInCatalogue).length, 2);
  });
});
