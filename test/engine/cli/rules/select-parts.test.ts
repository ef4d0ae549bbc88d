import assert from "node:assert/strict";
import test from "node:test";
import { selectJson } from "../../../../src/engine/cli/rules/select-schema.ts";
import { fakeClaude, noShell } from "../../support/fake-claude.ts";
import { selectPlace } from "./select-place.ts";
import { breaking, saving } from "./select-suite.ts";

test(
  "makes, joins and judges parts of a selection with as many runs as one machine, and repeats none",
  { skip: noShell },
  async (t) => {
    const { purser, added, rules } = await selectPlace(t, {
      PURSER_CLAUDE: fakeClaude(t, { saving, breaking }),
    });
    for (const text of [saving, breaking]) await purser("rules", "approve", await added(text));
    const select = ["select", "backend", "--yes", "--seed", "3", "--rounds", "4", "--json"];
    const parts: string[] = [];
    for (const shard of ["1/2", "2/2"]) {
      const made = await purser(...select, "--shard", shard);
      assert.equal(made.code, 0, made.stderr);
      const { end, receipts, part } = selectJson.parse(JSON.parse(made.stdout));
      assert.deepEqual([end.kind, receipts.length, part?.rounds], ["done", 0, 4]);
      assert.match(made.stderr, /Results are judged once all parts are joined/u);
      parts.push(part?.bench ?? "");
    }
    assert.ok((await rules()).every(({ status }) => status === "approved"));
    const again = await purser(...select, "--shard", "1/2");
    assert.match(again.stderr, /(\d+) runs, \1 of them already completed/u);
    const half = await purser("bench", "merge", parts[0] ?? "");
    assert.match(half.stderr, /Shard 2 of 2 is missing/u);
    const merged = await purser("bench", "merge", ...parts);
    assert.equal(merged.code, 0, merged.stderr);

    const judged = await purser(...select);
    assert.equal(judged.code, 0, judged.stderr);
    const { receipts } = selectJson.parse(JSON.parse(judged.stdout));
    assert.deepEqual(
      receipts.map(({ question, seed }) => [question.firstLook, seed]),
      [
        [4, 3],
        [4, 3],
      ],
    );
    assert.deepEqual((await rules()).map(({ status }) => status).sort(), ["evicted", "measured"]);
  },
);

test("A part needs a seed, and rounds do too", async (t) => {
  const { purser } = await selectPlace(t);
  for (const argv of [
    ["--shard", "1/2"],
    ["--rounds", "4"],
  ]) {
    const done = await purser("select", "backend", "--driver", "replay", "--yes", ...argv);
    assert.deepEqual([done.code, done.stderr.includes("needs --seed")], [2, true], done.stderr);
  }
});
