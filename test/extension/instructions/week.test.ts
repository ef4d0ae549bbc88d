import assert from "node:assert/strict";
import { test } from "node:test";
import { succeed } from "../../../src/engine/base/result.ts";
import { useOfFinding, type WeekOfUse } from "../../../src/engine/instructions/section-rent.ts";
import { instructionFileAt } from "../../../src/engine/instructions/instruction-file.ts";
import type { Freshness } from "../../../src/engine/ledger/ledger-answers.ts";
import { RentWeek } from "../../../src/extension/instructions/week.ts";
import { FakeConnection } from "../support/fake-connection.ts";
import { wake } from "../support/recurring.ts";

const noUse: WeekOfUse = {
  sessions: [],
  subagents: [],
  skills: [],
  charactersPerToken: [],
  usdPerToken: null,
};
const read: Freshness = { asOf: 5, files: 1, done: 1, problems: [] };

/** A service with configurable answers, which counts the requests. */
function makeService() {
  const reported = { use: noUse, freshness: read, asked: 0, since: 0, wakesAsked: 0 };
  const own = { agent: "keeper", project: "/work/app" };
  const service = new FakeConnection({
    useCounts: ({ asked: since }) => {
      reported.asked += 1;
      reported.since = since;
      return succeed({ answer: reported.use, freshness: reported.freshness });
    },
    wakes: () => {
      reported.wakesAsked += 1;
      const answer = [wake(own), wake(own), wake({ ...own, reason: "first" }), wake({ agent: "clerk" })];
      return succeed({ answer, freshness: reported.freshness });
    },
  });
  return { service, reported };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("requests the last seven days at the first look, then at most once a minute", async (t) => {
  const { service, reported } = makeService();
  let now = 10 * 24 * 60 * 60_000;
  const week = new RentWeek(service, () => now);
  t.after(() => week.dispose());
  let changes = 0;
  week.onChange(() => (changes += 1));
  await settled();
  assert.deepEqual([reported.asked, week.known], [0, null]);
  week.want();
  week.want();
  await settled();
  assert.deepEqual([reported.asked, reported.since, changes], [1, 3 * 24 * 60 * 60_000, 1]);
  assert.deepEqual(week.known, noUse);
  now += 59_000;
  week.want();
  await settled();
  assert.equal(reported.asked, 1);
});

test("has no figures during the first reading of transcripts, and requests them afterwards", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { service, reported } = makeService();
  reported.freshness = { ...read, asOf: null };
  const week = new RentWeek(service, () => 0);
  t.after(() => week.dispose());
  week.want();
  await Promise.resolve();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  assert.equal(week.known, null);
  reported.freshness = read;
  service.notices.ledgerChanged.fire({ freshness: read });
  t.mock.timers.tick(2000);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  assert.deepEqual([reported.asked, week.known], [2, noUse]);
});

test("requests wakes once a recurring agent's file is shown, and counts them", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { service, reported } = makeService();
  const week = new RentWeek(service, () => 0);
  t.after(() => week.dispose());
  const turns = async () => {
    t.mock.timers.tick(2000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  week.want();
  await turns();
  assert.deepEqual([reported.wakesAsked, week.known?.wakes], [0, undefined]);
  for (let times = 0; times < 3; times += 1) {
    week.wantWakes();
    await turns();
  }
  assert.equal(reported.wakesAsked, 1);
  const file = instructionFileAt("/work/app/.purser/agents/keeper.md", { folders: ["/work/app"], roots: [] });
  assert.ok(file !== null);
  const use = (prompt?: "wake") =>
    useOfFinding(prompt === undefined ? {} : { prompt }, "---\n---\nKeep.", file, week.known);
  assert.deepEqual(
    [use("wake"), use()],
    [
      { per: "wakes", times: 3 },
      { per: "wakes", times: 1 },
    ],
  );
});

test("requests the week again from another service, but only after a first look", async (t) => {
  const { service, reported } = makeService();
  const week = new RentWeek(service, () => 0);
  t.after(() => week.dispose());
  service.switchService();
  await settled();
  assert.equal(reported.asked, 0);
  week.want();
  await settled();
  assert.equal(reported.asked, 1);
});
