import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { checkOut, runPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} looks with its skill what is left of its context and of its budget, unasked`;
if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "k");
    const { scratch, standIn } = agent;
    try {
      checkOut(scratch, "fleet");
      await runPurser(scratch, ["service", "restart"]);
      await runPurser(scratch, ["hooks", "install", "--yes"]);
      await runPurser(scratch, ["budget", "create", "fleet", "--agent", "100k", "--convoy", "none"]);
      const session = await agent.turn({
        prompt: "Say a word.",
        lines: { main: [says("Ahoy.", usageOf(0, 30_000, 1000, 40))] },
      });
      const skill = await readFile(join(scratch.config, "skills", "check-tokens", "SKILL.md"), "utf8");
      const commands = [...skill.matchAll(/^```sh\n(?<command>.+)\n```$/gmu)].map(({ groups }) =>
        (groups?.["command"] ?? "").replace("${CLAUDE_SESSION_ID}", session),
      );
      assert.equal(commands.length, 2, skill);
      const before = standIn.exchanges.length;
      const main = commands.map((command) =>
        calls("Bash", { command, description: "Look" }, usageOf(0, 200, 31_000, 20)),
      );
      await agent.turn({
        prompt: "/check-tokens",
        resume: session,
        lines: { main: [...main, says("Enough.", usageOf(0, 200, 31_200, 20))] },
      });
      const [shown, status, budget] = standIn.exchanges
        .slice(before)
        // The request's content is JSON, so quotes printed by the tools are escaped.
        .map(({ request }) => request.lastContent.replaceAll(/\\+"/gu, '"'));
      for (const command of commands) assert.ok(shown?.includes(command), `${command}\n${shown ?? ""}`);
      // Both commands ran without a question, because the skill's own rules allow them.
      assert.match(status ?? "", /"tokenLimit": ?200000/u);
      // Used: 30,040 by the first answer, 220 by each of the two tool requests. Every call needs at least one token.
      assert.match(budget ?? "", /"remainingTokens": 69520\b.*"used": 30480\b.*"remaining": 69520\b/u);
    } finally {
      await runPurser(scratch, ["hooks", "uninstall", "--yes"]);
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
