import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { BenchOutcome, BenchRequest } from "../../src/engine/bench/bench-request.ts";
import type { BenchProgress } from "../../src/engine/bench/bench-progress.ts";
import { ClaudeDriver } from "../../src/engine/bench/drivers/claude-driver.ts";
import { runBench } from "../../src/engine/bench/run-bench.ts";
import {
  configuration,
  makeTinyBench,
  portsOf,
  requestOf,
  type TinyBench,
} from "../engine/bench/tiny-suite.ts";
import { writeFiles } from "../engine/bench/disk-suite.ts";
import { processingOf, readsWith, readsWithout, rule, wordModel } from "./bench-model.ts";
import { agentsCache, installClaude } from "./install.ts";
import { refuses } from "./reply.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** The real Claude Code measures a tiny suite, against a stand-in of its API that plays a model. */

const installed = await installClaude("2.1.330", agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail, timeout: 120_000 };
const program = installed.ok ? installed.value : "";
let standIn: StandIn;
let tiny: TinyBench;
let count = 0;

before(async () => {
  standIn = await startStandIn({ tag: "bench", lifeMs: 180_000 });
  tiny = await makeTinyBench();
});
after(async () => {
  await standIn.close();
  await tiny.remove();
});

const never = new AbortController().signal;

function ports(more: Readonly<Record<string, string | undefined>> = {}) {
  const env = {
    PATH: process.env["PATH"],
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    SECRET_OF_THE_PARENT: "never seen",
    CLAUDE_CODE_ENTRYPOINT: "never seen",
    ...more,
  };
  const userHome = path.join(tiny.root, "user");
  const clock = { now: () => Date.now() };
  const driver = new ClaudeDriver({ program, env, userHome, clock, scratch: tiny.scratch });
  return portsOf(tiny, driver);
}

async function bench(
  more: Partial<BenchRequest> = {},
  signal = never,
  onProgress?: (told: BenchProgress) => void,
  used = ports(),
) {
  count += 1;
  const configurations = [configuration(), configuration("with the rule", `- ${rule}\n`)];
  const request = requestOf(tiny, { id: `real-${count}`, configurations, ...more });
  const answer = await runBench(request, used, signal, onProgress ?? (() => undefined));
  if (!answer.ok) throw new Error(answer.detail);
  assert.deepEqual(await readdir(tiny.scratch), [], "a folder was left");
  assert.deepEqual(await processesIn(tiny.scratch), [], "a process was left");
  return { outcome: answer.value, told: used.book.told };
}

/** Processes of this machine that a run of ours began. */
async function processesIn(scratch: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")),
  );
  return commands.filter((environment) => environment.includes(`HOME=${scratch}`));
}

test("the agent is installed and logged in with a key", options, async () => {
  assert.deepEqual(await ports().driver.ready(), { ok: true, value: null });
});

test("a suite runs end to end, and what a rule saves is exactly what was played", options, async () => {
  const { script } = wordModel();
  standIn.setScript(script);
  const { outcome, told } = await bench({ parallel: 2 });
  assert.deepEqual(outcome.state, { kind: "done" }, JSON.stringify(outcome.runs.map(({ detail }) => detail)));
  assert.deepEqual(
    outcome.runs.map(({ outcome: how }) => how),
    Array.from({ length: 8 }, () => "passed"),
  );
  for (const run of outcome.runs) {
    const reads = run.side === 0 ? readsWithout : readsWith;
    assert.deepEqual(
      [run.processingTokens, run.turns, run.toolCalls, run.usage.cacheRead],
      [processingOf(reads), reads + 2, reads + 1, reads * 5000 + 12_500],
    );
  }
  assert.equal(told.length, 8);
});

test(
  "nothing of the user's settings, instructions and memories, or of the parent's environment, reaches the agent",
  options,
  async () => {
    const { script } = wordModel();
    const seen: string[] = [];
    standIn.setScript((request) => {
      seen.push(JSON.stringify(request));
      return script(request);
    });
    const user = path.join(tiny.root, "user", ".claude");
    const theirs = {
      "settings.json": JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: `touch ${user}/ran` }] }] },
      }),
      "CLAUDE.md": "never seen",
      "agent-memory/backend/MEMORY.md": "never seen",
      "agents/backend.md": "---\nname: backend\ndescription: x\n---\nnever seen\n",
    };
    await writeFiles(user, theirs);
    await bench({ runs: 1, taskIds: ["backend-one"] });
    assert.ok(!seen.join("").includes("never seen"));
    assert.ok(seen.some((request) => request.includes("You write words.")));
    const files = (await readdir(user, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    assert.deepEqual(
      files.map((entry) => path.relative(user, path.join(entry.parentPath, entry.name))).sort(),
      Object.keys(theirs).sort(),
    );
  },
);

test("who has logged in is known by that login, which stays where it is", options, async () => {
  const { script } = wordModel();
  const keys = new Set<string>();
  standIn.setScript((request) => {
    keys.add(request.headers["authorization"] ?? "none");
    return script(request);
  });
  const login = {
    ...{ accessToken: "made-up-access", refreshToken: "made-up-refresh", expiresAt: Date.now() + 86_400_000 },
    ...{ scopes: ["user:inference", "user:profile"], subscriptionType: "max" },
  };
  const file = path.join(tiny.root, "user", ".claude", ".credentials.json");
  const text = JSON.stringify({ claudeAiOauth: login });
  await writeFiles(path.dirname(file), { ".credentials.json": text });
  const used = ports({ ANTHROPIC_API_KEY: undefined });
  assert.deepEqual(await used.driver.ready(), { ok: true, value: null });
  const { outcome } = await bench({ runs: 1, taskIds: ["backend-one"] }, never, undefined, used);
  assert.ok(
    outcome.runs.every(({ outcome: how }) => how === "passed"),
    JSON.stringify(outcome.runs[0]?.detail),
  );
  assert.deepEqual([...keys], ["Bearer made-up-access"]);
  assert.equal(await readFile(file, "utf8"), text);
  await rm(file);
  const without = await used.driver.ready();
  assert.equal(!without.ok && without.reason, "not-logged-in");
});

test("a run that the API refuses is no evidence, and four of them pause the bench", options, async () => {
  standIn.setScript(() => refuses(401, "authentication_error", "invalid x-api-key"));
  const { outcome } = await bench({ runs: 4 });
  assert.equal(outcome.state.kind === "paused" && outcome.state.reason, "environment");
  assert.deepEqual(
    outcome.runs.map(({ outcome: how }) => how),
    Array.from({ length: 4 }, () => "environment"),
  );
});

test("a run is ended at its limit of tokens", options, async () => {
  const { script } = wordModel();
  standIn.setScript(script);
  const limits = { tokens: processingOf(0) };
  const { outcome } = await bench({
    runs: 1,
    taskIds: ["backend-one"],
    configurations: [configuration()],
    limits,
  });
  assert.deepEqual(
    outcome.runs.map(({ outcome: how }) => how),
    ["limit"],
  );
  assert.match(outcome.runs[0]?.detail ?? "", /^tokens/u);
});

test("cancelled, it leaves no process and no folder, and goes on where it stopped", options, async () => {
  const { script } = wordModel();
  standIn.setScript(script);
  const cancel = new AbortController();
  const stopAt = (told: BenchProgress) => {
    if (told.kind === "live" && told.run.round === 2) cancel.abort();
  };
  const first = await bench({ id: "cancelled" }, cancel.signal, stopAt);
  assert.deepEqual(first.outcome.state, { kind: "cancelled" });
  const made = first.outcome.runs.filter(({ outcome: how }) => how === "passed");
  assert.ok(made.length >= 4 && made.length < 8, `${made.length} runs`);
  const second = await bench({ id: "cancelled" });
  assert.deepEqual(second.outcome.state, { kind: "done" });
  assert.equal(passedOnce(second.outcome), 8);
});

function passedOnce({ runs }: BenchOutcome): number {
  const passed = runs.filter(({ outcome: how }) => how === "passed");
  return new Set(passed.map(({ side, taskId, round }) => `${side} ${taskId} ${round}`)).size;
}
