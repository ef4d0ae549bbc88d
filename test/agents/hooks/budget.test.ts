import assert from "node:assert/strict";
import { homedir } from "node:os";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} with a hard budget: the call that would pass it is not made, and the next prompt is not sent`;
if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "b");
    const { scratch, standIn } = agent;
    try {
      setPurser(scratch, { budgets: "hard" });
      checkOut(scratch, "fleet");
      await runPurser(scratch, ["service", "restart"]);
      await runPurser(scratch, ["hooks", "install", "--yes"]);
      await runPurser(scratch, ["budget", "create", "fleet", "--agent", "100k", "--convoy", "none"]);
      const bash = (command: string, usage: ReturnType<typeof usageOf>) =>
        calls("Bash", { command, description: "Print" }, usage);
      const requests = () => standIn.exchanges.map(({ request }) => request.lastContent);
      // 99,750 tokens are used when it requests the third tool: one call like the last fits, two do not.
      const session = await agent.turn({
        prompt: "Print a word, twice.",
        lines: {
          main: [
            bash("echo one", usageOf(0, 60_000, 1000, 40)),
            bash("echo two", usageOf(0, 39_690, 1000, 20)),
            // A request carrying the result, or the denial, would pass the limit: the turn ends there.
            bash("echo three", usageOf(0, 220, 40_000, 10)),
          ],
        },
      });
      assert.equal(requests().length, 3, "the call that would have passed the limit was not made");
      assert.match(
        requests()[2] ?? "",
        /\[warning_threshold\] Budget nearly used: .* has used 99,750 of 100,000/u,
      );
      await agent.turn({ prompt: "Go on.", resume: session, lines: {} });
      assert.equal(requests().length, 3, "the prompt was not sent");
      await runPurser(scratch, ["budget", "set", "fleet", "--agent", "110k"]);
      await writeFile(
        join(scratch.workspace, "long.txt"),
        "The tide comes in, and the boats go out with it.\n".repeat(1000),
      );
      // 10,000 tokens are left: a long file is read, and the call that would carry it is not made.
      await agent.turn({
        prompt: "Read the long file.",
        resume: session,
        lines: {
          main: [
            calls("Read", { file_path: join(scratch.workspace, "long.txt") }, usageOf(0, 0, 40_000, 30)),
          ],
        },
      });
      assert.equal(requests().length, 4, "the call with the file was not made");
      await runPurser(scratch, ["budget", "set", "fleet", "--agent", "500k"]);
      await agent.turn({
        prompt: "Go on now.",
        resume: session,
        lines: { main: [says("Gladly.", usageOf(0, 0, 60_000, 10))] },
      });
      const report = await runPurser(scratch, ["budget", "report", "fleet"]);
      assert.match(report, /Agent +main of [0-9a-f]{8} +100,020 +0 +500,000/u);
      await writeFile(join(scratch.workspace, ".purser", "budgets", "fleet.json"), "{}");
      await agent.turn({ prompt: "Once more.", resume: session, lines: {} });
      const { hook_events: hooks } = await exportedLedger(scratch);
      const stopped = hooks.flatMap(({ event, outcome, rule }) =>
        ["deny", "stop", "block"].includes(outcome ?? "") ? [`${event} ${outcome ?? ""} ${rule ?? ""}`] : [],
      );
      const passed = "budget:agent_budget_exceeded";
      // When the tool-requesting response reaches the transcript is up to the agent: it denies the tool, ends the turn, or both.
      const first = stopped.slice(0, stopped.indexOf(`UserPromptSubmit block ${passed}`));
      const [denied, ended] = [`PreToolUse deny ${passed}`, `PostToolBatch stop ${passed}`];
      assert.ok(
        first.length > 0 && first.every((each) => each === denied || each === ended),
        first.join(", "),
      );
      assert.deepEqual(stopped.slice(first.length), [
        `UserPromptSubmit block ${passed}`,
        `PostToolBatch stop ${passed}`,
        "UserPromptSubmit block budget:corrupt",
      ]);
    } finally {
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
