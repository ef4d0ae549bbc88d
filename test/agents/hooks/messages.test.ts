import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { exportedLedger, runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} and messages between agents: held with agent teams, recorded where nobody sees, inert without`;

const usage = usageOf(0, 100, 1000, 5);
const begins = {
  description: "Look",
  prompt: "Look for berths",
  subagent_type: "general-purpose",
  name: "backend",
};
const lines = () => ({
  main: [
    calls("Agent", begins, usage),
    calls("SendMessage", { to: "backend", message: "Which \u001B[31mport\u001B[0m?", summary: "ask" }, usage),
    says("Asked.", usage),
  ],
  // When the subagent's end reaches the main chain depends on timing.
  otherwise: says("Done.", usage),
  subagent: [says("Berth 3.", usage), says("Port 80.", usage)],
});
const question = '[main → backend] "Which port?" — approve?';

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "m");
    const { scratch, standIn } = agent;
    const args = ["--allowedTools", "Agent,SendMessage"];
    const env = { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" };
    /** The requests that the stand-in received in the turn. */
    const play = async (more: Readonly<Record<string, string>>): Promise<string> => {
      const from = standIn.exchanges.length;
      await agent.turn({ prompt: "Ask the backend.", lines: lines(), args, env: more, isLoose: true });
      return standIn.exchanges
        .slice(from)
        .map(({ request }) => request.lastContent)
        .join("\n");
    };
    try {
      setPurser(scratch);
      await runPurser(scratch, ["service", "restart"]);
      await runPurser(scratch, ["hooks", "install", "--yes"]);
      assert.ok(!(await play({})).includes("approve?"));
      assert.ok(!(await play(env)).includes("approve?"));
      // Simulates an attended session: without a terminal nobody can be asked, so the agent receives the question as a refusal.
      const settings = join(scratch.config, "settings.json");
      const text = await readFile(settings, "utf8");
      await writeFile(settings, text.replaceAll('"$CLAUDE_CODE_ENTRYPOINT"', '"cli"'));
      assert.ok((await play(env)).includes(JSON.stringify(question).slice(1, -1)));
      const { questions } = await exportedLedger(scratch);
      const about = { agent: "main", to_agent: "backend", body: "Which port?", chars: 20 };
      assert.deepEqual(
        questions.map(({ agent: from, to_agent, body, chars, status }) => ({
          agent: from,
          to_agent,
          body,
          chars,
          status,
        })),
        [
          { ...about, status: "sent" },
          { ...about, status: "denied" },
        ],
      );
    } finally {
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
