import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { systemClock } from "../../../src/engine/base/timing/clock.ts";
import { benchEnvironment } from "../../../src/engine/jobs/environment.ts";
import type { BenchAsk, JobView } from "../../../src/engine/jobs/answers/bench.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { connectService } from "../../../src/engine/service/client/client.ts";
import { processingOf, readsWithout, wordModel } from "./model.ts";
import { makeBenchWorkspace, processesBelow, type BenchWorkspace } from "./workspace.ts";
import { agentsCache, installClaude } from "../install.ts";
import { startStandIn, type StandIn } from "../stand-in/stand-in.ts";

/**
 * A window's bench: the service runs the real Claude Code, is killed midway, and continues with the remaining
 * runs.
 */

const installed = await installClaude("2.1.330", agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail, timeout: 180_000 };
const patience = 60_000; // ms for a few runs of the agent
const machine = "window";
let standIn: StandIn;
let workspace: BenchWorkspace;

before(async () => {
  standIn = await startStandIn({ tag: "service", lifeMs: 240_000 });
  standIn.setScript(wordModel().script);
  workspace = await makeBenchWorkspace(["one", "two"], {});
  // The service finds agents the way the window does, through the window's PATH.
  await mkdir(path.join(workspace.root, "bin"));
  if (installed.ok) await symlink(installed.value, path.join(workspace.root, "bin", "claude"));
});
after(async () => {
  await workspace.remove();
  await standIn.close();
});

test("a window's bench outlives its service, and no run counts twice", options, async () => {
  await workspace.purser(machine, ["service", "restart"]);
  const first = await connect();
  const choices = await first.ask("benchChoices", { workspace: workspace.folder, env: windowEnvironment() });
  assert.ok(choices.ok, choices.ok ? "" : choices.detail);
  assert.equal(choices.value.drivers.find(({ name }) => name === "claude")?.isReady, true);
  const planned = await first.ask("benchPlan", { ask: ask(), env: windowEnvironment() });
  assert.ok(planned.ok, planned.ok ? "" : planned.detail);
  assert.equal(planned.value.plan.runs, 2);
  const started = await first.ask("benchStart", {
    ask: ask(),
    env: windowEnvironment(),
    project: workspace.folder,
  });
  assert.ok(started.ok, started.ok ? "" : started.detail);
  const { id } = started.value;
  const begun = await until(first, id, ({ runs, live }) => runs.length >= 1 && live.length > 0);
  first.dispose();
  process.kill(await servicePid(), "SIGKILL");

  await workspace.purser(machine, ["service", "restart"]);
  const second = await connect();
  try {
    const stopped = await until(second, id, ({ state }) => state.kind === "interrupted");
    assert.deepEqual(
      stopped.runs.slice(0, begun.runs.length).map((run) => run.id),
      begun.runs.map((run) => run.id),
    );
    const resumed = await second.ask("benchResume", { id, env: windowEnvironment() });
    assert.ok(resumed.ok, resumed.ok ? "" : resumed.detail);
    const done = await until(second, id, ({ state }) => state.kind === "done");
    assert.deepEqual(
      done.runs.map(({ outcome, processingTokens }) => [outcome, processingTokens]),
      Array.from({ length: 2 }, () => ["passed", processingOf(readsWithout)]),
    );
    assert.equal(new Set(done.runs.map((run) => run.taskId)).size, 2);
    assert.deepEqual(await leftovers(), []);
  } finally {
    second.dispose();
  }
  const { stdout } = await workspace.purser(machine, ["baseline", "show", "--json"]);
  const { baselines } = z.object({ baselines: z.array(z.unknown()) }).parse(JSON.parse(stdout));
  assert.equal(baselines.length, 2, stdout);
});

type Client = Awaited<ReturnType<typeof connect>>;

async function connect() {
  const found = await connectService({
    home: purserPaths({ env: { PURSER_HOME: workspace.homeOf(machine) }, home: workspace.root }),
    machine: thisMachine(),
    clock: systemClock,
    version: "0.0.0",
    onProblem: (message) => assert.fail(message),
  });
  assert.ok(found.ok, found.ok ? "" : found.detail);
  return found.value;
}

function windowEnvironment(): Record<string, string> {
  return benchEnvironment({
    PATH: [path.join(workspace.root, "bin"), process.env["PATH"]].join(path.delimiter),
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
  });
}

function ask(): BenchAsk {
  return {
    kind: "bench",
    suite: { origin: "workspace", folder: workspace.folder },
    agents: ["backend"],
    taskIds: null,
    model: null,
    effort: null,
    driver: "claude",
    runs: 1,
    parallel: 1,
    tokenCap: null,
  };
}

async function until(client: Client, id: string, isThere: (view: JobView) => boolean): Promise<JobView> {
  const end = Date.now() + patience;
  for (;;) {
    const read = await client.ask("benchRead", { id });
    assert.ok(read.ok, read.ok ? "" : read.detail);
    const { view } = read.value;
    assert.ok(view !== null, `there is no ${id}`);
    if (isThere(view)) return view;
    assert.ok(Date.now() < end, `${JSON.stringify(view.state)}, ${view.runs.length} runs\n${await log()}`);
    await sleep(50);
  }
}

async function servicePid(): Promise<number> {
  const record = await readFile(path.join(workspace.homeOf(machine), "service.json"), "utf8");
  return Number(/"pid": ?(\d+)/u.exec(record)?.[1]);
}

async function log(): Promise<string> {
  return await readFile(path.join(workspace.homeOf(machine), "service.log"), "utf8");
}

async function leftovers(): Promise<string[]> {
  const folders = (await readdir(workspace.scratch)).filter((name) => name.startsWith("purser-bench-"));
  return [...folders, ...(await processesBelow(workspace.scratch))];
}
