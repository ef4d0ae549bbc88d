import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { benchJson, type BenchJson } from "../../../src/engine/cli/bench/bench-schema.ts";
import { processingOf, readsWithout, wordModel } from "./model.ts";
import { makeBenchWorkspace, processesBelow, type BenchWorkspace } from "./workspace.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { startStandIn, type StandIn } from "../stand-in/stand-in.ts";

/** `purser bench` with the real Claude Code in its own processes: killed, interrupted, and several at once. */

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 120_000 };
const names = ["one", "two"];
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

const asked = ["bench", "--driver", "claude", "--yes"];
const once = ["--runs", "1", "--seed", "7"];

function parsed({ stdout, stderr }: { stdout: string; stderr: string }): BenchJson {
  assert.notEqual(stdout, "", stderr);
  return benchJson.parse(JSON.parse(stdout));
}

function measured({ runs, tasks, id, state }: BenchJson) {
  const plain = runs
    .filter(({ outcome }) => outcome !== "cancelled")
    .map((run) => [firstTry(run.id), run.outcome, run.usage, run.turns, run.toolCalls, run.filesReread]);
  return { plain, tasks: tasks.map((each) => ({ ...each, run1: null, best: null })), id, state };
}

/** The id of a run without its attempt number. */
function firstTry(id: string): string {
  return id.replace(/#\d+$/u, "");
}

async function leftovers(): Promise<string[]> {
  const folders = (await readdir(workspace.scratch)).filter((name) => name.startsWith("purser-bench-"));
  return [...folders, ...(await processesBelow(workspace.scratch))];
}

test(
  "interrupted, killed in the middle of a run and resumed, a bench measures what two processes' shards do together",
  options,
  async () => {
    const whole = await measuredInPieces();
    const passed = whole.runs.filter(({ outcome }) => outcome === "passed");
    assert.deepEqual(
      passed.map(({ processingTokens }) => processingTokens),
      names.map(() => processingOf(readsWithout)),
    );
    const shards = await Promise.all(
      [1, 2].map((index) =>
        workspace.purser(`machine-${index}`, [...asked, ...once, "--json", "--shard", `${index}/2`]),
      ),
    );
    for (const shard of shards) assert.equal(parsed(shard).runs.length, 1);
    const folders = [1, 2].map((index) =>
      path.join(workspace.homeOf(`machine-${index}`), "bench", `${whole.id}.${index}of2`),
    );
    const merged = parsed(await workspace.purser("joined", ["bench", "merge", ...folders, "--json"]));
    assert.deepEqual(measured(merged), measured(whole));
    assert.equal(await baselinesOf("joined"), await baselinesOf("whole"), "the ledger knows of joined runs");
    assert.deepEqual(await leftovers(), []);
  },
);

/** A bench of two runs, the second of which is interrupted, restarted and killed, then completed. */
async function measuredInPieces(): Promise<BenchJson> {
  const interrupted = workspace.purser("whole", [...asked, ...once]);
  const folder = await onlyBench("whole");
  const resume = ["--resume", path.basename(folder)];
  const made = await whenUnderWay(folder);
  interrupted.kill("SIGINT");
  const { stdout, exitCode } = await interrupted;
  assert.equal(exitCode, 130);
  assert.match(stdout, new RegExp(`purser bench ${resume.join(" ")}`, "u"));
  assert.deepEqual(await leftovers(), [], "Ctrl-C ends what was begun");

  const killed = workspace.purser("whole", [...asked, ...resume]);
  const before = await whenUnderWay(folder);
  assert.deepEqual(before.slice(0, made.length), made);
  killed.kill("SIGKILL");
  await killed;

  const whole = parsed(await workspace.purser("whole", [...asked, "--json", ...resume]));
  assert.equal(whole.state, "done", JSON.stringify(whole.runs.map(({ detail }) => detail)));
  assert.deepEqual((await linesIn(folder)).slice(0, before.length), before, "what was measured is kept");
  assert.equal(new Set(whole.runs.map(({ id }) => id)).size, whole.runs.length);
  assert.equal(measured(whole).plain.length, 2, "no run counts twice");
  assert.deepEqual(await leftovers(), []);
  return whole;
}

/** A machine's first and best runs from its ledger, with timestamps zeroed. */
async function baselinesOf(machine: string): Promise<string> {
  const { stdout } = await workspace.purser(machine, ["baseline", "show", "--json"]);
  assert.match(stdout, new RegExp(`"run1Tokens": ?${processingOf(readsWithout)}`, "u"));
  return stdout.replaceAll(/"\w*At": \d+/gu, '"at": 0');
}

/** Waits until one run is done and another is in progress; returns the lines of the bench's runs. */
async function whenUnderWay(folder: string): Promise<string[]> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const lines = await linesIn(folder);
    const processes = await processesBelow(workspace.scratch);
    if (lines.length > 0 && processes.some((environment) => environment.includes("purser-bench-")))
      return lines;
    await sleep(50);
  }
  throw new Error(`no second run in ${folder}`);
}

async function linesIn(folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, "runs.ndjson"), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
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
