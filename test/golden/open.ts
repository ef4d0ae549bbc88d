import assert from "node:assert/strict";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../src/engine/base/timing.ts";
import { prepareFixtureModules } from "../../src/engine/bench/fixture.ts";
import type { AuditPorts } from "../../src/engine/bench/golden/audit.ts";
import { loadSuite } from "../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../src/engine/bench/suite/folders.ts";
import type { Suite } from "../../src/engine/bench/suite/suite.ts";
import { hostCache } from "../host/cache-folder.ts";

export interface OpenGolden {
  readonly suite: Suite;
  /** Folder of the suite: its tasks, checks and recordings. */
  readonly folder: string;
  readonly ports: AuditPorts;
  /** Why its packages are missing: there is no network. */
  readonly missing: string | null;
}

/** Opens the suite shipped with purser, and its fixture's packages. */
export async function openGolden(): Promise<OpenGolden> {
  const paths = sourceSuite(path.resolve(import.meta.dirname, "../../src/engine"));
  const loaded = await loadSuite(paths);
  assert.ok(loaded.ok, loaded.ok ? "" : loaded.detail.text);
  const context = { env: process.env, clock: systemClock, signal: new AbortController().signal };
  const modules = await prepareFixtureModules(loaded.value.fixture, {
    ...context,
    cache: path.join(hostCache(process.env, homedir()), "fixture"),
  });
  const missing = !modules.ok && modules.reason === "offline" ? modules.detail : null;
  if (missing === null) assert.ok(modules.ok, modules.ok ? "" : modules.detail.text);
  const ports = { ...context, scratch: tmpdir(), modules: modules.ok ? modules.value : null, parallel: 1 };
  return { suite: loaded.value, folder: paths.folder, ports, missing: missing?.text ?? null };
}
