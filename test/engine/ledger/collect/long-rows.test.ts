import assert from "node:assert/strict";
import { appendFileSync, truncateSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { rowsLeftOut } from "../../../../src/engine/ledger/collect/collect-source.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { open } from "../support/support.ts";
import { collectInto, countedBySession, responseLines } from "./support.ts";

it("a file with a row that is too long is reported, also after a restart, and its other rows count", async (t) => {
  const folder = scratchFolder(t);
  const name = "claude/projects/-work/session-1.jsonl";
  writeTree(folder, { [name]: responseLines(0, 2) });
  const file = path.join(folder, name);
  const { collector } = collectInto(await open(t, scratchFolder(t)), folder);
  assert.deepEqual((await collector.catchUp()).problems, []);
  truncateSync(file, 65 * 1024 * 1024);
  appendFileSync(file, `\n${responseLines(2, 3)}`);
  const ledger = await open(t, scratchFolder(t));
  const { collector: again } = collectInto(ledger, folder);
  for (let pass = 0; pass < 2; pass += 1)
    assert.deepEqual((await again.catchUp()).problems, [{ path: file, reason: rowsLeftOut }]);
  assert.equal(countedBySession(ledger).get("session-1")?.responses, 3);
  const { collector: restarted } = collectInto(ledger, folder);
  assert.deepEqual((await restarted.catchUp()).problems, [{ path: file, reason: rowsLeftOut }], "unchanged");
  appendFileSync(file, responseLines(3, 4));
  assert.deepEqual((await restarted.catchUp()).problems, [{ path: file, reason: rowsLeftOut }], "grown");
  assert.equal(countedBySession(ledger).get("session-1")?.responses, 4);
  truncateSync(file, 0);
  appendFileSync(file, responseLines(0, 2));
  assert.deepEqual((await restarted.catchUp()).problems, [], "rewritten");
});
