import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { LearnedCache } from "../../../../src/engine/continuity/host/learned-cache.ts";
import { open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("the first request waits for the read, later ones do not, and a failed read counts as no lessons", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const problems: string[] = [];
  let isThere = true;
  let elapsed = 0;
  const cache = new LearnedCache({
    ledger: {
      ask: (name, params) =>
        Promise.resolve(
          isThere
            ? succeed(ledger.ask(name, params))
            : fail("no_ledger", plainSentence("it cannot be opened")),
        ),
    },
    rootOf: (folder) => folder,
    isShared: () => false,
    elapsed: () => elapsed,
    onProblem: (message) => problems.push(message),
  });
  const first = cache.knownHere("/shop");
  assert.ok(first instanceof Promise);
  assert.deepEqual(await first, { fixes: [], deadEnds: [] });
  isThere = false;
  elapsed = 200_000;
  assert.deepEqual(cache.knownHere("/shop"), { fixes: [], deadEnds: [] });
  assert.equal(await cache.knownHere("/other"), null);
  assert.equal(problems.length, 2);
});
