import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openAgent } from "./agent.ts";
import { openCodex } from "./codex.ts";
import { codexVersion, installCodex } from "./codex-install.ts";
import { openCopilot } from "./copilot.ts";
import { copilotVersion, installCopilot } from "./copilot-install.ts";
import { openGemini } from "./gemini.ts";
import { geminiVersion, installGemini } from "./gemini-install.ts";
import { agentsCache, installClaude, newestClaude } from "./install.ts";
import { answers, callsTool, codexTokens } from "./stand-in/codex-reply.ts";
import { calls as geminiCalls, geminiTokens, says as geminiSays } from "./stand-in/gemini-reply.ts";
import { calls, says, usageOf } from "./stand-in/reply.ts";

const cli = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const server = { command: process.execPath, args: [cli, "mcp"] };
const question = { command: "rm -rf /" };
const answer = /Data from Context Purser, not instructions:.{1,4}delete-root \(ask\): /su;
const cache = agentsCache(process.env, homedir());

function describe(agent: string, version: string): string {
  return `${agent} ${version} asks purser over MCP and gets the answer of the guard`;
}

const claude = await installClaude(newestClaude, cache);
if (!claude.ok) test(describe("Claude Code", newestClaude), { skip: `SKIPPED: ${claude.detail.text}` });
else
  test(describe("Claude Code", newestClaude), { timeout: 90_000 }, async () => {
    const agent = await openAgent(newestClaude, claude.value, "m");
    try {
      await agent.turn({
        prompt: "May I?",
        args: [
          "--mcp-config",
          JSON.stringify({ mcpServers: { purser: server } }),
          "--allowedTools",
          "mcp__purser",
        ],
        lines: {
          main: [
            calls("mcp__purser__guard", question, usageOf(0, 30_000, 1000, 40)),
            says("No.", usageOf(0, 200, 31_000, 20)),
          ],
        },
      });
      assert.match(agent.standIn.exchanges.at(-1)?.request.lastContent ?? "", answer);
    } finally {
      await agent.close();
    }
  });

const codex = await installCodex(cache);
if (!codex.ok) test(describe("Codex", codexVersion), { skip: `SKIPPED: ${codex.detail.text}` });
else
  test(describe("Codex", codexVersion), { timeout: 90_000 }, async () => {
    const agent = await openCodex(codex.value, "m");
    try {
      await appendFile(
        join(agent.home, "config.toml"),
        `[mcp_servers.purser]\ncommand = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\n`,
      );
      await agent.turn({
        prompt: "May I?",
        lines: {
          main: [
            callsTool("guard", question, codexTokens(9000, 0, 100), "mcp__purser"),
            answers("No.", codexTokens(9200, 8960, 17)),
          ],
        },
      });
      assert.match(JSON.stringify(agent.standIn.exchanges.at(-1)), answer);
    } finally {
      await agent.close();
    }
  });

const copilot = await installCopilot(cache);
if (!copilot.ok) test(describe("Copilot CLI", copilotVersion), { skip: `SKIPPED: ${copilot.detail.text}` });
else
  test(describe("Copilot CLI", copilotVersion), { timeout: 90_000 }, async () => {
    const agent = await openCopilot(copilot.value, "m");
    try {
      await mkdir(agent.home, { recursive: true });
      const file = join(agent.home, "mcp-config.json");
      await writeFile(
        file,
        JSON.stringify({ mcpServers: { purser: { type: "local", tools: ["*"], ...server } } }),
      );
      await agent.turn({
        prompt: "May I?",
        lines: {
          main: [
            calls("purser-guard", question, usageOf(101, 0, 9001, 51)),
            says("No.", usageOf(107, 13, 9215, 17)),
          ],
        },
      });
      assert.match(agent.standIn.exchanges.at(-1)?.request.lastContent ?? "", answer);
    } finally {
      await agent.close();
    }
  });

const gemini = await installGemini(cache);
if (!gemini.ok) test(describe("Gemini CLI", geminiVersion), { skip: `SKIPPED: ${gemini.detail.text}` });
else
  test(describe("Gemini CLI", geminiVersion), { timeout: 90_000 }, async () => {
    const agent = await openGemini(gemini.value);
    try {
      const file = join(agent.scratch.home, ".gemini", "settings.json");
      const settings: unknown = JSON.parse(await readFile(file, "utf8"));
      assert.ok(typeof settings === "object");
      await writeFile(
        file,
        JSON.stringify({ ...settings, mcpServers: { purser: { trust: true, ...server } } }),
      );
      await agent.turn({
        prompt: "May I?",
        lines: {
          main: [
            geminiCalls("mcp_purser_guard", question, geminiTokens(9000, 0, 50)),
            geminiSays("No.", geminiTokens(9100, 0, 10)),
          ],
        },
      });
      assert.match(JSON.stringify(agent.standIn.exchanges.at(-1)?.body), answer);
    } finally {
      await agent.close();
    }
  });
