import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { defaultGuardSettings } from "../../../../src/engine/settings/guard.ts";
import { digestIdOf } from "../../../../src/engine/rules/distil/import-lines.ts";
import type { Need } from "../../../../src/engine/rules/needs.ts";
import type { Proposal } from "../../../../src/engine/rules/distil/propose.ts";
import type { RulesSettings } from "../../../../src/engine/rules/host/rules-host.ts";
import { RulesWatch } from "../../../../src/engine/rules/host/watch-rules.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { open, appendEntries } from "../../ledger/support/support.ts";
import { TranscriptLines } from "../support/transcript.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ServiceSandbox } from "../../service/support/box.ts";

const start = Date.UTC(2026, 10, 2);

/** A day with costly runs in the ledger, and its rules watch. */
async function watched(
  t: TestContext,
  settings: Partial<RulesSettings>,
  { answer = '{"rules":[]}', missing = [] }: { answer?: string; missing?: Need[] } = {},
) {
  const ledger = await open(t, scratchFolder(t));
  const folder = scratchFolder(t);
  const run = async (number: number, input: number, endedAt: number) => {
    const sessionId = `s-${number}`;
    const file = path.join(folder, `${sessionId}.jsonl`);
    writeFileSync(file, new TranscriptLines().read("/p/a.ts", 9000).read("/p/a.ts", 9000).lines.join("\n"));
    await appendEntries(
      ledger,
      {
        kind: "run",
        id: `${sessionId}:m`,
        sessionId,
        agent: "main",
        completed: true,
        input,
        output: 0,
        cacheCreation: 0,
        cacheRead: 0,
        startedAt: start,
        endedAt,
      },
      { kind: "position", path: file, identity: "1:2", offset: 1 },
    );
  };
  const hour = 3_600_000;
  for (const number of [1, 2, 3, 4, 5]) await run(number, 1000, start + number * 60_000);
  await run(6, 50_000, start + hour);
  await run(7, 60_000, start + 40 * hour);
  const proposals: Proposal[] = [];
  const now = start + 41 * hour;
  const asked: string[] = [];
  const begin = () => {
    const watch = new RulesWatch({
      ledger: {
        ask: (name, params) => Promise.resolve(succeed(ledger.ask(name, params))),
        append: (entries) => ledger.append(entries),
      },
      rules: {
        proposeAll: async (all, _who, beside) => {
          proposals.push(...all);
          await ledger.append(beside ?? []);
          return succeed({ proposed: all.map(({ text }) => ({ text, id: "r1", refused: null })) });
        },
      },
      clock: { ...new ServiceSandbox(t).servicePorts().clock, now: () => now },
      log: new ServiceSandbox(t).servicePorts().log,
      settings: () => ({ ...defaultGuardSettings, ...settings }),
      needs: () => Promise.resolve(missing),
      ask: ({ prompt, model }) => {
        asked.push(`${model}: ${prompt}`);
        return Promise.resolve(succeed({ text: answer, usage: noUsage }));
      },
    });
    t.after(() => watch.dispose());
    return watch;
  };
  return { begin, proposals, asked, ledger };
}

test("Costly runs of the last day are analyzed once each, except older ones and those with a rule", async (t) => {
  const { begin, proposals, asked, ledger } = await watched(t, {});
  const watch = begin();
  assert.equal(await watch.check(), 1);
  assert.deepEqual(
    proposals.map(({ source }) => source?.kind === "run" && source.sessionId),
    ["s-7"],
  );
  assert.equal(await watch.check(), 0, "once");
  assert.deepEqual(asked, [], "no model is asked unless the user said so");
  const digests = ledger.ask("ruleBook", null).receipts.filter(({ subject }) => subject === "digest");
  assert.deepEqual(
    digests.map(({ id }) => id),
    [digestIdOf(proposals[0]?.source ?? null)],
    "what the run did is told with what it shows",
  );
});

test("Findings of an agent with missing parts are stored once, and no model is asked", async (t) => {
  const settings = { rulesAskModel: true };
  const { begin, proposals, asked, ledger } = await watched(t, settings, { missing: [{ kind: "no-tasks" }] });
  const found = () => ledger.ask("ruleBook", null).receipts.filter(({ subject }) => subject === "finding");
  const watch = begin();
  assert.equal(await watch.check(), 0);
  assert.deepEqual(
    found().map(({ id, subjectId }) => [id, subjectId]),
    [["finding:s-7:m", "main"]],
  );
  await watch.check();
  await begin().check();
  assert.deepEqual([found().length, proposals, asked], [1, [], []]);
});

test("With askModel, the user's agent is asked once per run, also across restarts", async (t) => {
  const rule = "List a folder before you open files in it.";
  const { begin, proposals, asked } = await watched(
    t,
    { rulesAskModel: true },
    { answer: JSON.stringify({ rules: [rule] }) },
  );
  assert.equal(await begin().check(), 2);
  assert.deepEqual(
    proposals.map(({ origin }) => origin),
    ["trajectory", "model"],
  );
  assert.equal(proposals[1]?.text, rule);
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? "", /^haiku: .*60,000 processing tokens/u);
  assert.equal(await begin().check(), 1, "what its transcript shows, as before");
  assert.equal(asked.length, 1);
});

test("An invalid answer proposes nothing, and is not asked for again", async (t) => {
  const { begin, proposals, asked } = await watched(
    t,
    { rulesAskModel: true },
    { answer: "Sure! Here are some rules." },
  );
  assert.equal(await begin().check(), 1);
  await begin().check();
  assert.equal(asked.length, 1);
  assert.ok(proposals.every(({ origin }) => origin === "trajectory"));
});
