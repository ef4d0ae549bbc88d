import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { openGemini } from "../gemini.ts";
import { geminiVersion, installGemini } from "../gemini-install.ts";
import { calls, geminiTokens, says } from "../stand-in/gemini-reply.ts";
import { checkOut, exportedLedger, purserHomeOf, runPurser, setPurser, workBranch } from "./purser.ts";
import { agentsCache } from "../install.ts";

const installed = await installGemini(agentsCache(process.env, homedir()));
const name = `Gemini CLI ${geminiVersion} with hooks: advised, given smaller outputs, held to a hard budget, handed over on the branch that it went to, and at work without purser or Node`;

const unlimited = ["--agent", "none", "--convoy", "none"];
const patience = 30_000; // ms

/** A folder with the programs that the work needs: Node can be taken out of it. */
async function programsIn(folder: string): Promise<string> {
  await mkdir(folder);
  for (const each of ["sh", "bash", "cat", "mv"]) await symlink(found(each), join(folder, each));
  await symlink(process.execPath, join(folder, "node"));
  return folder;
}

function found(program: string): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const file = folders.map((each) => join(each, program)).find((each) => existsSync(each));
  assert.ok(file !== undefined, `${program} is missing`);
  return file;
}

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async () => {
    const agent = await openGemini(installed.value);
    const { scratch, standIn } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    const settings = join(scratch.home, ".gemini", "settings.json");
    const before = await readFile(settings, "utf8");
    const bash = (command: string, prompt: number) =>
      calls("run_shell_command", { command, description: "Count." }, geminiTokens(prompt, 0, 50));
    const shows = async (usage: RegExp) => {
      const deadline = performance.now() + patience;
      let report = "";
      while (!usage.test(report)) {
        assert.ok(performance.now() < deadline, report);
        report = await purser("budget", "report", "fleet");
      }
    };
    const bodies = (from: number) => standIn.exchanges.slice(from).map(({ body }) => body);
    try {
      setPurser(scratch, {
        budgets: "hard",
        wrapUpAt: 85,
        warnEveryCalls: 1,
        guardFamilies: { output: "on" },
      });
      checkOut(scratch, "fleet");
      await purser("service", "restart");
      await purser("hooks", "install", "--yes", "--agent", "gemini");
      await purser("budget", "create", "fleet", ...unlimited, "--session", "3000k/run");

      const begun = join(scratch.workspace, "begun");
      const go = join(scratch.workspace, "go");
      const never = join(scratch.workspace, "never");
      const noise = "for n in {1..200}; do echo Downloading the same thing again; done";
      const waits = `touch ${begun}; until [ -e ${go} ]; do sleep 0.1; done; ${noise}; echo seen`;
      const turn = agent.turn({
        prompt: "Count the boats.",
        lines: { main: [bash(waits, 480_000), bash(`touch ${never}`, 480_100)] },
      });
      // While the first call runs, after its hook, its usage has to show.
      await waitUntil(() => existsSync(begun), patience);
      await shows(/480,050 .*3,000,000/u);
      // One more call fits, and no second one.
      await purser("budget", "set", "fleet", "--session", "1000k/run");
      // A branch of the same convoy. Its file names none.
      checkOut(scratch, "Fleet");
      await writeFile(go, "");
      const session = await turn;
      const sent = bodies(0);
      const told = [/Context Purser's advice is WRAP_UP/u, /session_budget_exceeded/u, /Sum up now/u];
      assert.deepEqual(
        sent.map((body) => told.map((each) => each.test(body))),
        [
          [false, false, false],
          [true, true, true],
        ],
      );
      const shown = /The command succeeded, .*repeats of the line above left out …\]\\nseen\\n\[… .*WRAP_UP/u;
      assert.ok(shown.test(sent[1] ?? ""), "it arrives with the tool's result");
      assert.ok(!existsSync(never), "the call that would have passed the limit was not made");
      // Each prompt begins a new run. Its first call sends the whole conversation.
      await purser("budget", "set", "fleet", "--session", "400k/run");
      await agent.turn({ prompt: "Go on.", resume: session, lines: {} });
      assert.equal(standIn.exchanges.length, sent.length, "the prompt was not sent");
      checkOut(scratch, "other");
      assert.equal(await workBranch(scratch, session), "Fleet");

      await purser("budget", "set", "fleet", "--session", "3000k/run");
      const launcher = join(purserHomeOf(scratch), "hook.sh");
      const programs = await programsIn(join(scratch.root, "programs"));
      const alone = await agent.turn({
        prompt: "Count them alone.",
        env: { PATH: programs },
        lines: {
          main: [
            bash(`mv ${launcher} ${launcher}.away; echo without purser`, 9000),
            bash(`mv ${join(programs, "node")} ${join(programs, "away")}; echo without node`, 9200),
            bash("echo with nothing", 9400),
            says("Seven boats.", geminiTokens(9600, 0, 17)),
          ],
        },
      });
      assert.deepEqual(
        bodies(sent.length).map((body) =>
          [...body.matchAll(/Output: (with\w* \w+)/gu)].map(([, text]) => text),
        ),
        [
          [],
          ["without purser"],
          ["without purser", "without node"],
          ["without purser", "without node", "with nothing"],
        ],
      );
      await rename(`${launcher}.away`, launcher);
      await purser("hooks", "uninstall", "--yes", "--agent", "gemini");
      assert.equal(await readFile(settings, "utf8"), before);
      assert.ok(!existsSync(launcher));

      const { hook_events: hooks } = await exportedLedger(scratch);
      const of = (id: string) =>
        hooks
          .filter((each) => each["session_id"] === id)
          .map(({ event, outcome }) => `${event} ${outcome ?? ""}`);
      assert.deepEqual(of(session), [
        "SessionStart none",
        "UserPromptSubmit none",
        "PreToolUse none",
        "PostToolUse replace",
        "PreToolUse deny",
        "SessionEnd none",
        "SessionStart none",
        "UserPromptSubmit block",
        "SessionEnd none",
      ]);
      // The first call takes the hooks' program away.
      assert.deepEqual(of(alone), ["SessionStart none", "UserPromptSubmit none", "PreToolUse none"]);
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
