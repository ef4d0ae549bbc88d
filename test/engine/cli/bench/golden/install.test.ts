import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { goldenJson } from "../../../../../src/engine/cli/bench/golden/golden-schema.ts";
import { writeSuite } from "../../../bench/support/disk-suite.ts";
import { childEnv } from "../../../support/child-env.ts";
import { Scratch } from "../../support/support.ts";

async function placeFor(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const suite = await writeSuite(t);
  const env = { ...childEnv, CLAUDE_CONFIG_DIR: scratch.root };
  const purser = (...argv: string[]) => scratch.purser(["golden", ...argv], { suite, env });
  const file = path.join(scratch.root, "agents", "backend.md");
  const original = readFileSync(path.join(suite.folder, "agents", "backend.md"), "utf8");
  return { purser, file, original };
}

describe("agents of a golden suite, in a terminal", () => {
  it("are shown before they are written, and are written only after a yes", async (t) => {
    const { purser, file, original } = await placeFor(t);
    const shown = await purser("install", "--dry-run");
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /^--- \(no file\)\n\+\+\+ .+backend\.md\n\+---\n\+name: backend\n/u);
    for (const line of original.trim().split("\n"))
      assert.ok(shown.stdout.includes(`+${line.trimEnd()}\n`), line);
    const asked = await purser("install");
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /^purser golden install: no terminal to ask in; --yes does it/u);
    assert.equal(existsSync(file), false);
  });

  it("are written, found again, and removed", async (t) => {
    const { purser, file, original } = await placeFor(t);
    assert.equal((await purser("install", "--yes", "--agent", "backend")).code, 0);
    assert.equal(readFileSync(file, "utf8"), original);
    const again = await purser("install", "--yes");
    assert.match(again.stdout, /backend\.md already exists\nNothing was changed\n$/u);
    const gone = await purser("uninstall", "--yes", "--json");
    assert.deepEqual(goldenJson.parse(JSON.parse(gone.stdout)).files, [file]);
    assert.equal(existsSync(file), false);
    assert.match((await purser("uninstall", "--yes")).stdout, /^Nothing was changed\n$/u);
  });

  it("are neither overwritten nor removed after a change by someone else", async (t) => {
    const { purser, file } = await placeFor(t);
    assert.equal((await purser("install", "--yes")).code, 0);
    writeFileSync(file, "mine");
    for (const act of ["install", "uninstall"])
      assert.match((await purser(act, "--yes")).stdout, /it was left as it is\nNothing was changed\n$/u);
    assert.equal(readFileSync(file, "utf8"), "mine");
  });

  it("are named if another agent is requested", async (t) => {
    const { purser } = await placeFor(t);
    const { code, stderr } = await purser("install", "--agent", "nobody");
    assert.deepEqual(
      [code, stderr],
      [
        2,
        'purser golden install: there is no agent "nobody"; one of backend. See purser golden install --help.\n',
      ],
    );
  });
});
