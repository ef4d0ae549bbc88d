import assert from "node:assert/strict";
import { homedir } from "node:os";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "./agent.ts";
import { checkOut, exportedLedger, purserOf, setPurser } from "./hooked.ts";
import { agentsCache, installClaude } from "./install.ts";
import { calls, says, usageOf } from "./reply.ts";

const installed = await installClaude("2.1.330", agentsCache(process.env, homedir()));
const name =
  "Claude Code 2.1.330 with a hard budget: its next call is denied, and so are a subagent and the next prompt";
const reason =
  '[agent_budget_exceeded] Token budget exceeded: the agent "main" has used 60,040 of 60,000 tokens today. ' +
  "To raise it: purser budget set fleet --agent TOKENS";

if (!installed.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openAgent("2.1.330", installed.value, "b");
    const { scratch, standIn } = agent;
    try {
      setPurser(scratch, { budgets: "hard" });
      checkOut(scratch, "fleet");
      await purserOf(scratch, ["service", "restart"]);
      await purserOf(scratch, ["hooks", "install", "--yes"]);
      await purserOf(scratch, ["budget", "create", "fleet", "--agent", "60k"]);
      // The first call takes until what was used is known: then the second is the next.
      const spending = join(".purser", "spending", "spending.*.json");
      const command = `for i in $(seq 200); do grep -qs '"observed":60040' ${spending} && break; sleep 0.1; done; echo seen`;
      const session = await agent.turn({
        prompt: "Print a word, twice.",
        lines: {
          main: [
            calls("Bash", { command, description: "Wait a little" }, usageOf(0, 60_000, 60_000, 40)),
            calls("Bash", { command: "echo two > two.txt", description: "Print" }, usageOf(0, 0, 120_000, 0)),
            calls(
              "Agent",
              { description: "Look", prompt: "Look", subagent_type: "Explore" },
              usageOf(0, 0, 120_000, 0),
            ),
            says("The budget is used up.", usageOf(0, 0, 120_000, 0)),
          ],
        },
      });
      const results = standIn.exchanges.map(({ request }) => request.lastContent);
      assert.ok(results[1]?.includes("seen"));
      const isTold = results.map((text) => text.includes(JSON.stringify(reason).slice(1, -1)));
      assert.deepEqual(isTold, [false, false, true, true]);
      await agent.turn({ prompt: "Go on.", resume: session, lines: {} });
      assert.equal(standIn.exchanges.length, 4, "the prompt was not sent");
      await purserOf(scratch, ["budget", "set", "fleet", "--agent", "200k"]);
      await agent.turn({
        prompt: "Go on now.",
        resume: session,
        lines: { main: [says("Gladly.", usageOf(0, 0, 120_000, 0))] },
      });
      const reports = await purserOf(scratch, ["budget", "report", "fleet"]);
      assert.match(reports, /Agent +main +60,040 +0 +200,000/u);
      await writeFile(join(scratch.workspace, ".purser", "budgets", "fleet.json"), "{}");
      await agent.turn({ prompt: "Once more.", resume: session, lines: {} });
      const { hook_events: hooks } = await exportedLedger(scratch);
      const stopped = hooks.filter(({ rule }) => rule?.startsWith("budget:") === true);
      assert.deepEqual(
        stopped.map(({ event, outcome, rule }) => `${event} ${outcome ?? ""} ${rule ?? ""}`),
        [
          "PreToolUse deny budget:agent_budget_exceeded",
          "PreToolUse deny budget:agent_budget_exceeded",
          "UserPromptSubmit block budget:agent_budget_exceeded",
          "UserPromptSubmit block budget:corrupt",
        ],
      );
    } finally {
      await purserOf(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
