import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test, type TestContext } from "node:test";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { readBench, writeRuns } from "../../../src/engine/bench/state/state.ts";
import { cellKey } from "../../../src/engine/bench/execute/schedule.ts";
import { compareJson, type CompareJson } from "../../../src/engine/cli/compare/compare-schema.ts";
import { writeFiles } from "../../engine/bench/support/disk-suite.ts";
import {
  agentText,
  makeCompareSetup,
  model,
  variantText,
  type CompareSetup,
} from "../../engine/cli/compare/setup.ts";
import { Scratch } from "../../engine/cli/support/support.ts";
import { copyOf } from "./model.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import type { SeenRequest } from "../stand-in/request.ts";
import { roleOf, sessionOf } from "../stand-in/role.ts";
import { startStandIn, type Script, type StandIn } from "../stand-in/stand-in.ts";

/** The real Claude Code compares models and prompts against a stand-in of its API that plays them at known cost. */

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 120_000 };
const program = installed.ok ? installed.value : "";
const never = new AbortController().signal;
let standIn: StandIn;

before(async () => {
  standIn = await startStandIn({ tag: "compare", lifeMs: 240_000 });
});
after(() => standIn.close());

const haiku = "claude-haiku-4-5";
/** Part of the shipped prompt and of none of the variants. */
const wasteful = "You read every file first.";

interface Played {
  /** Processing tokens of a run. */
  readonly tokens: (request: SeenRequest) => number;
  readonly fails?: (request: SeenRequest) => boolean;
  /** The reply to a request to rewrite the agent. */
  readonly rewrite?: string;
  /** Called at the start of each run with its ordinal number. */
  readonly onRun?: (count: number) => void;
}

/**
 * Plays a model on the suite's tasks: one reply that writes, and one that reports it. Counts rewrites and
 * measuring requests separately.
 */
function play({ tokens, fails, rewrite = "", onRun = () => undefined }: Played) {
  const steps = new Map<string, number>();
  const seen = { rewrites: 0, measuring: 0 };
  const script: Script = (request) => {
    if (request.systemText.includes("You rewrite the definitions of coding agents.")) {
      seen.rewrites += 1;
      assert.deepEqual(request.toolNames, []);
      return says(
        JSON.stringify({ definition: rewrite, why: "It says the same." }),
        usageOf(2000, 0, 0, 300),
      );
    }
    if (roleOf(request) !== "main") return says('{"title": "A title"}', usageOf(1, 0, 0, 1));
    seen.measuring += 1;
    const step = steps.get(sessionOf(request)) ?? 0;
    steps.set(sessionOf(request), step + 1);
    if (step === 0) onRun(steps.size);
    const isDone = step > 0 || fails?.(request) === true;
    const whole = fails?.(request) === true ? 1 : 2;
    const usage = usageOf(tokens(request) / whole - 50, 0, 900, 50);
    return isDone ? says("Done.", usage) : calls("Write", writtenBy(request), usage);
  };
  standIn.setScript(script);
  return seen;
}

function writtenBy(request: SeenRequest) {
  const word = /src\/(\w+)\.txt/u.exec(request.firstText)?.[1] ?? "none";
  return { file_path: `${copyOf(request)}/src/${word}.txt`, content: "done\n" };
}

interface Asked {
  readonly argv: readonly string[];
  readonly signal?: AbortSignal;
}

async function purser(t: TestContext, place: CompareSetup, { argv, signal = never }: Asked) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const env = {
    PATH: process.env["PATH"],
    CLAUDE_CONFIG_DIR: path.join(place.home, ".claude"),
    PURSER_CLAUDE: program,
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  const host = { home: place.home, cwd: place.workspace, scratch: place.scratch, suite: place.suite, env };
  const usual = ["--driver", "claude", "--yes", "--parallel", "2", "--json"];
  const printed = await scratch.purser([...argv, ...usual], { ...host, signal, now: () => Date.now() });
  assert.deepEqual(await readdir(place.scratch), [".keep"], "a folder was left");
  assert.deepEqual(standIn.failures, []);
  assert.notEqual(printed.stdout, "", printed.stderr);
  const json: CompareJson = compareJson.parse(JSON.parse(printed.stdout));
  assert.equal(json.exitCode, printed.code);
  return { ...printed, reported: json };
}

const tasks = ["two", "three"];
/** In a round each task runs once per side. */
const runsOfRound = 2 * tasks.length;

/**
 * A comparison that needs many rounds. The real agent plays the first round, is interrupted in the second, and plays the last task of the
 * last; the rounds between are copies of the first, written into the bench's folder. This tests resuming midway, too.
 */
async function inManyRounds(
  t: TestContext,
  place: CompareSetup,
  argv: readonly string[],
  played: Played,
  rounds: number,
) {
  const interrupt = new AbortController();
  const seen = play({
    ...played,
    onRun: (count) => {
      if (count > runsOfRound) interrupt.abort();
    },
  });
  const first = await purser(t, place, { argv, signal: interrupt.signal });
  assert.equal(first.code, 130, first.stderr);
  const [name = ""] = await place.benches();
  const folder = path.join(place.home, ".purser", "bench", name);
  const bench = await readBench(folder);
  assert.ok(bench.ok && bench.value !== null);
  const round = bench.value.runs.filter((run) => run.round === 1);
  assert.equal(round.length, runsOfRound);
  const all = Array.from({ length: rounds }, (_, index) => round.map(inRound(index + 1))).flat();
  const isLast = (run: BenchRun) => run.round === rounds && run.taskId === "backend-two";
  await writeRuns(
    folder,
    all.filter((run) => !isLast(run)),
  );
  const before = seen.measuring;
  const { reported: printed, stderr } = await purser(t, place, { argv });
  assert.ok(seen.measuring > before, "the real agent made the last task");
  assert.deepEqual(await place.benches(), [name], "it went on");
  return { reported: printed, stderr, seen };
}

/** Moves a run to another round. */
function inRound(round: number): (run: BenchRun) => BenchRun {
  return (run) => ({ ...run, round, id: `${run.benchId}:${cellKey({ ...run, round })}` });
}

const tokensOf = ({ sides }: CompareJson) => sides.map(({ figures }) => figures?.processingTokens);

test("names the cheaper of two models, with the played saving", options, async (t) => {
  const place = await makeCompareSetup(t, [], tasks);
  const played = { tokens: (request: SeenRequest) => (request.model === haiku ? 3000 : 5000) };
  const argv = ["compare", "model", "backend", "--model", haiku, "--runs", "4"];
  const { reported, stderr } = await inManyRounds(t, place, argv, played, 4);
  // So large a saving outweighs the failures that so few runs cannot exclude.
  assert.deepEqual([reported.exitCode, reported.verdict?.kind], [0, "saves"], stderr);
  assert.deepEqual(tokensOf(reported), [5000, 3000]);
  const { saving = null } = reported.verdict ?? {};
  const holds =
    saving !== null && saving.low <= 2001 && saving.high >= 1999 && Math.round(saving.value) === 2000;
  assert.ok(holds, JSON.stringify(saving));
  assert.deepEqual(
    reported.sides.map((side) => side.model),
    [model, haiku],
  );
});

test("A prompt that fails a task never wins, though it costs a fifth", options, async (t) => {
  const place = await makeCompareSetup(t, [], tasks);
  await writeFiles(place.workspace, { "short.md": variantText });
  const isShort = (request: SeenRequest) => !request.systemText.includes(wasteful);
  const fails = (request: SeenRequest) => isShort(request) && request.firstText.includes("src/two.txt");
  const played = { tokens: (request: SeenRequest) => (isShort(request) ? 1000 : 5000), fails };
  const argv = ["compare", "prompt", "backend", "--variant", "short.md"];
  const { reported } = await inManyRounds(t, place, argv, played, 4);
  assert.deepEqual([reported.exitCode, reported.verdict?.kind], [1, "regression"]);
  const regressed = reported.verdict?.tasks.filter((task) => task.regressed).map(({ taskId }) => taskId);
  assert.deepEqual(regressed, ["backend-two"]);
});

test("A rewrite that wins is proposed with its receipt, and never applied", options, async (t) => {
  const place = await makeCompareSetup(t, [], tasks);
  const isShort = (request: SeenRequest) => !request.systemText.includes(wasteful);
  const played = {
    tokens: (request: SeenRequest) => (isShort(request) ? 3000 : 5000),
    rewrite: variantText,
  };
  const { reported, stderr, seen } = await inManyRounds(t, place, ["shorten-prompt", "backend"], played, 4);
  assert.deepEqual([reported.exitCode, reported.verdict?.kind, seen.rewrites], [0, "saves", 1], stderr);
  assert.deepEqual(tokensOf(reported), [5000, 3000]);
  const proposals = path.join(place.workspace, ".purser", "proposals");
  const names = (await readdir(proposals)).map((name) => name.replace(/^backend-[0-9a-f]{10}/u, ""));
  assert.deepEqual(names.sort(), [".md", ".receipt.json", ".receipt.md"]);
  assert.equal(await readFile(reported.files.proposal ?? "", "utf8"), variantText);
  assert.equal(await readFile(path.join(place.suite.folder, "agents/backend.md"), "utf8"), agentText);
});

test("A rewrite that changes protected frontmatter is refused: nothing measures it", options, async (t) => {
  const place = await makeCompareSetup(t, [], tasks);
  const rewrite = variantText.replace("tools: Read, Edit", "tools: Read, Edit, Bash, WebFetch");
  const seen = play({ tokens: () => 3000, rewrite });
  const { reported: printed, stderr } = await purser(t, place, { argv: ["shorten-prompt", "backend"] });
  assert.deepEqual([printed.exitCode, printed.state, printed.verdict], [1, "refused", null]);
  assert.match(stderr, /It changes tools of the frontmatter/u);
  assert.deepEqual(seen, { rewrites: 1, measuring: 0 });
});
