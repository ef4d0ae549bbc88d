import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} where nobody can answer: a prompt starts no more subagents than a hard budget allows`;
const helper = {
  description: "Look",
  prompt: "Look at the quay.",
  subagent_type: "general-purpose",
  run_in_background: false,
};

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "f");
    const { scratch, standIn } = agent;
    try {
      setPurser(scratch, { budgets: "hard" });
      checkOut(scratch, "fleet");
      await runPurser(scratch, ["service", "restart"]);
      await runPurser(scratch, ["hooks", "install", "--yes"]);
      await runPurser(scratch, ["budget", "create", "fleet", "--agent", "900k", "--per-prompt", "1"]);
      const usage = usageOf(0, 100, 20_000, 40);
      const lines = {
        main: [calls("Agent", helper, usage), calls("Agent", helper, usage), says("Done.", usage)],
        subagent: [says("The quay is free.", usage)],
      };
      const session = await agent.turn({ prompt: "Ask two helpers.", lines });
      const contents = () => standIn.exchanges.map(({ request }) => request.lastContent);
      const refused = (from: number) =>
        contents()
          .slice(from)
          .filter((text) =>
            /\[fan_out\] Beyond a limit of the budget fleet: it would be subagent 2/u.test(text),
          );
      assert.equal(refused(0).length, 1);
      const before = contents().length;
      await agent.turn({ prompt: "Ask two more.", resume: session, lines });
      assert.equal(refused(before).length, 1, "the limit holds again with the next prompt");
      const { hook_events: hooks } = await exportedLedger(scratch);
      const denied = hooks.filter(({ outcome, rule }) => outcome === "deny" && rule === "budget:fan_out");
      assert.equal(denied.length, 2);
    } finally {
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
