import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { nodeRandomFiles } from "../../../../src/engine/ledger/pages/random-file.ts";
import { cannotOpen } from "../../../../src/engine/ledger/remedy.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, ids, ledgerPorts, open, response, systemError } from "../support/support.ts";

test("Files that may not be read or written stay unchanged, and are reported with the remedy", async (t) => {
  const folder = scratchFolder(t);
  const first = await open(t, folder);
  await appendEntries(first, response(1));
  await first.snapshot();
  await appendEntries(first, response(2));
  await first.close();
  const before = readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
  const denying = (isDenied: (name: string, access: string) => boolean): typeof nodeRandomFiles => ({
    ...nodeRandomFiles,
    open: (file, access) =>
      isDenied(path.basename(file), access)
        ? Promise.reject(systemError("EACCES"))
        : nodeRandomFiles.open(file, access),
  });
  for (const access of ["write", "read"] as const) {
    const files = denying((name) => name.endsWith(".sqlite"));
    const opened = await openLedger({ ...ledgerPorts(), folder, files, access });
    assert.ok(!opened.ok && opened.reason === "denied");
    assert.match(cannotOpen(opened).text, /ledger\.sqlite: EACCES; allow yourself to read and write it/u);
  }
  const shown = await open(t, folder, { files: denying((name) => name === "ledger.work.sqlite") });
  assert.equal(shown.readOnly?.reason, "unwritable_folder");
  assert.match(shown.readOnly.detail.text, /ledger\.work\.sqlite: EACCES\. What to do: allow yourself/u);
  assert.deepEqual(ids(shown), ["msg_1", "msg_2"]);
  await shown.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".sqlite")),
    before,
  );
  assert.deepEqual(ids(await open(t, folder)), ["msg_1", "msg_2"]);
});
