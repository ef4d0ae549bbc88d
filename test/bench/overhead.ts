/**
 * `npm run bench -- overhead`: measures the cost of a golden run apart from the agent's own time. The built-in suite is replayed, so the agent takes no
 * time; what is left is ours: copying the fixture, installing the agent, detecting changes, removing the copy, and writing the run into a real ledger.
 * Checks are the tasks' own programs, some of which run whole test suites: they are listed separately. Fails when the median run costs 1.5 s or more.
 */
import { plainSentence } from "../../src/engine/base/language.ts";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { thisMachine } from "../../src/engine/base/process/machine.ts";
import { entriesOfRun } from "../../src/engine/bench/bench-entries.ts";
import type { BenchRun } from "../../src/engine/bench/run-facts.ts";
import { prepareFixtureModules } from "../../src/engine/bench/fixture.ts";
import { loadSuite } from "../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../src/engine/bench/suite/folders.ts";
import { makeDriver } from "../../src/engine/bench/drivers/make.ts";
import { runBench } from "../../src/engine/bench/execute/run-bench.ts";
import { openLedgerThread } from "../../src/engine/ledger/ledger-thread.ts";
import { sourcePrograms } from "../../src/engine/service/launch/programs.ts";
import { quantileOf } from "./quantile.ts";

const engine = fileURLToPath(new URL("../../src/engine", import.meta.url));
const rounds = Number(process.argv[2] ?? 2);
/** Limit of our own milliseconds per run. */
const target = 1500;

const root = await mkdtemp(path.join(tmpdir(), "purser-overhead-"));
try {
  await measure();
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

async function measure(): Promise<void> {
  const suite = await loadSuite(sourceSuite(engine));
  if (!suite.ok) throw new Error(suite.detail.text);
  const clock = { now: () => performance.timeOrigin + performance.now() };
  const [scratch, folder, home] = ["scratch", "bench", "home"].map((name) => path.join(root, name));
  if (scratch === undefined || folder === undefined || home === undefined) throw new Error("no places");
  for (const each of [scratch, folder, home]) await mkdir(each);
  const driver = await makeDriver("replay", suite.value, {
    env: process.env,
    userHome: home,
    clock,
    scratch,
    pace: 0,
  });
  if (!driver.ok) throw new Error(driver.detail.text);
  const { ledgerPrograms } = sourcePrograms(engine);
  const task = { folder: home, wasmPath: ledgerPrograms.sqlWasm, models: {} };
  const ledger = await openLedgerThread(task, ledgerPrograms.ledger);
  if (!ledger.ok) throw new Error(ledger.detail.text);
  const recording: number[] = [];
  const record = async (run: BenchRun) => {
    const began = performance.now();
    const appended = await ledger.value.append(entriesOfRun(run));
    if (!appended.ok) throw new Error(appended.detail.text);
    recording.push(performance.now() - began);
  };
  const configurations = suite.value.agents.map(({ name }) => ({
    label: plainSentence("as it is"),
    agent: name,
    model: "claude-sonnet-5-5",
    effort: null,
    definition: null,
    memory: "Read a file once.",
    overlay: [],
    role: "candidate" as const,
  }));
  const began = performance.now();
  const answer = await runBench(
    {
      id: "overhead",
      suite: suite.value,
      configurations,
      taskIds: suite.value.tasks.map(({ id }) => id),
      runs: rounds,
      driver: "replay",
      seed: 1,
      parallel: 1,
      tokenCap: null,
      shard: null,
    },
    {
      clock,
      pid: process.pid,
      machine: thisMachine(),
      unique: randomUUID,
      folder,
      scratch,
      driver: driver.value,
      modules: (fixture, signal) => {
        const cache = path.join(homedir(), ".cache", "purser-overhead");
        return prepareFixtureModules(fixture, { cache, env: process.env, signal, clock });
      },
      pendingInstall: () => Promise.resolve(null),
      recorder: { record, expected: () => Promise.resolve(null), week: () => Promise.resolve(null) },
      mayRun: () => Promise.resolve({ allowed: true }),
      env: process.env,
      price: () => null,
    },
    new AbortController().signal,
    () => undefined,
  );
  await ledger.value.close();
  if (!answer.ok) throw new Error(answer.detail.text);
  const { runs } = answer.value;
  const ours = runs.map(({ overheadMs }, index) => overheadMs + (recording[index] ?? 0));
  const checks = runs.map(({ checkMs }) => checkMs);
  const both = ours.map((each, index) => each + (checks[index] ?? 0));
  const line = (what: string, all: readonly number[]) =>
    console.log(
      `${what.padEnd(44)} median ${seconds(quantileOf(all, 0.5))}, 90th percentile ${seconds(quantileOf(all, 0.9))}, most ${seconds(Math.max(...all))}`,
    );
  console.log(
    `${runs.length} replayed runs of ${suite.value.tasks.length} tasks in ${seconds(performance.now() - began)}`,
  );
  line("copy, install, compare, remove, record", ours);
  line("  of which recording in the ledger", recording);
  line("the tasks' own checks", checks);
  for (const { name } of suite.value.agents)
    line(
      `  ${name}`,
      runs.filter(({ agent }) => agent === name).map(({ checkMs }) => checkMs),
    );
  line("all of it, a run", both);
  const usual = quantileOf(ours, 0.5);
  if (usual >= target) {
    console.error(
      `The median run takes ${seconds(usual)} of ours; it is to take less than ${seconds(target)}.`,
    );
    process.exitCode = 1;
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
