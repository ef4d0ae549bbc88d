import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readdirSync } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { StatusJson } from "../../../../src/engine/cli/sessions/sessions-outcome.ts";
import { liveReader } from "../../../../src/engine/transcripts/codex/live/reader.ts";
import { childEnv } from "../../../engine/support/child-env.ts";
import { openCodex, type CodexAgent } from "../../codex.ts";
import { codexVersion, installCodex } from "../../codex-install.ts";
import { agentsCache } from "../../install.ts";
import { answers, callsTool, codexTokens } from "../../stand-in/codex-reply.ts";
import type { BeforeReply, CodexExchange } from "../../stand-in/codex.ts";
import { codexScenarios } from "./rollouts.ts";
import { watchStatus, type StatusWatch } from "../status-watch.ts";

const cli = fileURLToPath(new URL("../../../../dist/cli.cjs", import.meta.url));
const installed = await installCodex(agentsCache(process.env, homedir()));

/** Codex names 95 % of its model's window, and compacts at 90 %. */
const [window, threshold] = [258_400, 244_800];

interface Followed {
  readonly agent: CodexAgent;
  readonly watch: StatusWatch;
}

/** Plays with the real Codex while `purser status --watch` follows. Before each reply all earlier ones must be shown. */
async function follow(play: (followed: Followed) => Promise<void>): Promise<void> {
  await access(cli).catch(() => assert.fail("dist/cli.cjs is missing: build with `node esbuild.mjs` first"));
  const held: { beforeReply: BeforeReply } = { beforeReply: () => Promise.resolve() };
  const agent = await openCodex(installed.ok ? installed.value : "", "l", {
    beforeReply: (exchanges, threadId) => held.beforeReply(exchanges, threadId),
  });
  const watch = watchStatus(cli, { HOME: agent.scratch.home, CODEX_HOME: agent.home });
  held.beforeReply = async (exchanges) => {
    await watch.until((status) => isAll(status, exchanges), `${exchanges.length} replies`);
  };
  try {
    await play({ agent, watch });
  } finally {
    await watch.close();
    await agent.close();
  }
}

function tokensSent(exchanges: readonly CodexExchange[]) {
  const sum = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
  for (const { reply } of exchanges) {
    if (reply.kind === "failure") continue;
    const { input, cached, cacheWrite, output } = reply.tokens;
    sum.input += input - cached - cacheWrite;
    sum.output += output;
    sum.cacheCreation += cacheWrite;
    sum.cacheRead += cached;
  }
  return sum;
}

function tokensShown({ sessions }: StatusJson) {
  const sum = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
  for (const { usage } of sessions) {
    sum.input += usage.input;
    sum.output += usage.output;
    sum.cacheCreation += usage.cacheCreation;
    sum.cacheRead += usage.cacheRead;
  }
  return sum;
}

function isAll(status: StatusJson, exchanges: readonly CodexExchange[]): boolean {
  return JSON.stringify(tokensShown(status)) === JSON.stringify(tokensSent(exchanges));
}

const skip = installed.ok ? false : `SKIPPED, the agent cannot be installed here: ${installed.detail.text}`;

for (const { name, play } of codexScenarios)
  test(`purser status follows Codex ${codexVersion}: ${name}`, { skip, timeout: 120_000 }, () =>
    follow(async ({ agent, watch }) => {
      await play(agent);
      const isArchived = name === "tool-loop";
      if (isArchived) {
        await watch.until(({ sessions }) => sessions.length === 0, "that the session is archived");
        return;
      }
      const status = await watch.until((each) => isAll(each, agent.standIn.exchanges), "all replies");
      assert.deepEqual(status.problems, []);
      for (const session of status.sessions) {
        assert.deepEqual([session.agent, session.cwd], ["codex", agent.scratch.workspace]);
        assert.deepEqual([session.window.tokens, session.window.provenance], [window, "official"]);
        assert.deepEqual(session.skippedLines, {});
        assert.ok(session.subagents.every(({ running }) => !running));
      }
    }),
  );

test(`purser status describes a session of Codex ${codexVersion}`, { skip, timeout: 120_000 }, () =>
  follow(async ({ agent, watch }) => {
    const id = await agent.turn({
      prompt: "Tell the story of the harbor.",
      lines: {
        main: [
          callsTool("exec_command", { cmd: "echo one" }, codexTokens(9001, 0, 51)),
          answers("A long story.", codexTokens(19_001, 9000, 801), {
            "x-codex-primary-used-percent": "12.5",
            "x-codex-primary-window-minutes": "300",
            "x-codex-primary-reset-at": "1995310000",
          }),
        ],
      },
    });
    const shown = await watch.until(({ sessions }) => sessions[0]?.planLimits.length === 1, "the plan");
    const [session] = shown.sessions;
    assert.ok(session !== undefined);
    assert.deepEqual(
      [session.id, session.title, session.turns, session.toolCalls],
      [id, "Tell the story of the harbor.", 2, 1],
    );
    assert.equal(session.context.tokens, 19_001);
    assert.ok(Math.abs((session.context.percent ?? 0) - (19_001 / window) * 100) < 0.1);
    assert.deepEqual([session.headroom.tokens, session.headroom.samples], [threshold - 19_802, 0]);
    assert.deepEqual(session.planLimits[0], {
      name: "codex primary",
      percent: 12.5,
      resetsAt: "2033-03-24T20:46:40.000Z",
      usedUsd: null,
      limitUsd: null,
      period: null,
    });
    assert.deepEqual([session.nextCall.usd, session.nextCall.provenance], [null, "unknown"]);

    await agent.turn({
      prompt: "Tell its end.",
      resume: id,
      settings: ["model_auto_compact_token_limit=18000"],
      lines: {
        main: [
          answers("In short.", codexTokens(19_901, 19_072, 77)),
          answers("Home.", codexTokens(5003, 0, 23)),
        ],
      },
    });
    const after = await watch.until(({ sessions }) => sessions[0]?.turns === 4, "the resumed turn");
    const [resumed] = after.sessions;
    assert.deepEqual([resumed?.compactions, resumed?.context.tokens, after.sessions.length], [1, 5003, 1]);
    // Learned from the compaction: it began with 19,802 tokens.
    assert.deepEqual([resumed?.headroom.samples, resumed?.headroom.tokens], [1, 19_802 - 5026]);
  }),
);

test(`Codex ${codexVersion} asks purser how full its own context is`, { skip, timeout: 120_000 }, () =>
  follow(async ({ agent }) => {
    const cmd = `'${process.execPath}' '${cli}' status --session current --json`;
    const id = await agent.turn({
      prompt: "How full is your context?",
      lines: {
        main: [
          callsTool("exec_command", { cmd }, codexTokens(9001, 0, 51)),
          answers("Nearly empty.", codexTokens(9103, 9001, 5)),
        ],
      },
    });
    // The tool's result, as the model read it.
    const result =
      /\\"schema\\": 1.{0,2000}/u.exec(agent.standIn.exchanges[1]?.body ?? "")?.[0].replaceAll("\\", "") ??
      "";
    for (const fact of [
      `"session": "${id}"`,
      `"cli": "codex"`,
      `"tokensUsed": 9001`,
      `"tokenLimit": ${window}`,
    ])
      assert.ok(result.includes(fact), `${fact} in ${result}`);
  }),
);

test(
  `a session of Codex ${codexVersion} is running until its process is killed`,
  { skip: process.platform === "linux" ? skip : "only Linux tells who holds a lock", timeout: 120_000 },
  async () => {
    const requests = new EventEmitter();
    const asked = once(requests, "asked");
    const agent = await openCodex(installed.ok ? installed.value : "", "k", {
      beforeReply: () => {
        requests.emit("asked");
        return new Promise(() => undefined);
      },
    });
    const child = spawn(installed.ok ? installed.value : "", ["exec", "--skip-git-repo-check", "Wait."], {
      cwd: agent.scratch.workspace,
      env: { ...childEnv, HOME: agent.scratch.home, CODEX_HOME: agent.home, STAND_IN_KEY: "dummy" },
      stdio: "ignore",
    });
    try {
      await asked;
      const finder = liveReader.finder([join(agent.home, "sessions")], () => false);
      const { files, running } = finder.find(0);
      assert.deepEqual([...running], [files[0]?.sessionId]);
      child.kill("SIGKILL");
      await once(child, "exit");
      assert.deepEqual([...finder.find(0).running], []);
      const [id = ""] = running;
      assert.ok(readdirSync(join(agent.home, "thread-writer-locks")).includes(`${id}.lock`));
    } finally {
      child.kill("SIGKILL");
      await agent.close();
    }
  },
);
