import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { mkdir, stat } from "node:fs/promises";
import { test } from "node:test";
import type { Agent } from "../agent.ts";
import { openAgent } from "../agent.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} with guard rules: nothing differs while they observe, and a denied call's reason reaches the model`;

const openWide = { command: "chmod -R 777 deck && echo opened", description: "Open the deck" };
const noisy = "for n in $(seq 200); do echo Downloading the same thing again; done; echo done";
const lines = {
  main: [
    calls("Bash", openWide, usageOf(0, 10_000, 20_000, 40)),
    calls(
      "Bash",
      { command: "echo 'chmod -R 777 deck'", description: "Say it" },
      usageOf(0, 100, 30_000, 40),
    ),
    calls("Bash", { command: noisy, description: "Fetch" }, usageOf(0, 100, 30_100, 40)),
    says("Done.", usageOf(0, 100, 32_100, 10)),
  ],
};

/** The model's input after each call, without parts that differ between sessions. */
async function sentIn(agent: Agent): Promise<string[]> {
  const from = agent.standIn.exchanges.length;
  await agent.turn({ prompt: "Open the deck.", lines });
  return agent.standIn.exchanges
    .slice(from)
    .map(
      ({ request: { headers, ...request } }) =>
        `${headers["content-length"] ?? ""}\n${request.systemText}\n${request.firstText}\n${request.lastContent}`,
    )
    .map((text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, "ID").replaceAll(/toolu_\w+/gu, "CALL"));
}

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "g");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    const deck = join(scratch.workspace, "deck");
    const modeOfDeck = async () => (await stat(deck)).mode & 0o777;
    try {
      await mkdir(deck, { mode: 0o700 });
      checkOut(scratch, "harbor");
      setPurser(scratch, { guardMode: "off" });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const without = await sentIn(agent);
      assert.equal(await modeOfDeck(), 0o777);
      await purser("guard", "observe");
      await purser("service", "restart");
      assert.deepEqual(await sentIn(agent), without);
      await purser("guard", "on", "--family", "safety");
      await purser("service", "restart");
      const [, denied = "", said = ""] = await sentIn(agent);
      assert.match(
        denied,
        /PreToolUse:Bash hook error: Context Purser \(permissions-for-everybody\): This lets everybody .* Give only the owner/u,
      );
      assert.doesNotMatch(denied, /opened/u);
      // Quoted text is text.
      assert.doesNotMatch(said, /Context Purser/u);
      const { guard_hits: hits } = await exportedLedger(scratch);
      assert.deepEqual(
        hits.map(({ rule, done }) => [rule, done]),
        [
          ["permissions-for-everybody", "observed"],
          ["smaller-output-general", "observed"],
          ["permissions-for-everybody", "denied"],
          ["smaller-output-general", "observed"],
        ],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
