import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { copyFixture } from "../../src/engine/bench/fixture/copy.ts";
import { auditSuite } from "../../src/engine/bench/golden/audit.ts";
import type { GoldenTask } from "../../src/engine/bench/suite/suite.ts";
import { readStamps, stampOf } from "./audit-stamps.ts";
import { openGolden } from "./open.ts";

/** The suite shipped with purser: its tasks distinguish work from none, and its fixture is a project in good order. */
const { suite, folder, ports, fixture, modules, missing } = await openGolden();
const skip = missing ?? false;
const stamps = readStamps();
/** One task of each agent, plus those changed since their last audit. */
const audited = suite.tasks.filter((task) => isFirst(task) || !stamps.has(stampOf(suite, task)));

function isFirst({ id, agent }: GoldenTask): boolean {
  return suite.tasks.find((task) => task.agent === agent)?.id === id;
}

describe("golden tasks", { concurrency: 2, skip }, () => {
  for (const task of audited)
    it(`the check of ${task.id} tells work from none`, async () => {
      const [audit] = await auditSuite(suite, [task], ports);
      assert.deepEqual(audit?.faults, []);
      assert.equal(audit.trials.length, 2 + task.wrongPaths.length);
    });
});

describe("the fixture", { skip }, () => {
  let root = "";
  const copy = () => path.join(root, "project");
  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), "purser-fixture-"));
    const copied = await copyFixture({ fixture, to: copy(), modules });
    assert.ok(copied.ok);
  });
  after(() => rm(root, { recursive: true, force: true }));

  // One of its tests fails in the evening, which is the subject of a task.
  const atNoon = {
    FIXED_NOW: "2026-06-10T12:00:00Z",
    NODE_OPTIONS: `--import=${String(pathToFileURL(path.join(folder, "checks/shared/set-clock.ts")))}`,
  };

  const run = async (tool: string, ...args: readonly string[]) => {
    const ran = await execa("node", [path.join("node_modules", tool), ...args], {
      cwd: copy(),
      reject: false,
      all: true,
      stdin: "ignore",
      env: { NODE_TEST_CONTEXT: undefined, NO_COLOR: "1", FORCE_COLOR: undefined, ...atNoon },
    });
    assert.equal(ran.exitCode, 0, ran.all);
  };

  it("has the types it says", () => run("typescript/bin/tsc"));

  it("passes its own tests", () => run("vitest/vitest.mjs", "run"));

  it("fits the checks' types", async () => {
    await cp(path.join(folder, "checks"), path.join(copy(), ".purser-check"), { recursive: true });
    const config = { extends: "./tsconfig.json", include: [".purser-check/**/*"] };
    await writeFile(path.join(copy(), "tsconfig.checks.json"), JSON.stringify(config));
    await run("typescript/bin/tsc", "-p", "tsconfig.checks.json");
  });

  it("tells a run nothing of what is wrong with it", () => {
    assert.deepEqual(
      [...fixture.manifest.keys()].filter((file) => /bugs|golden|check/iu.test(file)),
      [],
    );
  });
});

it("there are four agents with four tasks each, at least", () => {
  assert.deepEqual(
    suite.agents.map(({ name }) => name),
    ["backend", "frontend", "sql", "testing"],
  );
  for (const { name } of suite.agents)
    assert.ok(suite.tasks.filter(({ agent }) => agent === name).length >= 4, name);
});
