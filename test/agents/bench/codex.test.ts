import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { CodexDriver } from "../../../src/engine/bench/drivers/codex.ts";
import { runBench } from "../../../src/engine/bench/execute/run-bench.ts";
import { configuration, makeTinyBench, portsOf, requestOf } from "../../engine/bench/support/tiny-suite.ts";
import { codexModel } from "../codex.ts";
import { installCodex } from "../codex-install.ts";
import { answers, callsTool, codexTokens } from "../stand-in/codex-reply.ts";
import { startCodexStandIn } from "../stand-in/codex.ts";
import { agentsCache } from "../install.ts";

const installed = await installCodex(agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 60_000 };

test("a bench drives the real Codex, and its tokens are those that were sent", options, async () => {
  const standIn = await startCodexStandIn({ tag: "bench", lifeMs: 60_000 });
  const tiny = await makeTinyBench();
  try {
    const config = [
      'model_provider = "mock"',
      "[analytics]",
      "enabled = false",
      "[model_providers.mock]",
      'name = "mock"',
      `base_url = "${standIn.url}"`,
      'wire_api = "responses"',
      'env_key = "OPENAI_STAND_IN"',
    ].join("\n");
    const driver = new CodexDriver({
      program: installed.ok ? installed.value : "",
      userHome: path.join(tiny.root, "user"),
      config,
      env: { PATH: process.env["PATH"], OPENAI_STAND_IN: "dummy" },
      clock: { now: () => Date.now() },
      scratch: tiny.scratch,
    });
    standIn.setLines({
      main: [
        callsTool("exec_command", { cmd: "cat src/one.txt" }, codexTokens(3000, 1000, 40)),
        callsTool(
          "exec_command",
          { cmd: "echo done > src/one.txt" },
          codexTokens(3200, 3000, 50, { cacheWrite: 100 }),
        ),
        answers("Done.", codexTokens(3300, 3200, 20)),
      ],
    });
    const request = requestOf(tiny, {
      driver: "codex",
      runs: 1,
      taskIds: ["backend-one"],
      configurations: [{ ...configuration("as it is", "Read less."), model: codexModel }],
    });
    const answer = await runBench(
      request,
      portsOf(tiny, driver),
      new AbortController().signal,
      () => undefined,
    );
    if (!answer.ok) throw new Error(answer.detail.text);
    const [run] = answer.value.runs;
    assert.deepEqual(standIn.failures, []);
    assert.equal(run?.outcome, "passed", run?.detail?.text ?? "");
    assert.deepEqual(
      [run.turns, run.toolCalls, run.usage],
      [3, 2, { input: 2200, output: 110, cacheCreation5m: 100, cacheCreation1h: 0, cacheRead: 7200 }],
    );
    assert.deepEqual(await readdir(tiny.scratch), []);
  } finally {
    await standIn.close();
    await tiny.remove();
  }
});
