import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { succeed } from "../../../src/engine/base/result.ts";
import { RulesNudge } from "../../../src/engine/rules/nudge.ts";
import { open, appendEntries } from "../ledger/support/support.ts";
import { scratchFolder } from "../support/scratch.ts";
import { Scratch } from "../cli/support/support.ts";
import { hook, placeOf, post } from "../service/support/hooks.ts";
import { served } from "../service/support/rules-service.ts";

const hour = 3_600_000;
const morning = Date.UTC(2026, 10, 2, 8);

/** A ledger with rules of these statuses, and its clients. */
async function place(t: TestContext, ...statuses: string[]) {
  const ledger = await open(t, scratchFolder(t));
  for (const [index, status] of statuses.entries())
    await appendEntries(ledger, {
      kind: "rule",
      id: `r${index}`,
      agent: "scout",
      body: "Read once.",
      status,
    });
  const folder = scratchFolder(t);
  const problems: string[] = [];
  const context = { now: morning, problems };
  /** Starts a separate service. */
  const begin = (home = folder) =>
    new RulesNudge({
      home: { folder: home },
      ledger: { ask: (name, params) => Promise.resolve(succeed(ledger.ask(name, params))) },
      now: () => context.now,
      onProblem: (message) => void problems.push(message.text),
    });
  return { ledger, folder, context, begin };
}

test("A user is notified once a day by any client, across restarts", async (t) => {
  const { context, begin } = await place(t, "candidate", "measured", "active", "evicted");
  const nudge = begin();
  assert.equal(await nudge.claim(), 2);
  assert.deepEqual([await nudge.claim(), await begin().claim()], [0, 0]);
  context.now = morning + 23 * hour;
  assert.equal(await begin().claim(), 0);
  context.now = morning + 24 * hour;
  const both = await Promise.all([nudge.claim(), nudge.claim()]);
  assert.deepEqual(both.toSorted(), [0, 2], "of two who ask at once, one");
  assert.equal(context.problems.length, 0);
});

test("With nothing waiting no notice is used up; rules that come later in the day get one", async (t) => {
  const { ledger, begin } = await place(t, "active");
  const nudge = begin();
  assert.equal(await nudge.claim(), 0);
  await appendEntries(ledger, {
    kind: "rule",
    id: "r9",
    agent: "scout",
    body: "Search once.",
    status: "candidate",
  });
  assert.equal(await nudge.claim(), 1);
});

test("A caller that does not wait for the ledger gets nothing until the number is known, then the latest", async (t) => {
  const { begin } = await place(t, "candidate");
  const nudge = begin();
  assert.equal(nudge.claimNow(), null);
  await Promise.resolve();
  nudge.update({ waiting: 0 });
  assert.equal(nudge.claimNow(), 0);
  nudge.update({ waiting: 3 });
  assert.deepEqual([nudge.claimNow(), nudge.claimNow(), await nudge.claim()], [3, 0, 0]);
});

test("A wrong clock, or a file that is damaged or cannot be written, does not suppress notices", async (t) => {
  const { context, folder, begin } = await place(t, "candidate");
  const file = path.join(folder, "rules-told.json");
  context.now = morning + 9000 * hour;
  assert.equal(await begin().claim(), 1);
  context.now = morning;
  assert.equal(await begin().claim(), 1);
  for (const text of ["", "{", "[]", '{"schema":1,"at":"never"}', '{"schema":2}']) {
    writeFileSync(file, text);
    assert.equal(await begin().claim(), 1, text);
  }
  assert.match(readFileSync(file, "utf8"), /^\{"schema":1,"at":\d+\}\n$/u);
  assert.equal(context.problems.length, 0);
  const nowhere = begin(path.join(file, "below"));
  assert.deepEqual([await nowhere.claim(), await nowhere.claim()], [1, 0]);
  assert.match(context.problems.at(-1) ?? "", /^That rules wait was told, which is not kept: /u);
});

const proposed = {
  agent: "scout",
  origin: "hand" as const,
  rules: [{ text: "Read a file once and work from what you saw.", source: null }],
};

test("purser status notifies a person but not a pipe; then no starting session does", async (t) => {
  const { box, client } = await served(t);
  await client.ask("rulesPropose", proposed);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const status = (isTTY: boolean) =>
    scratch.purser(["status"], {
      isTTY,
      home: box.folder,
      now: () => Date.now(),
      version: () => "1.0.0",
      env: { ...box.env, CLAUDE_CONFIG_DIR: scratch.root },
    });
  assert.doesNotMatch((await status(false)).stderr, /wait/u);
  assert.match((await status(true)).stderr, /1 rule for your agents waits for you/u);
  assert.doesNotMatch((await status(true)).stderr, /wait/u);
  const answer = await post(placeOf(box.home), hook("SessionStart", { source: "startup" }));
  assert.equal(answer.body, "");
});

test("A starting session notifies its user, and then no window does", async (t) => {
  const { box, client } = await served(t);
  const changed = new Promise((resolve) => client.on("rulesChanged", resolve));
  await client.ask("rulesPropose", proposed);
  await changed;
  const answer = await post(placeOf(box.home), hook("SessionStart", { source: "startup" }));
  assert.match(answer.body, /^\{"systemMessage":"Context Purser: 1 rule for your agents waits/u);
  const window = await client.ask("rulesNudge", {});
  assert.equal(window.ok && window.value.waiting, 0);
});
