import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { ledgerCheckJson, ledgerJson } from "../../../../src/engine/cli/ledger/ledger-status.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { makeLedgerSetup } from "../support/ledger-place.ts";
import { responseRow, Scratch } from "../support/support.ts";

const program = path.join(import.meta.dirname, "../../../../src/engine/cli/main.ts");

describe("purser ledger", { concurrency: true }, () => {
  it("shows its state; checks, compacts, exports, backs up and restores it", async (t) => {
    const { box, purser } = makeLedgerSetup(t);
    const done = async (...argv: string[]) => {
      const { code, stdout, stderr } = await purser(["ledger", ...argv]);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const status = async () => ledgerJson.parse(JSON.parse(await done("status", "--json")));
    assert.deepEqual([(await status()).exists, existsSync(box.home.folder)], [false, false]);
    assert.match(await done("status"), /^no ledger yet\n/u);
    assert.equal((await purser(["ledger", "export"])).code, 1);
    box.transcript("s-1.jsonl", responseRow({ id: "1" }) + responseRow({ id: "2", day: 21 }));
    assert.equal((await purser(["usage", "--by", "tool"])).code, 0);

    const served = await status();
    assert.deepEqual([served.source, served.responses, served.readOnly], ["service", 2, null]);
    assert.match(await done("status"), /^responses +2\nas of +\d\d:\d\d:\d\d\n/u);
    assert.deepEqual(ledgerCheckJson.parse(JSON.parse(await done("check", "--json"))).faults, []);
    assert.equal(await done("check"), "The ledger is fine\n");
    assert.match(await done("compact"), /^The ledger now has [\d,]+ bytes\n$/u);
    assert.match(await done("backup", "kept.sqlite"), /kept\.sqlite: [\d,]+ bytes\n$/u);
    const again = await purser(["ledger", "backup", "kept.sqlite"]);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /already exists; choose another name\n$/u);

    const csv = (await done("export", "--format", "csv")).trimEnd().split("\r\n");
    assert.deepEqual([csv.length, csv[0]?.startsWith("message_id,")], [3, true]);
    assert.equal((await done("export", "--format=csv", "--since", "2026-11-21")).split("\r\n").length, 3);
    assert.match(await done("export", "--format=csv", "--table=sessions"), /^id,program,/u);
    await done("export", "--format", "sqlite", "--output", "out.sqlite");
    assert.match(readFileSync(path.join(box.folder, "out.sqlite"), "latin1"), /^SQLite format 3/u);
    assert.equal((await purser(["ledger", "export", "--output", "out.sqlite"])).code, 1);
    const stdout = { isTTY: true, write: () => assert.fail("an SQLite file on a terminal") };
    assert.equal((await purser(["ledger", "export", "--format=sqlite"], { stdout })).code, 1);

    const { pid } = box.record();
    const restored = await done("restore", "kept.sqlite");
    assert.match(
      restored,
      new RegExp(`^The service, process ${pid}, was stopped\n.+ is now the ledger, with \\d+ `, "u"),
    );
    const replaced = /The previous ledger is in (.+)\n$/u.exec(restored)?.[1] ?? "";
    assert.ok(existsSync(path.join(replaced, "ledger.sqlite")));
    const alone = await status();
    assert.deepEqual([alone.source, alone.responses, alone.asOf], ["files", 2, null]);
  });

  it("streams to whom has read enough, and ends", async (t) => {
    const { box, purser } = makeLedgerSetup(t);
    box.transcript("s-1.jsonl", responseRow({ id: "1" }));
    assert.equal((await purser(["usage", "--by", "tool"])).code, 0);
    const child = spawn(process.execPath, [program, "ledger", "export"], {
      env: box.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [errors] = await Promise.all([text(child.stderr), once(child, "exit")]);
    assert.deepEqual([child.exitCode, errors], [0, ""]);
    await assert.rejects(purser(["ledger", "export"], { signal: AbortSignal.abort() }));
  });

  it("leaves the ledger unchanged when there is nothing to restore", async (t) => {
    const { box, purser } = makeLedgerSetup(t);
    writeFileSync(path.join(box.folder, "letter.txt"), "Dear all,");
    for (const [file, why] of [
      ["letter.txt", /letter\.txt is no ledger, or is damaged; the ledger was not changed\n$/u],
      ["none.sqlite", /none\.sqlite: ENOENT; the ledger was not changed\n$/u],
    ] as const) {
      const { code, stderr } = await purser(["ledger", "restore", file]);
      assert.equal(code, 1);
      assert.match(stderr, why);
    }
  });

  it("reports why a service cannot start", async (t) => {
    const scratch = new Scratch();
    t.after(() => scratch.dispose());
    const box = new ServiceSandbox(t);
    const { code, stderr } = await scratch.purser(["ledger", "check"], { env: box.env, home: box.folder });
    assert.deepEqual([code, stderr], [1, "purser ledger: /no-runtime: ENOENT\n"]);
  });

  it("prints one line with exit code 2 for wrong arguments", async (t) => {
    const { purser } = makeLedgerSetup(t);
    for (const argv of [
      ["begin"],
      ["status", "--nope"],
      ["backup"],
      ["restore", "--help=1"],
      ["export", "--format", "xml"],
      ["export", "--since", "soon"],
      ["export", "--table", "sessions"],
      ["export", "--format", "csv", "--table", "secrets"],
    ]) {
      const { code, stdout, stderr } = await purser(["ledger", ...argv]);
      assert.deepEqual([code, stdout], [2, ""], argv.join(" "));
      assert.match(stderr, /^purser ledger.*: .+\n$/u);
    }
    assert.equal((await purser(["ledger"])).code, 0);
    assert.match((await purser(["ledger", "check", "--help"])).stdout, /^purser ledger: purser's database/u);
  });
});
