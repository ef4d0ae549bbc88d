import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { benchJson, type BenchJson } from "../../src/engine/cli/bench-schema.ts";
import { processingOf, readsWithout, wordModel } from "./bench-model.ts";
import { makeBenchWorkspace, processesBelow, type BenchWorkspace } from "./bench-workspace.ts";
import { agentsCache, installClaude } from "./install.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** `purser bench` with the real Claude Code, in processes of its own: killed, interrupted, and in several at once. */

const installed = await installClaude("2.1.330", agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail, timeout: 120_000 };
const names = ["one", "two", "three"];
let standIn: StandIn;
let workspace: BenchWorkspace;

before(async () => {
  standIn = await startStandIn({ tag: "processes", lifeMs: 240_000 });
  standIn.setScript(wordModel().script);
  workspace = await makeBenchWorkspace(names, {
    PURSER_CLAUDE: installed.ok ? installed.value : "",
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
  });
});
after(async () => {
  await workspace.remove();
  await standIn.close();
});

const asked = ["bench", "--driver", "claude", "--yes", "--json"];

function told({ stdout, stderr }: { stdout: string; stderr: string }): BenchJson {
  assert.notEqual(stdout, "", stderr);
  return benchJson.parse(JSON.parse(stdout));
}

function measured({ runs, tasks, id, state }: BenchJson) {
  const plain = runs.map((run) => [
    run.id,
    run.outcome,
    run.usage,
    run.turns,
    run.toolCalls,
    run.filesReread,
  ]);
  return { plain, tasks: tasks.map((each) => ({ ...each, run1: null, best: null })), id, state };
}

async function leftovers(): Promise<string[]> {
  const folders = (await readdir(workspace.scratch)).filter((name) => name.startsWith("purser-bench-"));
  return [...folders, ...(await processesBelow(workspace.scratch))];
}

test("three processes' shards are together what one process measures", options, async () => {
  const request = [...asked, "--runs", "1", "--seed", "7"];
  const whole = told(await workspace.purser("whole", request));
  assert.equal(whole.state, "done", JSON.stringify(whole.runs.map(({ detail }) => detail)));
  assert.ok(whole.runs.every(({ processingTokens }) => processingTokens === processingOf(readsWithout)));
  const shards = await Promise.all(
    [1, 2, 3].map((index) => workspace.purser(`machine-${index}`, [...request, "--shard", `${index}/3`])),
  );
  for (const shard of shards) assert.equal(told(shard).runs.length, 1);
  const folders = [1, 2, 3].map((index) =>
    path.join(workspace.homeOf(`machine-${index}`), "bench", `${whole.id}.${index}of3`),
  );
  const merged = told(await workspace.purser("joined", ["bench", "merge", ...folders, "--json"]));
  assert.deepEqual(measured(merged), measured(whole));
  assert.equal(await baselinesOf("joined"), await baselinesOf("whole"), "the ledger knows of joined runs");
  assert.deepEqual(await leftovers(), []);
});

/** What the ledger of a machine has of the first and best runs, without when they were made. */
async function baselinesOf(machine: string): Promise<string> {
  const { stdout } = await workspace.purser(machine, ["baseline", "show", "--json"]);
  assert.match(stdout, new RegExp(`"run1Tokens": ?${processingOf(readsWithout)}`, "u"));
  return stdout.replaceAll(/"\w*At": \d+/gu, '"at": 0');
}

/** The lines of a bench's runs, once there are so many and another run is under way. */
async function whenUnderWay(folder: string, count: number): Promise<string[]> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const text = await readFile(path.join(folder, "runs.ndjson"), "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line !== "");
    if (lines.length >= count && (await processesBelow(workspace.scratch)).length > 0) return lines;
    await sleep(50);
  }
  throw new Error(`no ${count} runs in ${folder}`);
}

async function onlyBench(machine: string): Promise<string> {
  const folder = path.join(workspace.homeOf(machine), "bench");
  for (let waited = 0; waited < 60_000; waited += 50) {
    const [name] = await readdir(folder).catch(() => []);
    if (name !== undefined) return path.join(folder, name);
    await sleep(50);
  }
  throw new Error(`no bench in ${folder}`);
}

test("killed in the middle of a run and resumed, no run counts twice", options, async () => {
  const running = workspace.purser("killed", [...asked, "--runs", "1", "--seed", "9"]);
  const folder = await onlyBench("killed");
  const before = await whenUnderWay(folder, 1);
  running.kill("SIGKILL");
  await running;
  const resumed = told(await workspace.purser("killed", [...asked, "--resume", path.basename(folder)]));
  assert.equal(resumed.state, "done");
  assert.equal(resumed.runs.length, 3);
  assert.equal(new Set(resumed.runs.map(({ id }) => id)).size, 3);
  const lines = (await readFile(path.join(folder, "runs.ndjson"), "utf8")).trim().split("\n");
  assert.deepEqual(lines.slice(0, before.length), before);
  assert.equal(lines.length, 3);
  assert.deepEqual(await leftovers(), []);
  await baselinesOf("killed");
});

test("interrupted with Ctrl-C, it ends what it began and says how to go on", options, async () => {
  const running = workspace.purser("interrupted", [
    ...asked.filter((each) => each !== "--json"),
    "--runs",
    "5",
    "--seed",
    "4",
  ]);
  const folder = await onlyBench("interrupted");
  await whenUnderWay(folder, 1);
  running.kill("SIGINT");
  const { stdout, exitCode } = await running;
  assert.equal(exitCode, 130);
  assert.match(stdout, new RegExp(`purser bench --resume ${path.basename(folder)}`, "u"));
  assert.deepEqual(await leftovers(), []);
});
