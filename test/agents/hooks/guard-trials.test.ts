import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { trialJson } from "../../../src/engine/cli/rules/trial-command.ts";
import { isGiven } from "../../../src/engine/rules/trial/assign.ts";
import { openAgent } from "../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { exportedLedger, runPurser, setPurser } from "./purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude}: a trial shortens outputs in the sessions that drew it, and only observes in the others`;

const line = "Fetching the same thing again";
const noise = `for n in $(seq 200); do echo ${line}; done; echo done`;
/** In one of 32,000 trials all 16 sessions draw the same side. Sessions run until each side was seen twice. */
const maxSessions = 16;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 240_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "g");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    /** Runs the command in a session; returns how often the model was sent its line. */
    const say = async (resume?: string) => {
      const call = calls("Bash", { command: noise, description: "Fetch" }, usageOf(0, 10_000, 20_000, 40));
      const sessionId = await agent.turn({
        prompt: "Fetch.",
        lines: { main: [call, says("Done.", usageOf(0, 100, 32_100, 10))] },
        ...(resume === undefined ? {} : { resume }),
      });
      const sent = agent.standIn.exchanges.at(-1)?.request.lastContent ?? "";
      return { sessionId, isShortened: sent.split(line).length - 1 < 200 };
    };
    try {
      setPurser(scratch, { guardFamilies: { output: "on" } });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      await assert.rejects(
        purser("trial", "start", "--guards", "secrets", "--yes"),
        /acts in every session/u,
      );
      const begun = await purser("trial", "start", "--guards", "output", "--yes", "--json");
      const trial = trialJson.parse(JSON.parse(begun)).trials?.[0]?.id ?? "";
      const seen = { acted: new Set<string>(), observed: new Set<string>() };
      for (let number = 0; number < maxSessions; number += 1) {
        if (seen.acted.size >= 2 && seen.observed.size >= 2) break;
        const { sessionId, isShortened } = await say();
        assert.equal(isShortened, isGiven(trial, sessionId, "guard:output"), sessionId);
        (isShortened ? seen.acted : seen.observed).add(sessionId);
      }
      const [observer] = seen.observed;
      assert.ok(seen.acted.size >= 2 && observer !== undefined && seen.observed.size >= 2);
      await purser("service", "restart");
      assert.equal((await say(observer)).isShortened, false, "resumed after a restart");
      const { trial: status } = trialJson.parse(JSON.parse(await purser("trial", "status", "--json")));
      assert.ok(status !== undefined);
      assert.equal(status.drawn.length, seen.acted.size + seen.observed.size);
      for (const each of status.drawn) {
        assert.deepEqual(each.given, seen.acted.has(each.id) ? ["guard:output"] : [], each.id);
        assert.equal(each.leftOut, null, each.id);
        assert.ok(each.completed >= 1);
      }
      assert.match(await purser("trial", "status"), /output: not known yet, fewer than 20 sessions/u);
      const { guard_hits: hits } = await exportedLedger(scratch);
      for (const done of ["replaced", "observed"])
        assert.ok(
          hits.some((hit) => hit.done === done),
          done,
        );
      assert.match(await purser("trial", "stop", trial), /its guards act in all sessions again/u);
      assert.equal((await say(observer)).isShortened, true, "stopped");
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
