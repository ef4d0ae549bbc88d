import assert from "node:assert/strict";
import { test } from "node:test";
import { rulesJson } from "../../../../src/engine/cli/rules/rules-schema.ts";
import { fillHome, makeLedgerSetup } from "../support/ledger-place.ts";

const noService = { service: { program: "/no-service", execPath: "/no-runtime", isElectron: false } };
const note = /The ledger takes in nothing new: .*\/no-runtime: ENOENT/u;

test("shows the ledger on disk with the reason if no service can start", async (t) => {
  const setup = makeLedgerSetup(t);
  fillHome(setup);
  const { purser } = setup;
  const branches = await purser(["usage", "--by", "branch", "--json"]);
  assert.equal(branches.code, 0, branches.stderr);
  const added = await purser(["rules", "add", "backend", "--rule", "Run the tests before the end."]);
  assert.equal(added.code, 0, added.stderr);
  const id = added.stdout.split(" ")[0];
  const report = await purser(["report"]);
  assert.equal((await purser(["service", "stop"])).code, 0);

  const onDisk = await purser(["usage", "--by", "branch", "--json"], noService);
  assert.equal(onDisk.code, 0, onDisk.stderr);
  const figures = (json: string) => /"rows":[\s\S]*?"undated"/u.exec(json)?.[0];
  assert.equal(figures(onDisk.stdout), figures(branches.stdout));
  assert.match(onDisk.stdout, /"problems": \[\n.*\n.*\n.*no-runtime/u);
  assert.match((await purser(["usage", "--by", "tool"], noService)).stderr, note);

  const listed = await purser(["rules", "list", "--json"], noService);
  assert.equal(listed.code, 0, listed.stderr);
  assert.deepEqual(
    rulesJson.parse(JSON.parse(listed.stdout)).rules.map((rule) => rule.id),
    [id],
  );
  assert.match(listed.stderr, note);
  assert.match((await purser(["rules", "history", id ?? ""], noService)).stdout, /written by hand/u);
  const told = await purser(["report"], noService);
  assert.equal(told.stdout, report.stdout);
  assert.match(told.stderr, note);
  assert.equal((await purser(["rules", "approve", id ?? ""], noService)).code, 1, "nothing is changed");
});
