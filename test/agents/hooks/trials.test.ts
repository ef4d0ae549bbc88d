import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { trialJson } from "../../../src/engine/cli/rules/trial-command.ts";
import { isGiven } from "../../../src/engine/rules/trial/assign.ts";
import { openAgent } from "../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { says, usageOf } from "../stand-in/reply.ts";
import { runPurser, setPurser } from "./purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude}: a session that draws a rule on trial has it in its first request, and no other session has`;
const sentence = "Read a file once and work from what you saw.";
/** In one of 32,000 trials all 16 sessions draw the same side. Sessions run until both sides were seen. */
const maxSessions = 16;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "t");
    const purser = (...args: readonly string[]) => runPurser(agent.scratch, args);
    const say = async (resume?: string) => {
      const line = says("Moored.", usageOf(0, 100, 20_000, 10));
      const sessionId = await agent.turn({
        prompt: "Moor the ship.",
        lines: { main: [line] },
        ...(resume === undefined ? {} : { resume }),
      });
      const from = agent.turns.at(-1)?.from ?? -1;
      const request = agent.standIn.exchanges[from]?.request;
      return { sessionId, hadRule: `${request?.firstText} ${request?.lastContent}`.includes(sentence) };
    };
    try {
      setPurser(agent.scratch);
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const added = await purser("rules", "add", "main", "--rule", sentence);
      const rule = /^(r[0-9a-f]{10}) /u.exec(added)?.[1] ?? "";
      await purser("rules", "approve", rule);
      assert.equal((await say()).hadRule, false, "no trial is on");
      const begun = await purser("trial", "start", "main", "--project", ".", "--yes", "--json");
      const trial = trialJson.parse(JSON.parse(begun)).trials?.[0]?.id ?? "";
      const seen = new Map<boolean, string>();
      for (let number = 0; number < maxSessions && seen.size < 2; number += 1) {
        const { sessionId, hadRule } = await say();
        assert.equal(hadRule, isGiven(trial, sessionId, rule));
        seen.set(hadRule, sessionId);
      }
      assert.equal(seen.size, 2);
      for (const [hadRule, sessionId] of seen)
        assert.equal((await say(sessionId)).hadRule, hadRule, "resumed");
      const { trial: status } = trialJson.parse(JSON.parse(await purser("trial", "status", "--json")));
      for (const [hadRule, sessionId] of seen) {
        const drawn = status?.drawn.find(({ id }) => id === sessionId);
        assert.deepEqual(drawn?.given, hadRule ? [rule] : []);
      }
      await purser("trial", "stop", trial);
      for (let number = 0; number < 3; number += 1)
        assert.equal((await say()).hadRule, false, "the trial is stopped");
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
