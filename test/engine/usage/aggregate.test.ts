import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  aggregateUsage,
  type AggregateOptions,
  type CountedResponse,
} from "../../../src/engine/usage/aggregate.ts";
import { groupings } from "../../../src/engine/usage/sum.ts";
import { Catalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { formatDay, localDays } from "../../../src/engine/usage/local-day.ts";
import { addUsage, noUsage } from "../../../src/engine/usage/token-counts.ts";

const rates = { input: 1, output: 10, cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1 };
const catalogue = new Catalogue({
  date: "2026-11-01",
  models: [
    {
      id: "priced",
      aliases: [],
      provider: "other",
      window: null,
      agentWindow: null,
      longWindow: null,
      maxOutput: null,
      fast: null,
      prices: [{ from: null, ...rates }],
    },
  ],
});
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const options: AggregateOptions = { by: "day", since: null, until: null, dayOf, catalogue };

function response(fields: Partial<CountedResponse> & { input?: number } = {}): CountedResponse {
  const { input = 1_000_000, ...rest } = fields;
  return {
    model: "priced",
    at: Date.parse("2026-11-20T12:00:00Z"),
    usage: { ...noUsage, input },
    sessionId: "s-1",
    cwd: "/argo",
    ...rest,
  };
}

describe("usage sums", () => {
  const late = response({ at: Date.parse("2026-11-21T12:00:00Z"), sessionId: "s-0", cwd: null });
  const keys = (by: AggregateOptions["by"], ...responses: CountedResponse[]) =>
    aggregateUsage(responses, { ...options, by }).rows.map(({ key }) => key);

  it("are by day, session, project or model", () => {
    assert.deepEqual(keys("day", late, response()), ["2026-11-20", "2026-11-21"]);
    assert.deepEqual(keys("session", late, response()), ["s-1", "s-0"]);
    assert.deepEqual(keys("project", late, response()), ["/argo", "unknown"]);
    assert.deepEqual(keys("model", late, response()), ["priced"]);
    assert.deepEqual(keys("day", response({ at: null })), ["unknown"]);
  });

  it("separate models within a key", () => {
    const { rows, totals } = aggregateUsage([response(), response({ model: "other" }), response()], options);
    assert.deepEqual(
      rows.map(({ key, model, responses }) => [key, model, responses]),
      [
        ["2026-11-20", "other", 1],
        ["2026-11-20", "priced", 2],
      ],
    );
    assert.equal(totals.usage.input, 3_000_000);
  });

  it("cover days from the first to the last, both included", () => {
    const days = ["2026-11-19", "2026-11-20", "2026-11-21"];
    const responses = days.map((day) => response({ at: Date.parse(`${day}T23:59:59Z`) }));
    const found = (since: string | null, until: string | null) =>
      aggregateUsage(responses, { ...options, since, until }).rows.map(({ key }) => key);
    assert.deepEqual(found(null, null), days);
    assert.deepEqual(found("2026-11-20", null), days.slice(1));
    assert.deepEqual(found(null, "2026-11-20"), days.slice(0, 2));
    assert.deepEqual(found("2026-11-20", "2026-11-20"), days.slice(1, 2));
  });

  it("leave out and count responses without a time when days are requested", () => {
    const { rows, undated } = aggregateUsage([response({ at: null })], { ...options, since: "2026-01-01" });
    assert.deepEqual([rows.length, undated], [0, 1]);
    assert.equal(aggregateUsage([response({ at: null })], options).undated, 0);
  });

  it("are unknown rather than 0 where no price is known, and a lower bound where some are", () => {
    const unknown = response({ model: "other" });
    const { rows, totals } = aggregateUsage([unknown, response()], options);
    assert.deepEqual(
      rows.map(({ usd, unpriced }) => [usd, unpriced]),
      [
        [null, 1],
        [1, 0],
      ],
    );
    assert.deepEqual([totals.usd, totals.unpriced], [1, 1]);
    const alone = aggregateUsage([unknown], options).totals;
    assert.deepEqual([alone.usd, alone.unpriced], [null, 1]);
    assert.equal(aggregateUsage([], options).totals.usd, 0);
    assert.equal(aggregateUsage([response({ model: "other", input: 0 })], options).totals.usd, 0);
  });

  it("are the same in any order, and rows add up to the totals", () => {
    const count = fc.nat({ max: 1_000_000 });
    const one: fc.Arbitrary<CountedResponse> = fc.record({
      model: fc.constantFrom("priced", "other"),
      at: fc.option(fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.getTime())),
      usage: fc.record({
        input: count,
        output: count,
        cacheCreation5m: count,
        cacheCreation1h: count,
        cacheRead: count,
      }),
      sessionId: fc.constantFrom("s-1", "s-2"),
      cwd: fc.constantFrom("/a", "/b", null),
    });
    fc.assert(
      fc.property(fc.array(one), fc.constantFrom(...groupings), (responses, by) => {
        const report = aggregateUsage(responses, { ...options, by });
        assert.deepEqual(aggregateUsage(responses.toReversed(), { ...options, by }), report);
        assert.deepEqual(
          report.rows.map(({ usage }) => usage).reduce(addUsage, noUsage),
          responses.map(({ usage }) => usage).reduce(addUsage, noUsage),
        );
        const dollars = report.rows.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
        assert.ok(Math.abs(dollars - (report.totals.usd ?? 0)) < 1e-6);
      }),
    );
  });
});

describe("local day", () => {
  it("is the calendar's day, in any zone", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }), (date) => {
        const day = localDays()(date.getTime());
        assert.equal(day, formatDay(date));
        assert.match(day, /^\d{4}-\d\d-\d\d$/u);
      }),
    );
  });
});
