import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { copilotVersion, installCopilot } from "../copilot-install.ts";
import { openCopilot } from "../copilot.ts";
import { agentsCache } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { checkOut, exportedLedger, runPurser, setPurser, workBranch } from "./purser.ts";

const installed = await installCopilot(agentsCache(process.env, homedir()));
const name = `Copilot CLI ${copilotVersion} with hooks: told once though it runs a project's hooks for Claude Code too, given smaller outputs, held to a hard budget, and handed over on the branch that it went to`;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openCopilot(installed.value, "k");
    const { scratch, home, standIn } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args, { COPILOT_HOME: home });
    const bash = (command: string) =>
      calls("bash", { command, description: "Count." }, usageOf(101, 0, 9001, 51));
    // It runs a project's hooks only where it trusts the folder.
    const env = { COPILOT_HOME: home, COPILOT_ALLOW_ALL: "true" };
    const counted = { main: [bash("echo three"), says("Three.", usageOf(107, 13, 9215, 17))] };
    const noise = "for n in $(seq 200); do echo Downloading the same thing again; done; echo done";
    const task = {
      agent_type: "explore",
      description: "Measure the coast",
      prompt: "Measure the coast.",
      name: "measurer",
      mode: "sync",
    };
    // A branch of the same convoy, which its file does not name.
    const goesTo = String.raw`printf 'ref: refs/heads/Fleet\n' > .git/HEAD`;
    try {
      setPurser(scratch, { budgets: "hard", guardFamilies: { output: "on" } });
      checkOut(scratch, "fleet");
      await purser("service", "restart");
      await purser("hooks", "install", "--yes", "--agent", "copilot");
      await purser("hooks", "install", "--yes", "--agent", "claude", "--scope", "project");
      const session = await agent.turn({
        prompt: "Have somebody measure the coast.",
        env,
        lines: {
          main: [
            calls("task", task, usageOf(101, 1009, 8503, 33)),
            says("Nine miles.", usageOf(103, 41, 9513, 9)),
          ],
          subagent: [bash(`${goesTo}; ${noise}`), says("Nine miles.", usageOf(67, 29, 3505, 8))],
        },
      });
      const smaller =
        /repeats of the line above left out …\].{0,20}done.{0,20}\[… [\d,]+ bytes left out …\].*exit code 0/u;
      assert.ok(standIn.exchanges.some(({ request }) => smaller.test(request.lastContent)));
      checkOut(scratch, "fleet");
      assert.equal(await workBranch(scratch, session), "Fleet");
      // Only the project's hooks for Claude Code are left.
      await purser("hooks", "uninstall", "--yes", "--agent", "copilot");
      const other = await agent.turn({ prompt: "Count the boats.", env, lines: counted });
      await purser("hooks", "install", "--yes", "--agent", "copilot");
      await purser("budget", "create", "fleet", "--agent", "none", "--session", "1k/run");
      // A prompt that is refused makes no request.
      await agent.turn({ prompt: "Count the boats.", env, lines: { main: [] }, fails: true });
      const { hook_events: hooks } = await exportedLedger(scratch);
      const adviceFor = (id: string, isSubagent: boolean) =>
        hooks
          .filter((each) => each["session_id"] === id && (each["agent_id"] !== null) === isSubagent)
          .map(({ event }) => event)
          .sort();
      assert.deepEqual(adviceFor(session, false), [
        "PostToolUse",
        "PreToolUse",
        "SessionEnd",
        "SessionStart",
        "Stop",
        "UserPromptSubmit",
      ]);
      assert.deepEqual(adviceFor(session, true), [
        "PostToolUse",
        "PreToolUse",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "UserPromptSubmit",
      ]);
      assert.deepEqual(adviceFor(other, false), [
        "PostToolUse",
        "PreToolUse",
        "SessionEnd",
        "SessionStart",
        "Stop",
        "UserPromptSubmit",
      ]);
      assert.deepEqual(
        hooks.filter(({ outcome }) => outcome !== "none").map(({ event, outcome }) => [event, outcome]),
        [
          ["PostToolUse", "replace"],
          ["UserPromptSubmit", "block"],
        ],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
