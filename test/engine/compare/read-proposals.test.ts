import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "node:test";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { writeProposal, proposalFolder, readProposals } from "../../../src/engine/compare/proposal-files.ts";
import { assert } from "../support/assert-texts.ts";
import { scratchFolder } from "../support/scratch.ts";
import { winningReceipt } from "./support/winning-receipt.ts";

test("Proposals are found by their author, the newest first, those with the newest receipt", async (t) => {
  const workspace = scratchFolder(t);
  assert.deepEqual(await readProposals(workspace), []);
  const definition = "---\nname: sql\n---\nLess.\n";
  for (const at of [1, 3, 2]) {
    const receipt = winningReceipt({ at });
    const written = await writeProposal({ workspace, definition, receipt }, nodeFiles);
    assert.ok(written.ok);
    if (at !== 3) continue;
    const changed = (await readFile(written.value.receipt, "utf8")).replace(
      '"agent": "sql"',
      '"agent": "ui"',
    );
    await writeFile(written.value.receipt, changed);
  }
  await writeFile(path.join(proposalFolder(workspace), "mine.md"), "x");
  const found = await readProposals(workspace);
  const [newest, older, ...others] = found.map(({ receipt }) =>
    receipt.ok ? receipt.value.at : receipt.detail,
  );
  assert.deepEqual([newest, older], [2, 1]);
  assert.deepEqual(others.sort(), [
    "Its receipt cannot be read: ENOENT",
    "The receipt was changed after it was written.",
  ]);
  assert.ok(found.every((each) => each.receiptText.endsWith(".receipt.md")));
});
