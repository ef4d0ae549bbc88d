import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { selectJson } from "../../../../src/engine/cli/rules/select-schema.ts";
import { readReceipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { fakeClaude, noShell } from "../../support/fake-claude.ts";
import { selectPlace } from "./select-place.ts";

const [first, second] = [
  "Open only the files a task names.",
  "Ask for one file at a time, never for a folder.",
];

test(
  "two found rules are confirmed together, and only then let in without asking",
  { skip: noShell },
  async (t) => {
    const { purser, added, rules, memory } = await selectPlace(t, { PURSER_CLAUDE: twoSavers(t) });
    const ids = [await added(first), await added(second)];
    for (const id of ids) await purser("rules", "approve", id);
    const done = await purser("select", "backend", "--yes", "--json", "--activate", "--grade", "proved");
    assert.equal(done.code, 0, done.stderr);
    const { set, receipts } = selectJson.parse(JSON.parse(done.stdout));
    assert.deepEqual([set?.decision, set?.found.toSorted()], ["confirmed", ids.toSorted()], done.stderr);
    assert.ok(readReceipt(JSON.stringify(set?.receipt)).ok);
    assert.deepEqual(
      set?.receipt?.set?.map(({ id, receiptId }) => [id, receiptId]).sort(),
      receipts.map(({ subject, id }) => [subject.id, id]).sort(),
    );
    assert.match(done.stderr, /rounds, 10 of them for what is found, together/u);
    assert.match(done.stderr, /is measured: Saves [\s\S]*All 2 rules together, against none: confirmed/u);
    for (const { status, set: whole } of await rules())
      assert.deepEqual([status, whole?.decision, whole?.rules], ["active", "confirmed", 2]);
    assert.ok(existsSync(memory) && readFileSync(memory, "utf8").includes(second));
    const shown = await purser("rules", "show", ids[0] ?? "");
    assert.match(shown.stdout, /All 2 rules together, against none: confirmed\. Saves /u);
    const again = await purser("select", "backend", "--yes", "--confirm");
    assert.match(again.stderr, /fewer than two rules of backend have passed/u);
  },
);

test(
  "a set that is found but not confirmed waits, reports that, and is confirmed on request",
  { skip: noShell },
  async (t) => {
    const { purser, added, rules, memory, benches } = await selectPlace(t, { PURSER_CLAUDE: twoSavers(t) });
    const unconfirmed = path.join(benches, "select-backend-claude.found.json");
    const ids = [await added(first), await added(second)];
    for (const id of ids) await purser("rules", "approve", id);
    const all = ["select", "backend", "--yes", "--json", "--activate", "--seed", "1", "--rounds", "8"];
    const made = await purser(...all, "--shard", "1/1");
    const { tokensSpent, part } = selectJson.parse(JSON.parse(made.stdout));
    assert.equal((await purser("bench", "merge", part?.bench ?? "")).code, 0);
    const poor = await purser(...all, "--budget", String(tokensSpent + 1000));
    const outcome = selectJson.parse(JSON.parse(poor.stdout));
    assert.deepEqual(
      [outcome.set?.decision, outcome.set?.found.toSorted()],
      [null, ids.toSorted()],
      poor.stderr,
    );
    assert.match(
      poor.stderr,
      /not confirmed together: the limit is too low .*purser select backend --confirm/u,
    );
    assert.deepEqual(
      (await rules()).map(({ status, set }) => [status, set?.decision]),
      [
        ["measured", null],
        ["measured", null],
      ],
    );
    assert.equal(existsSync(memory), false);
    const shown = await purser("rules", "show", ids[0] ?? "");
    assert.match(
      shown.stdout,
      /It and 1 more have passed, and were not measured together: purser select backend --confirm/u,
    );

    // As if it had been killed after its rules were settled: asked again, it goes on with them.
    const [receipt] = outcome.receipts;
    const key = `${receipt?.suiteHash ?? ""} ${receipt?.sides[0].model ?? ""} claude`;
    const keep = () => writeFileSync(unconfirmed, JSON.stringify({ version: 1, key, rules: ids }));
    keep();
    const resumed = await purser("select", "backend", "--yes", "--audits", "none");
    assert.match(resumed.stderr, /What was found of backend[\s\S]*against none: confirmed/u);
    assert.deepEqual(
      (await rules()).map(({ status, set }) => [status, set?.decision]),
      [
        ["measured", "confirmed"],
        ["measured", "confirmed"],
      ],
    );
    // Killed after the set was recorded, and before it was forgotten: it is not measured again.
    keep();
    const settled = await purser("select", "backend", "--yes", "--audits", "none");
    assert.match(settled.stderr, /no rule to measure/u);
    const later = await purser("select", "backend", "--yes", "--json", "--confirm");
    const again = selectJson.parse(JSON.parse(later.stdout));
    assert.deepEqual([again.set?.decision, again.receipts], ["confirmed", []], later.stderr);
    assert.ok((again.set?.receipt?.rounds.pooled ?? 0) > 0, "what is known of the same set counts");
    await purser("rules", "approve", ids[0] ?? "");
    assert.equal(existsSync(memory), true);
  },
);

/** An agent for which each of the two rules saves, and both more. */
function twoSavers(t: Parameters<typeof fakeClaude>[0]): string {
  return fakeClaude(t, { saving: first, breaking: "none such", also: second });
}
