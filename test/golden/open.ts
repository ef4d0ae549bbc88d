import assert from "node:assert/strict";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../src/engine/base/timing.ts";
import { prepareFixtureModules } from "../../src/engine/bench/fixture.ts";
import type { AuditPorts } from "../../src/engine/bench/golden/audit.ts";
import { loadSuite } from "../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../src/engine/bench/suite/folders.ts";
import { succeed } from "../../src/engine/base/result.ts";
import type { Fixture, Suite } from "../../src/engine/bench/suite/suite.ts";
import { hostCache } from "../host/cache-folder.ts";

export interface OpenGolden {
  readonly suite: Suite;
  /** Folder of the suite: its tasks, checks and recordings. */
  readonly folder: string;
  readonly ports: AuditPorts;
  readonly fixture: Fixture;
  readonly modules: string | null;
  /** Why its packages are missing: there is no network. */
  readonly missing: string | null;
}

/** Opens the suite shipped with purser, and its fixture's packages. */
export async function openGolden(): Promise<OpenGolden> {
  const paths = sourceSuite(path.resolve(import.meta.dirname, "../../src/engine"));
  const loaded = await loadSuite(paths);
  assert.ok(loaded.ok, loaded.ok ? "" : loaded.detail.text);
  const { fixture } = loaded.value;
  assert.ok(fixture !== null);
  const context = { env: process.env, clock: systemClock, signal: new AbortController().signal };
  const modules = await prepareFixtureModules(fixture, {
    ...context,
    cache: path.join(hostCache(process.env, homedir()), "fixture"),
  });
  const missing = !modules.ok && modules.reason === "offline" ? modules.detail : null;
  if (missing === null) assert.ok(modules.ok, modules.ok ? "" : modules.detail.text);
  const installed = modules.ok ? modules.value : null;
  const ports = {
    ...context,
    scratch: tmpdir(),
    modules: () => Promise.resolve(succeed(installed)),
    parallel: 1,
  };
  return {
    suite: loaded.value,
    folder: paths.folder,
    ports,
    fixture,
    modules: installed,
    missing: missing?.text ?? null,
  };
}
