import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { BenchRequest } from "../../../src/engine/bench/bench-request.ts";
import type { BenchProgress } from "../../../src/engine/bench/bench-entries.ts";
import { ClaudeDriver } from "../../../src/engine/bench/drivers/claude/claude.ts";
import { runBench } from "../../../src/engine/bench/execute/run-bench.ts";
import {
  configuration,
  makeTinyBench,
  portsOf,
  requestOf,
  type TinyBench,
} from "../../engine/bench/support/tiny-suite.ts";
import { writeFiles } from "../../engine/bench/support/disk-suite.ts";
import { processingOf, readsWith, readsWithout, rule, wordModel } from "./model.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { refuses } from "../stand-in/reply.ts";
import { startStandIn, type StandIn } from "../stand-in/stand-in.ts";

/** The real Claude Code runs a tiny suite against a stand-in of its API that plays the model. */

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 120_000 };
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
  onProgress?: (reported: BenchProgress) => void,
  used = ports(),
) {
  count += 1;
  const configurations = [configuration(), configuration("with the rule", `- ${rule}\n`)];
  const request = requestOf(tiny, { id: `real-${count}`, configurations, ...more });
  const answer = await runBench(request, used, signal, onProgress ?? (() => undefined));
  if (!answer.ok) throw new Error(answer.detail.text);
  assert.deepEqual(await readdir(tiny.scratch), [], "a folder was left");
  assert.deepEqual(await processesIn(tiny.scratch), [], "a process was left");
  return { outcome: answer.value, told: used.recorder.recordedRuns };
}

/** Environments of running processes that our runs started; empty except on Linux. */
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

test(
  "a cancelled suite leaves no process and no folder, continues where it stopped, and measures exactly the played saving of a rule",
  options,
  async () => {
    const { script } = wordModel();
    standIn.setScript(script);
    const cancel = new AbortController();
    const stopAt = (reported: BenchProgress) => {
      if (reported.kind === "live" && reported.run.round === 2) cancel.abort();
    };
    const asked = { id: "cancelled", taskIds: ["backend-one"], parallel: 2 };
    const first = await bench(asked, cancel.signal, stopAt);
    assert.deepEqual(first.outcome.state, { kind: "cancelled" });
    const made = first.outcome.runs.filter(({ outcome: how }) => how === "passed");
    assert.ok(made.length >= 1 && made.length < 4, `${made.length} runs`);
    const { outcome, told: reported } = await bench(asked);
    assert.deepEqual(
      outcome.state,
      { kind: "done" },
      JSON.stringify(outcome.runs.map(({ detail }) => detail)),
    );
    assert.equal(reported.filter(({ outcome: how }) => how === "passed").length, 4, "the book knows each");
    const passed = outcome.runs.filter(({ outcome: how }) => how === "passed");
    assert.deepEqual(passed.map(({ side, round }) => `${side} ${round}`).sort(), [
      "0 1",
      "0 2",
      "1 1",
      "1 2",
    ]);
    for (const run of passed) {
      const reads = run.side === 0 ? readsWithout : readsWith;
      assert.deepEqual(
        [run.processingTokens, run.turns, run.toolCalls, run.usage.cacheRead],
        [processingOf(reads), reads + 2, reads + 1, reads * 5000 + 12_500],
      );
    }
  },
);

test(
  "uses the user's login; nothing else of the user's, or of the parent's environment, reaches the agent",
  options,
  async () => {
    const { script } = wordModel();
    const seen: string[] = [];
    const keys = new Set<string>();
    standIn.setScript((request) => {
      keys.add(request.headers["authorization"] ?? "none");
      seen.push(JSON.stringify(request));
      return script(request);
    });
    const user = path.join(tiny.root, "user", ".claude");
    const login = {
      accessToken: "made-up-access",
      refreshToken: "made-up-refresh",
      expiresAt: Date.now() + 86_400_000,
      scopes: ["user:inference", "user:profile"],
      subscriptionType: "max",
    };
    const theirs = {
      ".credentials.json": JSON.stringify({ claudeAiOauth: login }),
      "settings.json": JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: `touch ${user}/ran` }] }] },
      }),
      "CLAUDE.md": "never seen",
      "agent-memory/backend/MEMORY.md": "never seen",
      "agents/backend.md": "---\nname: backend\ndescription: x\n---\nnever seen\n",
    };
    await writeFiles(user, theirs);
    const used = ports({ ANTHROPIC_API_KEY: undefined });
    assert.deepEqual(await used.driver.ready(), { ok: true, value: null });
    const one = { runs: 1, taskIds: ["backend-one"], configurations: [configuration()] };
    const { outcome } = await bench(one, never, undefined, used);
    assert.deepEqual(
      outcome.runs.map(({ outcome: how }) => how),
      ["passed"],
      JSON.stringify(outcome.runs[0]?.detail),
    );
    assert.deepEqual([...keys], ["Bearer made-up-access"]);
    assert.ok(!seen.join("").includes("never seen"));
    assert.ok(seen.some((request) => request.includes("You write words.")));
    const files = (await readdir(user, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    assert.deepEqual(
      files.map((entry) => path.relative(user, path.join(entry.parentPath, entry.name))).sort(),
      Object.keys(theirs).sort(),
    );
    const file = path.join(user, ".credentials.json");
    assert.equal(await readFile(file, "utf8"), theirs[".credentials.json"]);
    await rm(file);
    const without = await used.driver.ready();
    assert.equal(!without.ok && without.reason, "not_logged_in");
  },
);

test("a run refused by the API proves nothing, and four of them pause the bench", options, async () => {
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
  assert.match(outcome.runs[0]?.detail?.text ?? "", /^tokens/u);
});
