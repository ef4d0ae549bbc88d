import { plainSentence } from "../../../src/engine/base/language.ts";
import { nearestRank } from "../../../src/engine/base/numbers.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  defaultProjection,
  givenProjection,
  projectFrom,
  projectRun,
} from "../../../src/engine/budgets/projection.ts";
import { quantileInterval } from "../../../src/engine/budgets/projection.ts";
import { seededRandom } from "./support/memory-files.ts";

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);
const who = { agentId: "helm", model: "m" };
const history = (ofModel: number[], ofAgent: number[]) => ({
  recentTokens: ({ model }: { model: string | null }) => Promise.resolve(model === null ? ofAgent : ofModel),
});

describe("projectRun", () => {
  it("takes the 90th percentile of the last 50 runs of the agent with the model, and shows its error", async () => {
    const runs = [...upTo(50), 9999, 9999];
    const projection = await projectRun(who, history(runs, []));
    assert.deepEqual(projection, {
      tokens: 45,
      usd: null,
      credits: null,
      basis: "history",
      source:
        "90th percentile of the last 50 completed runs of helm with m (90% interval 41 to 49, enough for 45 of 45 runs so far)",
      runs: 50,
      low: 41,
      high: 49,
      held: { runs: 45, of: 45 },
    });
  });

  it("takes runs with any model when the model has too few, then the default", async () => {
    assert.deepEqual(
      (await projectRun(who, history(upTo(4), upTo(9)))).source.text.includes("with any model"),
      true,
    );
    const none = await projectRun(who, history([], upTo(4)));
    assert.deepEqual(
      [none.tokens, none.basis, none.runs, none.high],
      [defaultProjection, "default", 4, null],
    );
    assert.equal((await projectRun({ agentId: "helm", model: null }, history(upTo(9), []))).basis, "default");
  });

  it("reports how often such projections would have held", () => {
    assert.deepEqual(projectFrom([5, 5, 5, 5, 5, 5, 5], plainSentence("")).held, { runs: 2, of: 2 });
    assert.deepEqual(projectFrom([1, 9, 5, 5, 5, 5, 5], plainSentence("")).held, { runs: 1, of: 2 });
    assert.equal(projectFrom([5, 5, 5, 5, 5], plainSentence("")).held, null);
    assert.equal(givenProjection(7).held, null);
  });

  it("is never below one token, and always one of the runs", () => {
    const runs = fc.array(fc.nat({ max: 1e9 }), { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(runs, (recent) => {
        const { tokens, low, high } = projectFrom(recent, plainSentence(""));
        assert.ok(tokens >= 1 && Number.isInteger(tokens));
        assert.ok(recent.includes(tokens) || tokens === 1);
        assert.ok((low ?? 0) <= tokens && tokens <= (high ?? Infinity));
      }),
    );
  });
});

describe("quantileInterval", () => {
  it("bounds no side that the numbers are too few for", () => {
    assert.deepEqual(quantileInterval([], 0.9), { low: null, high: null });
    assert.deepEqual(quantileInterval(upTo(1), 0.9), { low: null, high: null });
    // 0.9^28 = 0.052: the largest of fewer may well be below the 90th percentile.
    assert.equal(quantileInterval(upTo(28), 0.9).high, null);
    assert.equal(quantileInterval(upTo(29), 0.9).high, 29);
  });

  it("covers the quantile in at least nine of ten cases, for any distribution", () => {
    const random = seededRandom(7);
    for (const [draw, quantile] of [
      [() => random(), 0.9],
      [() => -Math.log(1 - random()), Math.log(10)],
      [() => Math.floor(random() * 5), 4],
    ] as const) {
      let covered = 0;
      for (let times = 0; times < 2000; times += 1) {
        const sorted = Array.from({ length: 50 }, draw).toSorted((one, other) => one - other);
        const { low, high } = quantileInterval(sorted, 0.9);
        if ((low ?? -Infinity) <= quantile && quantile <= (high ?? Infinity)) covered += 1;
      }
      assert.ok(covered >= 1780, `${covered} of 2000`);
    }
  });

  it("takes the nearest rank", () => {
    assert.deepEqual(
      [nearestRank(upTo(10), 0.9), nearestRank(upTo(11), 0.9), nearestRank([3], 0.9)],
      [9, 10, 3],
    );
  });
});
