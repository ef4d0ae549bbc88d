import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openCodex } from "../codex.ts";
import { codexVersion, installCodex } from "../codex-install.ts";
import { answers, callsTool, codexTokens } from "../stand-in/codex-reply.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";
import { agentsCache } from "../install.ts";

const installed = await installCodex(agentsCache(process.env, homedir()));
const name = `Codex ${codexVersion} with hooks: recorded once they are trusted, and held to a hard budget`;

if (!installed.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openCodex(installed.value, "h");
    const { scratch, home, standIn } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args, { CODEX_HOME: home });
    const settings = join(home, "hooks.json");
    const work = (cmd: string) => ({
      main: [
        callsTool("exec_command", { cmd }, codexTokens(9000, 0, 1000, { cacheWrite: 4096 })),
        callsTool("exec_command", { cmd: "echo four" }, codexTokens(9200, 8960, 43)),
        answers("Seven boats.", codexTokens(9400, 9088, 17)),
      ],
    });
    // Equivalent to a person reviewing the hooks with Codex's /hooks command.
    const trusted = ["--dangerously-bypass-hook-trust"];
    try {
      setPurser(scratch, { budgets: "hard" });
      checkOut(scratch, "fleet");
      await purser("service", "restart");
      assert.match(
        await purser("hooks", "install", "--yes", "--agent", "codex"),
        /reviewed: \/hooks in Codex/u,
      );
      await agent.turn({ prompt: "Count the boats.", lines: work("echo three") });
      await agent.turn({ prompt: "Count the boats.", lines: work("echo three"), args: trusted });
      await purser("budget", "create", "fleet", "--agent", "none", "--session", "20k/run");
      execFileSync("mkfifo", [join(scratch.workspace, "gate")]);
      const from = standIn.exchanges.length;
      const turn = agent.turn({
        prompt: "Count them again.",
        lines: work("cat gate; echo seen"),
        args: trusted,
      });
      // A pipe opens for writing once it is read: when the first call runs, after its hook. Then its usage has to show.
      const gate = await Promise.race([open(join(scratch.workspace, "gate"), "w"), turn]);
      assert.ok(typeof gate !== "string", "the first call did not run");
      while (!/10,000 .*20,000/u.test(await purser("budget", "report", "fleet"))) await Promise.resolve();
      await purser("budget", "set", "fleet", "--session", "10k/run");
      await gate.close();
      await turn;
      const sent = standIn.exchanges.slice(from).map(({ body }) => body.includes("session_budget_exceeded"));
      assert.deepEqual(sent, [false, false, true]);
      await purser("hooks", "uninstall", "--yes", "--agent", "codex");
      await assert.rejects(readFile(settings), { code: "ENOENT" });
      const { hook_events: hooks } = await exportedLedger(scratch);
      const counts: Record<string, number> = {};
      for (const { event } of hooks) counts[event] = (counts[event] ?? 0) + 1;
      // The first turn has no hooks, since nobody had reviewed them; a denied call has no end.
      assert.deepEqual(counts, {
        SessionStart: 2,
        UserPromptSubmit: 2,
        PreToolUse: 4,
        PostToolUse: 3,
        Stop: 2,
      });
      assert.deepEqual(
        hooks.filter(({ outcome }) => outcome !== "none").map(({ event, outcome }) => [event, outcome]),
        [["PreToolUse", "deny"]],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
