import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { guardJson } from "../../../../src/engine/cli/guard/guard-schema.ts";
import { statusJson } from "../../../../src/engine/cli/sessions/sessions-outcome.ts";
import { usageJson } from "../../../../src/engine/cli/usage/usage-schema.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { engine } from "../../ledger/support/support.ts";
import { makeLedgerSetup, type LedgerSetup } from "../support/ledger-place.ts";
import { responseRow } from "../support/support.ts";

/** A stopped service's folder, with a ledger of two transcripts, of which one is gone. */
async function stopped(place: LedgerSetup): Promise<string> {
  const { box, purser } = place;
  box.transcript("s-1.jsonl", responseRow({ id: "1" }));
  const gone = box.transcript("s-2.jsonl", responseRow({ id: "2" }));
  assert.equal((await purser(["usage", "--by", "branch"])).code, 0);
  assert.equal((await purser(["service", "stop"])).code, 0);
  rmSync(gone);
  return purserPaths({ env: box.env, home: box.folder }).folder;
}

/** The same, after other hands changed the ledger's files. */
async function changed(place: LedgerSetup, sql: string): Promise<void> {
  const folder = await stopped(place);
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
    ['PRAGMA user_version = 20; CREATE TABLE "old sessions" (x)', /\(schema 20\)/u],
    ["DROP TABLE guard_hits", /its table guard_hits is missing/u],
    ["ALTER TABLE sessions RENAME COLUMN title TO heading", /its table sessions has no column title/u],
  ] as const)
    it(`reports it at once with the remedy: ${sql}`, async (t) => {
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
        assert.doesNotMatch(stderr, /Error:/u);
      }
      // Modes and rules need no ledger.
      const guard = await purser(["guard", "status", "--json"]);
      const { modes = [], counts, hits } = guardJson.parse(JSON.parse(guard.stdout));
      assert.deepEqual([guard.code, modes.length > 5, counts, hits], [0, true, undefined, undefined]);
      assert.match(guard.stderr, /^purser guard: the ledger cannot be opened: .+restore FILE/mu);
      const table = await purser(["usage"]);
      assert.equal(table.code, 0);
      assert.match(
        table.stderr,
        /Only what transcripts still have is counted, not the ledger: .+restore FILE/u,
      );
      const json = usageJson.parse(JSON.parse((await purser(["usage", "--json"])).stdout));
      assert.deepEqual([json.source, json.totals.responses], ["transcripts", 1]);
      assert.match(json.withoutLedger?.text ?? "", why);
      const live = statusJson.parse(JSON.parse((await purser(["status", "--json"])).stdout));
      assert.match(live.problems.find(({ path: of }) => of === "ledger")?.reason.text ?? "", why);
      assert.match((await purser(["status"])).stderr, /^The ledger cannot be opened: .+restore FILE/mu);
      assert.match((await purser(["doctor"])).stdout, /Without one: purser service stop, move all ledger\*/u);
    });

  it("is readable after a downgrade; usage names what it leaves out", async (t) => {
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

  it("is not replaced with a backup if a newer purser wrote tables that cannot be read here", async (t) => {
    const place = makeLedgerSetup(t);
    await changed(place, "PRAGMA user_version = 99; ALTER TABLE sessions RENAME COLUMN id TO name");
    for (const argv of asking) {
      const { code, stdout, stderr } = await place.purser(argv);
      assert.deepEqual([code, stdout], [1, ""], argv.join(" "));
      assert.match(stderr, /newer purser \(schema 99.+; update purser, or its extension/u);
      assert.doesNotMatch(stderr, /restore/u);
    }
    assert.match(
      (await place.purser(["doctor"])).stdout,
      /schema 99[^\n]+\n +update purser, or its extension\n/u,
    );
  });

  for (const [what, damage] of [
    ["cut off", (file: string) => truncateSync(file, 5000)],
    [
      "a folder",
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ["empty", (file: string) => truncateSync(file, 0)],
  ] as const)
    it(`starts empty and reports it if its files are ${what}`, async (t) => {
      const place = makeLedgerSetup(t);
      const folder = await stopped(place);
      for (const name of ledgerFiles(folder)) damage(path.join(folder, name));
      const { code, stdout } = await place.purser(["doctor"]);
      assert.equal(code, 1);
      assert.match(
        stdout,
        /The ledger is damaged: .+ledger\.sqlite is damaged.+\n +purser service restart moves/u,
      );
      for (const argv of asking) assert.equal((await place.purser(argv)).code, 0, argv.join(" "));
      const status = await place.purser(["ledger", "status"]);
      assert.match(
        status.stderr,
        /was damaged .+; it is kept as [^]+The transcripts still there are read again/u,
      );
    });

  it("is reported as recording nothing if its folder refuses, with or without a service", async (t) => {
    const { box, purser } = makeLedgerSetup(t);
    const { folder } = purserPaths({ env: box.env, home: box.folder });
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "");
    const { code, stderr } = await purser(["ledger", "status"]);
    assert.equal(code, 0);
    assert.match(stderr, /The ledger takes in nothing new: .+: ENOTDIR\n/u);
  });

  it(
    "is left unchanged while it may not be read, and is read again once it may",
    { skip: process.getuid?.() === 0 || process.platform === "win32" },
    async (t) => {
      const place = makeLedgerSetup(t);
      const folder = await stopped(place);
      const files = ledgerFiles(folder).map((name) => path.join(folder, name));
      for (const file of files) chmodSync(file, 0);
      for (const argv of asking) {
        const { code, stdout, stderr } = await place.purser(argv);
        assert.deepEqual([code, stdout], [1, ""], argv.join(" "));
        assert.match(stderr, /ledger\.sqlite: EACCES; allow yourself to read and write it/u);
        assert.doesNotMatch(stderr, /restore/u);
      }
      for (const file of files) assert.ok(statSync(file).size > 0);
      for (const file of files) chmodSync(file, 0o600);
      assert.equal((await place.purser(["service", "restart"])).code, 0);
      assert.match((await place.purser(["ledger", "status"])).stdout, /^responses +2\n/u);
    },
  );
});

/** Commands that need the ledger. */
const asking = [
  ["usage", "--by", "branch"],
  ["ledger", "status"],
  ["ledger", "check"],
  ["ledger", "export"],
  ["report"],
  ["rules", "list"],
  ["session", "show", "s-1"],
  ["learn", "status"],
];

function ledgerFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
}
