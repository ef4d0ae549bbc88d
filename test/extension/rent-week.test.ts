import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { succeed } from "../../src/engine/base/result.ts";
import type { WeekOfUse } from "../../src/engine/compare/section-rent.ts";
import type { Freshness } from "../../src/engine/ledger/answers.ts";
import { RentWeek, type WeekLink } from "../../src/extension/rent-week.ts";

const noUse: WeekOfUse = { sessions: [], subagents: [], skills: [], charactersPerToken: [] };
const read: Freshness = { asOf: 5, files: 1, done: 1, problems: [] };

/** A service that a test tells what to answer, and how many questions it was asked. */
function makeLink() {
  const clients = new Emitter<void>();
  const changes = new Emitter<{ readonly freshness: Freshness }>();
  const told = { use: noUse, freshness: read, asked: 0, since: 0 };
  const client: WeekLink["client"] = {
    useCounts: (since) => {
      told.asked += 1;
      told.since = since;
      return Promise.resolve(succeed({ ...told.use, freshness: told.freshness }));
    },
    onLedgerChanged: changes.on,
  };
  const link = { client, onClient: (listener: () => void) => clients.on(listener) };
  return { link, told, clients, changes };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("nothing is asked until somebody looks, and then once a minute, about the last seven days", async (t) => {
  const { link, told } = makeLink();
  let now = 10 * 24 * 60 * 60_000;
  const week = new RentWeek(link, () => now);
  t.after(() => week.dispose());
  let changes = 0;
  week.onChange(() => (changes += 1));
  await settled();
  assert.deepEqual([told.asked, week.known], [0, null]);
  week.want();
  week.want();
  await settled();
  assert.deepEqual([told.asked, told.since, changes], [1, 3 * 24 * 60 * 60_000, 1]);
  assert.deepEqual(week.known, noUse);
  now += 59_000;
  week.want();
  await settled();
  assert.equal(told.asked, 1);
});

test("while transcripts are read for the first time nothing is known, and it is asked again when that is over", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { link, told, changes } = makeLink();
  told.freshness = { ...read, asOf: null };
  const week = new RentWeek(link, () => 0);
  t.after(() => week.dispose());
  week.want();
  await Promise.resolve();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  assert.equal(week.known, null);
  told.freshness = read;
  changes.fire({ freshness: read });
  t.mock.timers.tick(2000);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  assert.deepEqual([told.asked, week.known], [2, noUse]);
});

test("another service is asked anew, but only where somebody had looked", async (t) => {
  const { link, told, clients } = makeLink();
  const week = new RentWeek(link, () => 0);
  t.after(() => week.dispose());
  clients.fire();
  await settled();
  assert.equal(told.asked, 0);
  week.want();
  await settled();
  assert.equal(told.asked, 1);
});
