import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { ClaudeDriver } from "../../../src/engine/bench/drivers/claude/claude.ts";
import { runBench } from "../../../src/engine/bench/execute/run-bench.ts";
import { guardHost } from "../../../src/engine/cli/bench/bench-context.ts";
import {
  configuration,
  makeTinyBench,
  portsOf,
  requestOf,
  type TinyBench,
} from "../../engine/bench/support/tiny-suite.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { roleOf, sessionOf } from "../stand-in/role.ts";
import { startStandIn, type Script, type StandIn } from "../stand-in/stand-in.ts";
import { copyOf } from "./model.ts";
import { processesBelow } from "./workspace.ts";

/** The real Claude Code makes runs with purser's guards and without, against a stand-in of its API. */

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 120_000 };
const program = installed.ok ? installed.value : "";
const serviceProgram = path.join(import.meta.dirname, "../../../src/engine/service/main.ts");
let standIn: StandIn;
let tiny: TinyBench;

before(async () => {
  standIn = await startStandIn({ tag: "guards", lifeMs: 180_000 });
  tiny = await makeTinyBench();
});
after(async () => {
  await standIn.close();
  await tiny.remove();
});

const overlay = [
  { path: ".env", text: "TOKEN=a-secret-of-the-fixture\n" },
  { path: "package.json", text: '{ "scripts": { "test": "node noisy.js" } }\n' },
  {
    path: "noisy.js",
    text: 'for (let n = 0; n < 400; n += 1) console.log("Downloading the same thing again");\n',
  },
  { path: ".claude/settings.json", text: '{ "disableAllHooks": true }\n' },
];
const steps = [
  { command: "cat .env", description: "Look" },
  { command: "npm test", description: "Test" },
];

/** Contents of the last message that the model was sent, by session and step. */
function script(sent: Map<string, string[]>): Script {
  return (request) => {
    if (roleOf(request) !== "main") return says('{"title": "A title"}', usageOf(1, 0, 0, 1));
    const session = sessionOf(request);
    const before = sent.get(session) ?? [];
    sent.set(session, [...before, request.lastContent]);
    const next = steps[before.length];
    if (next !== undefined) return calls("Bash", next, usageOf(500, 500, 5000, 50));
    const file_path = `${copyOf(request)}/src/one.txt`;
    if (before.length === steps.length)
      return calls("Write", { file_path, content: "done\n" }, usageOf(500, 500, 5000, 50));
    return says("Done.", usageOf(100, 0, 6000, 20));
  };
}

function driverOf(isGuarded: boolean): ClaudeDriver {
  const env = {
    PATH: process.env["PATH"],
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  const host = guardHost({ program: serviceProgram, execPath: process.execPath, isElectron: false });
  return new ClaudeDriver({
    program,
    env,
    userHome: path.join(tiny.root, "user"),
    clock: { now: () => Date.now() },
    scratch: tiny.scratch,
    ...(isGuarded ? { guards: host } : {}),
  });
}

async function bench(id: string, isGuarded = true) {
  const sent = new Map<string, string[]>();
  standIn.setScript(script(sent));
  const base = { ...configuration(), overlay };
  const configurations = [base, { ...base, label: plainSentence("guard=on"), guard: "on" as const }];
  const request = requestOf(tiny, { id, configurations, taskIds: ["backend-one"], runs: 1 });
  const answer = await runBench(
    request,
    portsOf(tiny, driverOf(isGuarded)),
    new AbortController().signal,
    () => undefined,
  );
  assert.ok(answer.ok, answer.ok ? "" : answer.detail.text);
  assert.deepEqual(await readdir(tiny.scratch), [], "a folder was left");
  assert.deepEqual(await processesBelow(tiny.scratch), [], "a process was left");
  return { runs: answer.value.runs, sent, state: answer.value.state };
}

test(
  "with guards on, a run's requests carry a denial and a smaller output, and without them neither",
  options,
  async () => {
    const { runs, sent, state } = await bench("guarded");
    assert.deepEqual(state, { kind: "done" }, JSON.stringify(runs.map(({ detail }) => detail)));
    const textsOf = (side: number): string[] => {
      const run = runs.find((each) => each.side === side);
      assert.equal(run?.outcome, "passed", run?.detail?.text ?? "");
      return sent.get(run.sessionId ?? "") ?? [];
    };
    const [, read = "", tested = ""] = textsOf(0);
    assert.match(read, /a-secret-of-the-fixture/u);
    assert.ok(tested.length > 12_000, `${tested.length}`);
    const [, denied = "", smaller = ""] = textsOf(1);
    assert.match(denied, /Context Purser/u);
    assert.doesNotMatch(denied, /a-secret-of-the-fixture/u);
    assert.ok(smaller.length < tested.length / 4, `${smaller.length} of ${tested.length}`);
    assert.match(smaller, /kept for a week/u);
  },
);

test("a run with guards proves nothing if no guards can start", options, async () => {
  const { runs } = await bench("unguarded", false);
  const guarded = runs.filter(({ side }) => side === 1);
  assert.ok(guarded.length > 0);
  for (const run of guarded) {
    assert.equal(run.outcome, "environment");
    assert.match(run.detail?.text ?? "", /no service of purser's/u);
  }
});
