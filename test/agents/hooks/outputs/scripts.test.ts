import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { childEnv } from "../../../engine/support/child-env.ts";
import { waitUntil } from "../../../engine/support/wait-until.ts";
import { openAgent } from "../../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../../install.ts";
import { builtCli, purserStatus, purserUsage } from "../../scenarios/purser.ts";
import { calls, says, usageOf } from "../../stand-in/reply.ts";
import { exportedLedger, runPurser, setPurser } from "../purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} in code mode: a script gets every line of its calls, a dangerous call of a script is refused, and the totals are exact`;
/** Code mode is on by these settings alone, and only at the official address. */
const codeMode = ["--settings", JSON.stringify({ env: { CLAUDE_CODE_EXPERIMENTAL_CODE_MODE: "1" } })];
const [files, commits] = [400, 60];

const script = `
const all = await tools.Bash({ command: "find parts -type f", description: "Find" });
const commits = await tools.Bash({ command: "git log", description: "Log" });
const [once, twice] = [await tools.Read({ file_path: FILE }), await tools.Read({ file_path: FILE })];
try { await tools.Bash({ command: "chmod -R 777 parts", description: "Open" }); } catch {}
const lines = all.stdout.trim().split("\\n");
JSON.stringify({
  files: lines.length,
  whole: lines.every((line) => line.startsWith("parts/")),
  commits: commits.stdout.split("\\n").filter((line) => line.startsWith("commit ")).length,
  same: JSON.stringify(once).length > 3000 && JSON.stringify(once) === JSON.stringify(twice),
})`;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "cc", { isOfficial: true });
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    try {
      const parts = path.join(scratch.workspace, "parts", "of-the-rigging");
      mkdirSync(parts, { recursive: true });
      for (let part = 0; part < files; part += 1) writeFileSync(path.join(parts, `piece-${part}.ts`), "");
      const berths = path.join(scratch.workspace, "berths.txt");
      writeFileSync(berths, Array.from({ length: 200 }, (_, berth) => `Berth ${berth}: free.\n`).join(""));
      commit(scratch);
      setPurser(scratch, { guardMode: "on", guardAddLimits: true });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const code = script.replaceAll("FILE", JSON.stringify(berths));
      const lines = {
        main: [
          calls("REPL", { code, description: "Count" }, usageOf(101, 1009, 20_011, 53)),
          says("All is counted.", usageOf(3, 173, 21_020, 29)),
        ],
      };
      await agent.turn({ prompt: "Count with a script.", model: "claude-sonnet-5-5", lines, args: codeMode });

      const sent = agent.standIn.exchanges.at(-1)?.request.lastContent ?? "";
      const result = /<result>(?<result>\{.*?\})<\/result>/u.exec(sent)?.groups?.["result"] ?? sent;
      assert.deepEqual(JSON.parse(result.replaceAll('\\"', '"')), {
        files,
        whole: true,
        commits,
        same: true,
      });
      assert.match(sent, /<refused>[^<]*Context Purser \(permissions-for-everybody\)/u);

      const { models } = agent.standIn.exchanges.reduce<{ models: Set<string> }>(
        (seen, { request }) => ({ models: seen.models.add(request.model) }),
        { models: new Set() },
      );
      assert.deepEqual([...models], ["claude-sonnet-5-5"]);
      // The service collects rows a moment after they are written.
      await waitUntil(async () => (await purserUsage(builtCli, scratch, "model")).totals.output >= 82);
      const usage = await purserUsage(builtCli, scratch, "model");
      assert.deepEqual([usage.totals.input, usage.totals.output, usage.totals.cacheRead], [104, 82, 41_031]);
      const [session] = (await purserStatus(builtCli, scratch)).sessions;
      assert.deepEqual([session?.turns, session?.skippedLines], [2, {}]);
      const { guard_hits: hits } = await exportedLedger(scratch);
      assert.deepEqual(
        hits.filter(
          ({ done, rule }) => done === "replaced" || /smaller-output|unchanged-read|limit/u.test(rule),
        ),
        [],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });

/** Makes the workspace a repository of many commits. */
function commit({ workspace, home }: { readonly workspace: string; readonly home: string }): void {
  const person = { name: "Ann", email: "ann@example.com" };
  const env = {
    ...childEnv,
    HOME: home,
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
  };
  const commands = [
    "git init -q",
    ...Array.from({ length: commits }, (_, at) => `git commit -q --allow-empty -m ${at}`),
  ];
  execFileSync("sh", ["-c", commands.join(" && ")], { cwd: workspace, env });
}
