import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { systemClock } from "../../src/engine/base/clock.ts";
import { copyFixture } from "../../src/engine/bench/copy-fixture.ts";
import { prepareFixtureModules } from "../../src/engine/bench/fixture-modules.ts";
import { auditSuite } from "../../src/engine/bench/golden-audit.ts";
import { loadSuite } from "../../src/engine/bench/load-suite.ts";
import { sourceSuite } from "../../src/engine/bench/suite-folders.ts";
import type { Suite } from "../../src/engine/bench/suite.ts";
import { hostCache } from "../host/cache-folder.ts";

/** The suite that comes with purser: its tasks tell work from none, and its fixture is a project in good order. */
const places = sourceSuite(path.resolve(import.meta.dirname, "../../src/engine"));
const loaded = await loadSuite(places);
assert.ok(loaded.ok, loaded.ok ? "" : loaded.detail);
const suite: Suite = loaded.value;
const world = { env: process.env, clock: systemClock, signal: new AbortController().signal };
const modules = await prepareFixtureModules(suite.fixture, {
  ...world,
  cache: path.join(hostCache(process.env, homedir()), "fixture"),
});
const skip = !modules.ok && modules.reason === "offline" ? modules.detail : false;
const installed = modules.ok ? modules.value : null;
if (skip === false) assert.ok(modules.ok, modules.ok ? "" : modules.detail);

describe("golden tasks", { concurrency: 2, skip }, () => {
  for (const task of suite.tasks)
    it(`the check of ${task.id} tells work from none`, async () => {
      const ports = { ...world, scratch: tmpdir(), modules: installed, parallel: 1 };
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
    const copied = await copyFixture({ fixture: suite.fixture, to: copy(), modules: installed });
    assert.ok(copied.ok);
  });
  after(() => rm(root, { recursive: true, force: true }));

  // One of its tests fails in the evening, which is what a task is about.
  const atNoon = {
    FIXED_NOW: "2026-06-10T12:00:00Z",
    NODE_OPTIONS: `--import=${String(pathToFileURL(path.join(places.folder, "checks/shared/set-clock.ts")))}`,
  };

  const run = async (tool: string, ...args: readonly string[]) => {
    const ran = await execa("node", [path.join("node_modules", tool), ...args], {
      ...{ cwd: copy(), reject: false, all: true, stdin: "ignore" },
      env: { NODE_TEST_CONTEXT: undefined, NO_COLOR: "1", FORCE_COLOR: undefined, ...atNoon },
    });
    assert.equal(ran.exitCode, 0, ran.all);
  };

  it("has the types it says", () => run("typescript/bin/tsc"));

  it("passes its own tests", () => run("vitest/vitest.mjs", "run"));

  it("fits the checks' types", async () => {
    await cp(path.join(places.folder, "checks"), path.join(copy(), ".purser-check"), { recursive: true });
    const config = { extends: "./tsconfig.json", include: [".purser-check/**/*"] };
    await writeFile(path.join(copy(), "tsconfig.checks.json"), JSON.stringify(config));
    await run("typescript/bin/tsc", "-p", "tsconfig.checks.json");
  });

  it("tells a run nothing of what is wrong with it", () => {
    assert.deepEqual(
      [...suite.fixture.manifest.keys()].filter((file) => /bugs|golden|check/iu.test(file)),
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
