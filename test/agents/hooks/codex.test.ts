import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFile, open, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { trustHash } from "../../../src/engine/hooks/install/codex-trust.ts";
import { openCodex } from "../codex.ts";
import { codexVersion, installCodex } from "../codex-install.ts";
import { answers, callsTool, codexTokens } from "../stand-in/codex-reply.ts";
import { checkOut, exportedLedger, runPurser, setPurser, workBranch } from "./purser.ts";
import { agentsCache } from "../install.ts";

const installed = await installCodex(agentsCache(process.env, homedir()));
const name = `Codex ${codexVersion} with hooks: recorded once they are trusted, given smaller outputs, held to a hard budget, and handed over on the branch that it went to`;

const hookList = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.looseObject({})) }))),
});

/** Writes into Codex's settings what it writes itself when a person reviews hooks with its /hooks command. */
async function reviewHooks(settings: string, config: string): Promise<void> {
  const { hooks } = hookList.parse(JSON.parse(await readFile(settings, "utf8")));
  for (const [event, [group]] of Object.entries(hooks)) {
    const place = event.replaceAll(/(?!^)[A-Z]/gu, (letter) => `_${letter}`).toLowerCase();
    const hash = trustHash({ event, value: group?.hooks[0] });
    await appendFile(config, `\n[hooks.state."${settings}:${place}:0:0"]\ntrusted_hash = "${hash}"\n`);
  }
}

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
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
    try {
      setPurser(scratch, { budgets: "hard", guardFamilies: { output: "on" } });
      checkOut(scratch, "fleet");
      await purser("service", "restart");
      assert.match(
        await purser("hooks", "install", "--yes", "--agent", "codex"),
        /review them \(\/hooks in Codex\)/u,
      );
      await agent.turn({ prompt: "Count the boats.", lines: work("echo three") });
      await reviewHooks(settings, join(home, "config.toml"));
      const passing =
        'import { test } from "node:test"; for (let n = 1; n <= 200; n += 1) test(`rope ${n}`, () => {});\n';
      await writeFile(join(scratch.workspace, "rope.test.mjs"), passing);
      await agent.turn({
        prompt: "Count the boats.",
        lines: work("node --test-reporter=spec rope.test.mjs"),
      });
      const smaller = /left out …\].*fail 0.*\[… [\d,]+ bytes left out …\]/u;
      assert.ok(smaller.test(standIn.exchanges.at(-2)?.body ?? ""));
      await purser("budget", "create", "fleet", "--agent", "none", "--session", "20k/run");
      execFileSync("mkfifo", [join(scratch.workspace, "gate")]);
      const from = standIn.exchanges.length;
      const turn = agent.turn({
        prompt: "Count them again.",
        lines: work("cat gate; echo seen"),
      });
      // A pipe opens for writing once it is read: when the first call runs, after its hook. Then its usage has to show.
      const gate = await Promise.race([open(join(scratch.workspace, "gate"), "w"), turn]);
      assert.ok(typeof gate !== "string", "the first call did not run");
      while (!/10,000 .*20,000/u.test(await purser("budget", "report", "fleet"))) await Promise.resolve();
      await purser("budget", "set", "fleet", "--session", "10k/run");
      // A branch of the same convoy, which its file does not name.
      checkOut(scratch, "Fleet");
      await gate.close();
      const session = await turn;
      checkOut(scratch, "other");
      assert.equal(await workBranch(scratch, session, { CODEX_HOME: home }), "Fleet");
      const sent = standIn.exchanges.slice(from).map(({ body }) => body.includes("session_budget_exceeded"));
      // It gets the message after the first call, and its next call is denied.
      assert.deepEqual(sent, [false, true, true]);
      await purser("hooks", "uninstall", "--yes", "--agent", "codex");
      await assert.rejects(readFile(settings), { code: "ENOENT" });
      const { hook_events: hooks } = await exportedLedger(scratch);
      const counts: Record<string, number> = {};
      // Codex waits for no hook after a response, not even when it ends.
      const awaited = hooks.filter(({ event }) => event !== "PostModelRequest");
      assert.ok(hooks.length > awaited.length);
      for (const { event } of awaited) counts[event] = (counts[event] ?? 0) + 1;
      // The first turn has no hooks, since nobody had reviewed them. A denied call has no end event.
      assert.deepEqual(counts, {
        SessionStart: 2,
        UserPromptSubmit: 2,
        PreToolUse: 4,
        PostToolUse: 3,
        Stop: 2,
        SessionEnd: 2,
      });
      assert.deepEqual(
        hooks.filter(({ outcome }) => outcome !== "none").map(({ event, outcome }) => [event, outcome]),
        [
          ["PostToolUse", "replace"],
          ["PostToolUse", "advise"],
          ["PreToolUse", "deny"],
        ],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
