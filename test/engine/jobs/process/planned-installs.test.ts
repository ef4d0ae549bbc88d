import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlannedInstall } from "../../../../src/engine/bench/plan.ts";
import type { Fixture } from "../../../../src/engine/bench/suite/suite.ts";
import { plannedInstalls } from "../../../../src/engine/jobs/process/planned-installs.ts";
import { suiteAt, writeSuite } from "../../bench/support/disk-suite.ts";

test("Complete packages are checked twice a minute, missing ones at every plan", async (t) => {
  const { fixture } = await suiteAt(await writeSuite(t));
  assert.ok(fixture !== null);
  let now = 0;
  let looks = 0;
  let missing: PlannedInstall | null = { packages: 2 };
  const look = () => {
    looks += 1;
    return Promise.resolve(missing);
  };
  const planned = plannedInstalls(look, { now: () => now });
  const after = async (time: number, of: Fixture = fixture) => {
    now += time;
    looks = 0;
    return [await planned(of), looks];
  };
  assert.deepEqual(await after(0), [{ packages: 2 }, 1]);
  assert.deepEqual(await after(1), [{ packages: 2 }, 1], "it may be installed by now");
  missing = null;
  assert.deepEqual(await after(1), [null, 1]);
  assert.deepEqual(await after(29_000), [null, 0]);
  const changed = { ...fixture, manifest: new Map([["package-lock.json", "0".repeat(64)]]) };
  assert.deepEqual(await after(0, changed), [null, 1], "another lock file is another install");
  missing = { packages: 2 };
  assert.deepEqual(await after(30_000, changed), [{ packages: 2 }, 1]);
  missing = null;
  assert.deepEqual(await after(0, changed), [null, 1]);
  assert.deepEqual(await after(-3_600_000, changed), [null, 1], "a clock that was set back");
});
