import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} with hooks: told once when to end its turn, and its settings are as before`;
const reported = /At this point the context holds 130,\d{3} of 200,000 tokens \(35% left\)/u;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "h");
    const purser = (...args: readonly string[]) => runPurser(agent.scratch, args);
    const settings = join(agent.scratch.config, "settings.json");
    const mine = '{\n\t"model": "sonnet",\n\t"hooks": {}\n}\n';
    await writeFile(settings, mine);
    try {
      setPurser(agent.scratch, { wrapUpAt: 50, endTurnAt: 40 });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      // The sleep gives the agent time to write its row, even on a slow disk.
      const bash = { command: "sleep 1; echo one", description: "Print a word" };
      await agent.turn({
        prompt: "Print a word, three times.",
        lines: {
          main: [
            calls("Bash", bash, usageOf(0, 10_000, 120_000, 40)),
            calls("Bash", bash, usageOf(0, 100, 130_000, 40)),
            calls("Bash", bash, usageOf(0, 100, 130_100, 40)),
            says("One, one, one.", usageOf(0, 100, 130_200, 10)),
          ],
        },
      });
      const isReported = agent.standIn.exchanges.map(({ request }) => reported.test(request.lastContent));
      assert.equal(isReported.length, 4);
      assert.deepEqual(isReported.filter(Boolean), [true], `told once: ${isReported.join(", ")}`);
      await purser("hooks", "uninstall", "--yes");
      assert.equal(await readFile(settings, "utf8"), mine);
      await purser("service", "stop");
      const exported = await purser("ledger", "export", "--format", "json");
      for (const event of ["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop"])
        assert.ok(exported.includes(`"event":"${event}"`), event);
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
