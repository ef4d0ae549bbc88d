import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { selectJson } from "../../../../src/engine/cli/rules/select-schema.ts";
import { readReceipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { fakeClaude, noShell } from "../../support/fake-claude.ts";
import { selectPlace } from "./select-place.ts";
import { breaking, saving } from "./select-suite.ts";
import { Scratch } from "../support/support.ts";

test(
  "a rule is approved, measured and let in; one that breaks a task is evicted",
  { skip: noShell },
  async (t) => {
    const { purser, added, rules, memory } = await selectPlace(t, {
      PURSER_CLAUDE: fakeClaude(t, { saving, breaking }),
    });
    const select = ["select", "backend", "--yes"];
    const good = await added(saving);
    const early = await purser(...select);
    assert.match(early.stderr, /no rule to measure/u, "nothing is measured that was not approved");
    const bad = await added(breaking);
    for (const id of [good, bad]) await purser("rules", "approve", id);

    const measured = await purser(...select, "--json");
    assert.equal(measured.code, 0, measured.stderr);
    const { end, receipts } = selectJson.parse(JSON.parse(measured.stdout));
    assert.equal(end.kind, "done");
    assert.match(measured.stderr, /measured with the same runs, in at most \d+ rounds/u);
    assert.deepEqual(
      new Map(receipts.map(({ subject, together }) => [subject.id, together])),
      new Map([
        [good, [bad]],
        [bad, [good]],
      ]),
    );
    assert.deepEqual(new Set(receipts.map(({ driver }) => driver)), new Set(["claude"]));
    for (const receipt of receipts) assert.ok(readReceipt(JSON.stringify(receipt)).ok);
    const statuses = new Map((await rules()).map(({ id, status }) => [id, status]));
    assert.equal(statuses.get(good), "measured", measured.stderr);
    assert.equal(statuses.get(bad), "evicted", measured.stderr);

    assert.equal(existsSync(memory), false, "what passed waits for the user");
    await purser("rules", "approve", good);
    assert.match(readFileSync(memory, "utf8"), /^<!-- purser v1 .*\n- Open only the files/u);

    // The announcement is free: no round starts that may cost more than the budget.
    const audited = await purser(...select, "--budget", "1");
    assert.match(audited.stderr, /One rule of backend.*\n.*\(active, measured again\)/u);
    assert.equal((await purser(...select, "--audits", "none")).code, 1, "nothing is left to measure");

    const due = ["select", "backend", "--due"];
    assert.match((await purser(...due)).stderr, /--due needs a limit: --budget TOKENS, --usd USD, or both/u);
    const fresh = await purser(...due, "--budget", "1M");
    assert.deepEqual([fresh.code, /Nothing of backend is due/u.test(fresh.stderr)], [0, true], fresh.stderr);
    const other = [...due, "--model", "claude-haiku-4-5"];
    const asked = await purser(...other, "--budget", "1M");
    assert.match(asked.stderr, / is due: the model changed from \S+ to claude-haiku-4-5/u);
    assert.match(asked.stderr, /at most 1,000,000 tokens in all/u);
    assert.notEqual(asked.code, 0, "it asks before it spends, and here nobody answers");
    const before = (await rules()).flatMap((rule) => rule.receipts).length;
    const capped = await purser(...other, "--usd", "0.01", "--yes");
    assert.match(capped.stderr, /at most \S+ tokens in all/u, capped.stderr);
    assert.equal((await rules()).flatMap((rule) => rule.receipts).length, before, "no round fits the limit");
  },
);

test("a replayed rule is never let in, after any number of replays", async (t) => {
  const { purser, added, rules, memory } = await selectPlace(t);
  const ids = [await added(saving), await added(breaking)];
  for (const id of ids) await purser("rules", "approve", id);
  for (let times = 0; times < 2; times += 1) {
    const shown = await purser("select", "backend", "--driver", "replay", "--activate", "--yes");
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(
      shown.stderr,
      /Demo: replays a recording\. It says nothing about a model\. It decides nothing about rules/u,
    );
    assert.match(shown.stderr, /Demo, r[0-9a-f]{10} stays approved/u);
  }
  for (const rule of await rules())
    assert.deepEqual([rule.status, rule.strikes, rule.saving, rule.auditedAt], ["approved", 0, null, null]);
  assert.equal(existsSync(memory), false);
});

test("replays nothing without an agent: it reports what is missing, and how to try it", async (t) => {
  const { purser, added, rules } = await selectPlace(t, {
    PURSER_CLAUDE: "/no/claude",
    PURSER_CODEX: "/no/codex",
  });
  await purser("rules", "approve", await added(saving));
  for (const argv of [
    ["select", "backend", "--yes"],
    ["bench", "--yes"],
    ["compare", "model", "backend", "--model", "claude-haiku-4-5", "--yes"],
  ]) {
    const done = await purser(...argv);
    assert.notEqual(done.code, 0);
    assert.match(
      done.stderr,
      /no agent is ready\. .*\/no\/claude.*--driver replay \(a demo/u,
      argv.join(" "),
    );
  }
  assert.deepEqual((await rules())[0]?.receipts, []);
});

test("corrects wrong arguments", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  for (const [argv, words] of [
    [["select"], /missing AGENT/u],
    [["select", "nobody", "--driver", "replay"], /no tasks for "nobody"; it has for /u],
    [["select", "backend", "--budget", "much"], /--budget/u],
    [["select", "backend", "--audits", "some"], /--audits "some" is not all, none or a number/u],
  ] as const) {
    const done = await scratch.purser(argv);
    assert.deepEqual([done.code, words.test(done.stderr)], [2, true], done.stderr);
  }
});
