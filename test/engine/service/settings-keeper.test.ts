import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { defaultGuardSettings } from "../../../src/engine/guard/guard-settings.ts";
import { SettingsKeeper } from "../../../src/engine/service/settings-keeper.ts";

describe("the service's settings", () => {
  let folder = "";
  let now = 0;
  let problems: string[] = [];
  const home = () => ({
    settings: path.join(folder, "settings.json"),
    windowSettings: path.join(folder, "window-settings.json"),
  });
  const keeper = () =>
    new SettingsKeeper({
      home: home(),
      clock: { now: () => now },
      onProblem: (message) => problems.push(path.basename(message)),
    });
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "purser-settings-"));
    now = 10_000;
    problems = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("follow the user's file within a second", () => {
    const kept = keeper();
    assert.deepEqual(kept.now(), defaultGuardSettings);
    writeFileSync(home().settings, '{ "stopGate": "ask" }');
    now += 1000;
    assert.equal(kept.now().stopGate, "ask");
    writeFileSync(home().settings, "{ half");
    now += 1000;
    assert.deepEqual(kept.now(), defaultGuardSettings);
    assert.deepEqual(problems, ["settings.json: it is no JSON; nothing of it holds"]);
    rmSync(home().settings);
    now += 1000;
    assert.deepEqual(kept.now(), defaultGuardSettings);
  });

  it("hold what a window told before what the file says, also for a service that comes after", () => {
    writeFileSync(home().settings, '{ "stopGate": "ask", "warnEveryCalls": 9 }');
    const kept = keeper();
    kept.tell({ stopGate: "advise", nonsense: 1 });
    assert.equal(kept.now().stopGate, "advise");
    assert.equal(kept.now().warnEveryCalls, 9);
    assert.equal(problems.length, 1);
    assert.deepEqual(keeper().now(), kept.now());
    kept.tell({});
    assert.equal(kept.now().stopGate, "ask");
    assert.equal(readFileSync(home().windowSettings, "utf8"), "{}\n");
  });
});
