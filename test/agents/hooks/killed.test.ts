import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { exportedLedger, purserHomeOf, runPurser, servicePid, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = (scope: string) =>
  `Claude Code ${newestClaude}, with a hooks' service that is killed while it works (${scope}): its session is as without`;

/** Kills the service without a clean shutdown, from within the agent's work, after it has written earlier hooks. */
const kill = `sleep 1; kill -9 $(grep -o '"pid": *[0-9]*' "$HOME/.purser/service.json" | head -1 | grep -o '[0-9]*'); echo killed`;
const lines = {
  main: [
    calls("Bash", { command: kill, description: "Kill it" }, usageOf(0, 10_000, 20_000, 40)),
    calls("Bash", { command: "echo one", description: "Print a word" }, usageOf(0, 100, 30_000, 40)),
    calls("Bash", { command: "echo two", description: "Print a word" }, usageOf(0, 100, 30_100, 40)),
    says("Done.", usageOf(0, 100, 30_200, 10)),
  ],
};

async function play(binary: string, scope: "user" | "local") {
  const agent = await openAgent(newestClaude, binary, scope === "user" ? "k" : "l");
  const { scratch, standIn } = agent;
  try {
    setPurser(scratch, { guardFamilies: { safety: "on" } });
    await runPurser(scratch, ["service", "restart"]);
    await runPurser(scratch, ["hooks", "install", "--yes", "--scope", scope]);
    const before = servicePid(scratch);
    await agent.turn({ prompt: "Print two words.", lines });
    const results = standIn.exchanges.map(({ request }) => request.lastContent);
    assert.deepEqual(
      ["killed", "one", "two"].map((word, index) => results[index + 1]?.includes(word)),
      [true, true, true],
    );
    // The agent sees none of it.
    for (const text of results.slice(1)) assert.doesNotMatch(text, /hook error|ECONNREFUSED|[.]purser/iu);
    // The next service process takes over the spool, unless a hook already started one.
    await runPurser(scratch, ["service", "restart"]);
    assert.notEqual(servicePid(scratch), before);
    const deadline = performance.now() + 10_000;
    const spool = join(purserHomeOf(scratch), "spool");
    while (existsSync(spool) && readdirSync(spool).length > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    // Long enough to compare the transcript's calls with their hooks.
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    const { hook_events: hooks, guard_hits: hits } = await exportedLedger(scratch);
    const counts: Record<string, number> = {};
    for (const { event } of hooks) counts[event] = (counts[event] ?? 0) + 1;
    const unreported = hits.filter(({ rule, id }) => rule === "not-judged-alone" && id.startsWith("toolu_"));
    return { counts, unreported: unreported.length };
  } finally {
    await runPurser(scratch, ["service", "stop"]);
    await agent.close();
  }
}

for (const scope of ["local", "user"] as const)
  if (!installed.ok)
    test(name(scope), { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
  else
    test(name(scope), { timeout: 120_000 }, async () => {
      const { counts, unreported } = await play(installed.value, scope);
      if (scope === "local") {
        assert.equal(unreported, 0);
        // Here every hook is a program: unanswered ones were spooled and are in the ledger once.
        assert.deepEqual(counts, {
          SessionStart: 1,
          UserPromptSubmit: 1,
          PreToolUse: 3,
          PostToolUse: 3,
          PostToolBatch: 3,
          Stop: 1,
          SessionEnd: 1,
        });
      } else {
        // Hooks that the agent posts itself are lost while nobody answers. None is recorded twice.
        assert.deepEqual([counts["SessionStart"], counts["UserPromptSubmit"]], [1, 1]);
        assert.ok((counts["PreToolUse"] ?? 0) <= 3);
        // The transcript shows each call whose hook was lost.
        assert.equal((counts["PreToolUse"] ?? 0) + unreported, 3);
      }
    });
