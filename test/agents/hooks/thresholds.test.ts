import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { checkJson } from "../../../src/engine/cli/sessions/self-check.ts";
import { openAgent } from "../agent.ts";
import { runPurser, servicePid, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { roleOf } from "../stand-in/role.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} goes by the thresholds of settings.json alone, in its warnings and its skill, and is told nothing twice over a restart`;

/** The sleep gives the agent time to write its row, even on a slow disk. */
const bash = { command: "sleep 1; echo one", description: "Print a word" };
const helper = {
  description: "Look around",
  prompt: "Look at the east quay.",
  subagent_type: "general-purpose",
  run_in_background: false,
};

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "t");
    const { scratch, standIn } = agent;
    /** The requests that the stand-in received in a turn, with their roles. */
    const sentFrom = (from: number) =>
      standIn.exchanges
        .slice(from)
        .map(({ request }) => ({ role: roleOf(request), text: request.lastContent }));
    const advice = /Context Purser's advice is (\w+)/u;
    const adviceIn = (sent: ReturnType<typeof sentFrom>) =>
      sent.map(({ role, text }) => [role, advice.exec(text)?.[1] ?? ""]);
    try {
      setPurser(scratch, { wrapUpAt: 85, endTurnAt: 25, stopGate: "ask" });
      await runPurser(scratch, ["service", "restart"]);
      await runPurser(scratch, ["hooks", "install", "--yes"]);
      const id = await agent.turn({
        prompt: "Print a word, and ask a helper.",
        lines: {
          main: [
            calls("Bash", bash, usageOf(0, 10_000, 30_000, 40)),
            calls("Agent", helper, usageOf(0, 100, 40_000, 40)),
            says("Done.", usageOf(0, 100, 41_000, 10)),
          ],
          subagent: [
            calls("Bash", bash, usageOf(0, 10_000, 100_000, 40)),
            calls("Bash", bash, usageOf(0, 100, 160_000, 40)),
            says("The quay is free.", usageOf(0, 100, 160_200, 10)),
          ],
        },
      });
      const first = sentFrom(0);
      assert.deepEqual(adviceIn(first), [
        ["main", ""],
        ["main", "WRAP_UP"],
        ["subagent", ""],
        ["subagent", "WRAP_UP"],
        ["subagent", "END_TURN"],
        ["main", ""],
      ]);
      const own = first.flatMap(({ role, text }) => (role === "subagent" ? [text] : []));
      assert.match(own[1] ?? "", /this subagent's own context holds 110,000 of 200,000 tokens \(45% left\)/u);
      assert.match(own[2] ?? "", /this subagent's own context holds 160,100 of 200,000 tokens \(19% left\)/u);

      const command = ["status", "--session", id, "--json"];
      const asked = async () => {
        const { recommendation, thresholds } = checkJson.parse(JSON.parse(await runPurser(scratch, command)));
        return { recommendation, thresholds };
      };
      const known = { recommendation: "WRAP_UP", thresholds: { wrapUpAt: 85, endTurnAt: 25 } };
      assert.deepEqual(await asked(), known, "the service confirms it");
      const before = servicePid(scratch);
      await runPurser(scratch, ["service", "stop"]);
      assert.deepEqual(await asked(), known, "and so do the files, where none runs");

      await runPurser(scratch, ["service", "restart"]);
      assert.notEqual(servicePid(scratch), before);
      const from = standIn.exchanges.length;
      await agent.turn({
        prompt: "Print a word once more.",
        resume: id,
        lines: {
          main: [
            calls("Bash", bash, usageOf(0, 100, 42_000, 40)),
            calls("Bash", bash, usageOf(0, 100, 161_000, 40)),
            says("Printed.", usageOf(0, 100, 162_000, 10)),
            says("Asked: a word. Done: it was printed.", usageOf(0, 100, 162_200, 10)),
          ],
        },
      });
      const second = sentFrom(from);
      assert.deepEqual(
        adviceIn(second).map(([, reported]) => reported),
        ["", "", "END_TURN", ""],
        "to wrap up it was told before the restart",
      );
      const isAsked = second.map(({ text }) =>
        /(?:18|19)% of the context left \(16[12],100 of 200,000 tokens used\).*sum up/u.test(text),
      );
      assert.deepEqual(isAsked, [false, false, false, true], JSON.stringify(second.at(-1)));
      const later = standIn.exchanges.length;
      await agent.turn({
        prompt: "And now?",
        resume: id,
        lines: { main: [says("Nothing.", usageOf(0, 100, 162_400, 10))] },
      });
      assert.equal(sentFrom(later).length, 1, "one context is summed up once");
    } finally {
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
