import { GuardArms } from "../../../../src/engine/hooks/guard-arms.ts";
import { defaults } from "../../../../src/engine/settings/shape.ts";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { SuitePaths } from "../../../../src/engine/bench/suite/folders.ts";
import { defaultGuardSettings } from "../../../../src/engine/settings/guard.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import { createJobQueue } from "../../../../src/engine/service/run-service.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { createRules } from "../../../../src/engine/rules/host/create-rules.ts";
import type { LogLevel } from "../../../../src/engine/base/log.ts";
import { open } from "../../ledger/support/support.ts";
import { childEnv } from "../../support/child-env.ts";
import { programs } from "../../support/programs.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { FakeCollecting } from "./fake-ledger.ts";
import { keptOf } from "./rules-service.ts";

/**
 * The jobs of a home with its own ledger, run in a separate process, with recordings or with a program as the agent.
 *
 * @param pace slowdown relative to the recordings
 */
export async function makeJobSetup(
  t: TestContext,
  suite: SuitePaths,
  { pace = 0, claude }: { readonly pace?: number; readonly claude?: string } = {},
) {
  const folder = scratchFolder(t);
  const workspace = path.join(folder, "workspace");
  const golden = path.join(workspace, ".purser", "golden");
  mkdirSync(golden, { recursive: true });
  cpSync(suite.folder, golden, { recursive: true });
  cpSync(suite.fixture, path.join(workspace, "fixture"), { recursive: true });
  writeFileSync(path.join(golden, "suite.json"), '{ "schema": 1, "fixture": "../../fixture" }\n');
  const root = path.join(folder, ".claude");
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: root, PURSER_HOME: path.join(folder, ".purser") };
  const worker = {
    ...childEnv,
    TMPDIR: scratchFolder(t),
    PURSER_REPLAY_PACE: String(pace),
    ...(claude === undefined ? {} : { PURSER_CLAUDE: claude }),
    ...env,
  };
  const home = purserPaths({ env, home: folder });
  const problems: string[] = [];
  const log = {
    write: (level: LogLevel, message: string) => {
      if (level !== "info") problems.push(message);
    },
  };
  const ledger = await open(t, scratchFolder(t));
  const context = { log, clock: systemClock };
  const host = new LedgerHost({
    ...context,
    places: [],
    collect: () => new FakeCollecting([]),
    open: () => Promise.resolve(succeed(keptOf(ledger))),
  });
  host.start();
  const settings = () => defaultGuardSettings;
  const rulesParts = createRules({
    ...context,
    ledger: host,
    settings,
    settingsOf: () => defaults,
    arms: new GuardArms(),
    env,
    userHome: folder,
    temporary: folder,
    home: { folder, mainFiles: path.join(folder, "main-files.json") },
  });
  t.after(() => rulesParts.finish());
  const pidFile = path.join(folder, "worker.pid");
  /** The jobs of a service; the next one continues what the last one left. */
  const serve = () => {
    const program = path.join(folder, "worker.mjs");
    writeFileSync(
      program,
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\nawait import(${JSON.stringify(programs.benchWorker)});\n`,
    );
    const jobs = createJobQueue({
      ...context,
      home,
      program,
      env: worker,
      ledger: host,
      rules: rulesParts.service,
    });
    t.after(() => jobs.stop());
    return jobs;
  };
  return {
    folder,
    workspace,
    root,
    ledger,
    rules: rulesParts.service,
    serve,
    problems,
    benches: home.benches,
    suite: { origin: "workspace" as const, folder: workspace },
    /** Simulates the system ending the process of the runs. */
    kill: () => process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL"),
  };
}

type Jobs = ReturnType<Awaited<ReturnType<typeof makeJobSetup>>["serve"]>;
type Job = NonNullable<Awaited<ReturnType<Jobs["jobs"]["read"]>>["view"]>;

/** Time for a process to start and make its runs on a slow machine. Milliseconds. */
const patience = 60_000;

/** The job, once it satisfies the predicate. */
export async function jobWhen(jobs: Jobs, id: string, is: (job: Job) => boolean): Promise<Job> {
  const deadline = performance.now() + patience;
  for (;;) {
    const { view } = await jobs.jobs.read(id);
    if (view !== null && is(view)) return view;
    if (performance.now() > deadline) throw new Error(`it is ${JSON.stringify(view?.state)}`);
    await pause(20);
  }
}
