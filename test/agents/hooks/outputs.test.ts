import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import type { Agent } from "../agent.ts";
import { openAgent } from "../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { exportedLedger, runPurser, setPurser } from "./purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} and outputs: made smaller in the next request, back on request, and as they are once the service is killed`;

const line = "Downloading the same thing again";
const noise = `for n in $(seq 200); do echo ${line}; done; echo done`;
const kill = `kill -9 $(grep -o '"pid": *[0-9]*' "$HOME/.purser/service.json" | head -1 | grep -o '[0-9]*')`;

/** Runs a command in a session of its own; returns what the model was sent of its output. */
async function sentFor(agent: Agent, command: string): Promise<string> {
  const call = calls("Bash", { command, description: "Fetch" }, usageOf(0, 10_000, 20_000, 40));
  const lines = { main: [call, says("Done.", usageOf(0, 100, 32_100, 10))] };
  await agent.turn({ prompt: "Fetch.", lines });
  return agent.standIn.exchanges.at(-1)?.request.lastContent ?? "";
}

function countIn(sent: string): number {
  return sent.split(line).length - 1;
}

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "o");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    try {
      setPurser(scratch, { guardFamilies: { output: "on" } });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const smaller = await sentFor(agent, noise);
      assert.ok(smaller.length < 1000, `${smaller.length} characters`);
      const found =
        /bytes left out …\] All 201 lines, kept for a week: (?<command>.+ output \w{6}) \[--lines A-B\]/u.exec(
          smaller,
        );
      const command = found?.groups?.["command"];
      assert.ok(command !== undefined, smaller);
      // The request is JSON.
      const whole = await sentFor(agent, command.replaceAll(String.raw`\"`, '"'));
      assert.equal(countIn(whole), 200);
      assert.doesNotMatch(whole, /left out …/u);
      const unguarded = await sentFor(agent, `${kill}; ${noise}`);
      assert.equal(countIn(unguarded), 200);
      assert.doesNotMatch(unguarded, /left out …|hook error|ECONNREFUSED/u);
      const { guard_hits: hits } = await exportedLedger(scratch);
      // That the service is stopped is observed too, where it is recorded before.
      assert.deepEqual(
        hits.flatMap(({ rule, done }) => (rule.startsWith("smaller-output") ? [`${rule} ${done}`] : [])),
        ["smaller-output-general replaced"],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
