import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { usageJson } from "../../../../src/engine/cli/usage/schema.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { engine } from "../../ledger/support/support.ts";
import { makeLedgerSetup, type LedgerSetup } from "../support/ledger-place.ts";
import { responseRow } from "../support/support.ts";

/** A ledger of two transcripts, of which one is gone, after other hands changed its file. */
async function changed(place: LedgerSetup, sql: string): Promise<void> {
  const { box, purser } = place;
  box.transcript("s-1.jsonl", responseRow({ id: "1" }));
  const gone = box.transcript("s-2.jsonl", responseRow({ id: "2" }));
  assert.equal((await purser(["usage", "--by", "branch"])).code, 0);
  assert.equal((await purser(["service", "stop"])).code, 0);
  rmSync(gone);
  const { folder } = purserPaths({ env: box.env, home: box.folder });
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (/\.sums(?:\.json)?$/u.test(name)) rmSync(file);
    if (!name.endsWith(".sqlite")) continue;
    const db = new engine.Database(readFileSync(file));
    db.run(sql);
    writeFileSync(file, db.export());
    db.close();
  }
}

describe("a ledger that cannot be opened", { concurrency: true }, () => {
  for (const [sql, why] of [
    ["PRAGMA user_version = 20", /\(schema 20\)/u],
    ["DROP TABLE guard_hits", /its table guard_hits is missing/u],
    ["ALTER TABLE sessions RENAME COLUMN title TO heading", /its table sessions has no column title/u],
  ] as const)
    it(`is said at once, with what to do: ${sql}`, async (t) => {
      const place = makeLedgerSetup(t);
      const { purser } = place;
      await changed(place, sql);
      const unserved = await purser(["usage"]);
      assert.match(unserved.stderr, /Only what transcripts still have is counted.+the service does not run/u);
      for (const argv of [
        ["usage", "--by", "branch"],
        ["ledger", "status"],
        ["ledger", "check"],
        ["report"],
        ["rules", "list"],
        ["ledger", "export"],
      ]) {
        const { code, stdout, stderr } = await purser(argv);
        assert.deepEqual([code, stdout], [1, ""], argv.join(" "));
        assert.match(stderr, why);
        assert.match(stderr, /purser ledger restore FILE/u);
      }
      const table = await purser(["usage"]);
      assert.equal(table.code, 0);
      assert.match(
        table.stderr,
        /Only what transcripts still have is counted, not the ledger: .+restore FILE/u,
      );
      const json = usageJson.parse(JSON.parse((await purser(["usage", "--json"])).stdout));
      assert.deepEqual([json.source, json.totals.responses], ["transcripts", 1]);
      assert.match(json.withoutLedger ?? "", why);
      assert.match((await purser(["doctor"])).stdout, /Without one: purser service stop, move all ledger\*/u);
    });

  it("is read after a downgrade, and usage says what it leaves out", async (t) => {
    const place = makeLedgerSetup(t);
    const { purser } = place;
    await changed(place, "PRAGMA user_version = 99");
    const all = await purser(["usage", "--by", "branch"]);
    assert.match(all.stdout, /\nFrom the ledger, which takes in nothing new\.\n$/u);
    const status = await purser(["ledger", "status"]);
    assert.match(status.stdout, /^responses +2\n/u);
    assert.equal(status.stderr.match(/newer purser/gu)?.length, 1);
    const check = await purser(["ledger", "check"]);
    assert.equal(check.code, 1);
    assert.match(check.stdout, /^The ledger takes in nothing new: the ledger was written by a newer purser/u);
    assert.equal(check.stderr, "");
    const { stdout } = await purser(["doctor"]);
    assert.match(stdout, /The ledger takes in nothing new: .+newer purser/u);
    assert.doesNotMatch(stdout, /ledger: It could not be read/u);
    const table = await purser(["usage"]);
    assert.match(table.stderr, /Only what transcripts still have .+: it is read-only, .+update purser/u);
  });
});
