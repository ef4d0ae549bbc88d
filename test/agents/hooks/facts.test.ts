import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Agent } from "../agent.ts";
import { openAgent } from "../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} with the guard on facts: what a call names and is not there is in the next request with the nearest that is, and nothing differs while it observes`;

function linesFor(workspace: string) {
  const bash = (command: string) =>
    calls("Bash", { command, description: "Look" }, usageOf(0, 100, 30_000, 40));
  return {
    main: [
      bash("cat deck/plan.md"),
      bash("cat deck/plna.md"),
      calls("Read", { file_path: join(workspace, "deck", "plan.txt") }, usageOf(0, 100, 30_000, 40)),
      bash("npm run biuld"),
      says("Done.", usageOf(0, 100, 32_100, 10)),
    ],
  };
}

/** The model's input after each call, without parts that differ between sessions. */
async function sentIn(agent: Agent): Promise<string[]> {
  const from = agent.standIn.exchanges.length;
  await agent.turn({ prompt: "Read the plan.", lines: linesFor(agent.scratch.workspace) });
  return agent.standIn.exchanges
    .slice(from)
    .map(({ request }) => `${request.systemText}\n${request.firstText}\n${request.lastContent}`)
    .map((text) =>
      text
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, "ID")
        .replaceAll(/toolu_\w+/gu, "CALL")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d_.:]+Z/gu, "TIME"),
    );
}

if (!installed.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "f");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    try {
      await mkdir(join(scratch.workspace, "deck"));
      await writeFile(join(scratch.workspace, "deck", "plan.md"), "# Plan\n");
      await writeFile(join(scratch.workspace, "package.json"), '{"scripts":{"build":"true"}}\n');
      checkOut(scratch, "harbor");
      setPurser(scratch, { guardMode: "off" });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const without = await sentIn(agent);
      await purser("guard", "observe", "--family", "facts");
      await purser("service", "restart");
      assert.deepEqual(await sentIn(agent), without);
      await purser("guard", "on", "--family", "facts");
      await purser("service", "restart");
      const [, there = "", missing = "", read = "", script = ""] = await sentIn(agent);
      assert.doesNotMatch(there, /Context Purser/u);
      assert.match(
        missing,
        /PreToolUse:Bash hook additional context: Context Purser \(missing-path\): `deck\/plna\.md` does not exist .*`deck\/plan\.md`/u,
      );
      assert.match(
        read,
        /PreToolUse:Read hook additional context: .*plan\.txt` does not exist.*deck\/plan\.md`/u,
      );
      assert.match(script, /Context Purser \(missing-script\): .* has no script `biuld`.*`build`/u);
      const { guard_hits: hits } = await exportedLedger(scratch);
      assert.deepEqual(
        hits.map(({ rule, done }) => [rule, done]),
        [
          ["missing-path", "observed"],
          ["missing-path", "observed"],
          ["missing-script", "observed"],
          ["missing-path", "advised"],
          ["missing-path", "advised"],
          ["missing-script", "advised"],
        ],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
