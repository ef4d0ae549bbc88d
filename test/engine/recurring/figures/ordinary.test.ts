import assert from "node:assert/strict";
import test from "node:test";
import { ordinaryFiguresOf } from "../../../../src/engine/recurring/figures/figures-view.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";

test("Input of ordinary sessions is weighted by price, per model", () => {
  const usage = { input: 100, output: 5, cacheCreation5m: 40, cacheCreation1h: 10, cacheRead: 850 };
  const [figures] = ordinaryFiguresOf(
    [
      {
        program: "claude-code",
        sessions: 2,
        returned: 1,
        returns: 3,
        usage: [
          { model: "claude-opus-4-5", usage },
          { model: "ship-1", usage },
        ],
      },
    ],
    builtInCatalogue,
  );
  // 100 + 40 * 1.25 + 10 * 2 + 850 * 0.1, twice.
  assert.deepEqual(figures, {
    program: "claude-code",
    sessions: 2,
    returned: 1,
    returns: 3,
    inputPerSession: 255,
    normalizedInput: 510,
    wholeInput: 2000,
    cacheHits: 0.85,
  });
  const empty = { program: null, sessions: 0, returned: 0, returns: 0, usage: [] };
  assert.equal(ordinaryFiguresOf([empty], builtInCatalogue)[0]?.cacheHits, null);
});
