import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import type { Agent } from "../agent.ts";
import { openAgent } from "../agent.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} in a loop: it is told with the third failure, once, and while loops are only observed no request differs`;

const failing = { command: "ls ./no-such-hold", description: "Look into the hold" };
const lines = {
  main: [
    ...[1, 2, 3, 4].map((at) => calls("Bash", failing, usageOf(0, 100, 20_000 + at * 100, 40))),
    says("There is none.", usageOf(0, 100, 21_000, 10)),
  ],
};

/** The model's input after each call, without parts that differ between sessions. */
async function sentIn(agent: Agent): Promise<string[]> {
  const from = agent.standIn.exchanges.length;
  await agent.turn({ prompt: "Look into the hold.", lines });
  return agent.standIn.exchanges
    .slice(from)
    .map(({ request }) => `${request.systemText}\n${request.firstText}\n${request.lastContent}`)
    .map((text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, "ID").replaceAll(/toolu_\w+/gu, "CALL"));
}

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "l");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    try {
      checkOut(scratch, "harbor");
      setPurser(scratch, { guardMode: "off" });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const without = await sentIn(agent);
      assert.equal(without.length, 5);
      await purser("guard", "observe");
      await purser("service", "restart");
      assert.deepEqual(await sentIn(agent), without);
      await purser("guard", "on", "--family", "loops");
      await purser("service", "restart");
      const told = (await sentIn(agent)).map((text) => text.includes("Context Purser (same-failure)"));
      assert.deepEqual(told, [false, false, false, true, false]);
      const { guard_hits: hits } = await exportedLedger(scratch);
      assert.deepEqual(
        hits.filter(({ rule }) => rule === "same-failure").map(({ done }) => done),
        ["observed", "repeated", "advised", "repeated"],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
