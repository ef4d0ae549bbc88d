import { assert } from "../../support/assert-texts.ts";
import test from "node:test";
import { sourceSuite } from "../../../../src/engine/bench/suite/folders.ts";
import { withoutLedger } from "../../../../src/engine/cli/usage/without-ledger.ts";
import { programs } from "../../support/programs.ts";
import { scratchFolder } from "../../support/scratch.ts";

test("if no service can start, usage names the reason and its remedy instead of a useless start", async (t) => {
  const home = scratchFolder(t);
  const out = { write: () => true };
  const host = {
    env: { PURSER_HOME: "own" },
    home,
    cwd: "/",
    now: () => 0,
    program: "/cli.ts",
    version: () => "1.2.3",
    signal: new AbortController().signal,
    scanWorker: "/none",
    service: { program: "/no-service", execPath: "/no-runtime", isElectron: false },
    ledgerPrograms: programs.ledgerPrograms,
    pid: process.pid,
    suite: sourceSuite("/engine"),
    guide: "/guide",
    scratch: home,
    stdout: out,
    stderr: out,
  };
  const asked: string[] = [];
  const why = (code: string | null) =>
    withoutLedger(host, (folder) => {
      asked.push(folder);
      return code;
    });
  for (const code of ["ENOSPC", "EDQUOT"])
    assert.equal(
      await why(code),
      `the service cannot start: ${home}/own: ${code}. What to do: free some space on that disk: nothing that was recorded is lost, and purser goes on by itself`,
    );
  assert.match((await why("EROFS"))?.text ?? "", /make its disk writable/u);
  for (const code of [null, "ENOENT"])
    assert.match((await why(code))?.text ?? "", /purser service start starts it/u);
  assert.deepEqual(new Set(asked), new Set([`${home}/own`]));
});
