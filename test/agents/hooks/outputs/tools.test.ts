import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openAgent } from "../../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../../install.ts";
import { calls, says, usageOf } from "../../stand-in/reply.ts";
import { exportedLedger, runPurser, setPurser } from "../purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} and answers of Grep, Glob and a server: smaller in the next request, in their own shape`;

/** A server of one tool, which answers with 300 orders. */
const server = `
const orders = Array.from({ length: 300 }, (_, id) => ({ id, knot: "bowline", state: "sent" }));
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "shop", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "list_orders", description: "Orders", inputSchema: { type: "object", properties: {} } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: JSON.stringify(orders) }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params ?? {}) ?? {} }));
});
`;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "o");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    const sentFor = async (
      tool: string,
      input: Readonly<Record<string, unknown>>,
      args: readonly string[] = [],
    ) => {
      const call = calls(tool, input, usageOf(0, 10_000, 20_000, 40));
      const lines = { main: [call, says("Done.", usageOf(0, 100, 32_100, 10))] };
      await agent.turn({ prompt: "Look.", lines, args });
      return agent.standIn.exchanges.at(-1)?.request.lastContent ?? "";
    };
    try {
      const folder = path.join(scratch.workspace, "src", "rigging");
      mkdirSync(folder, { recursive: true });
      const text = Array.from({ length: 200 }, (_, index) => `const rope${index} = 1;\n\n\n`).join("");
      writeFileSync(path.join(folder, "knots.ts"), text);
      for (let index = 0; index < 90; index += 1)
        writeFileSync(path.join(folder, `a-piece-of-rigging-${index}.ts`), "");
      const orders = path.join(scratch.workspace, "orders.cjs");
      writeFileSync(orders, server);
      const config = { mcpServers: { shop: { command: process.execPath, args: [orders] } } };
      setPurser(scratch, { guardFamilies: { output: "on" } });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const matches = await sentFor("Grep", {
        pattern: "rope",
        output_mode: "content",
        "-n": true,
        path: "src",
      });
      assert.match(matches, /repeats of a file's name left out …\]/u);
      assert.match(matches, /bytes left out …\] All 200 lines, kept for a week: .+ output \w{6}/u);
      assert.match(matches, /rope199 /u);
      const paths = await sentFor("Glob", { pattern: "src/**/*.ts" });
      assert.match(paths, /repeats of a folder's name left out …\]/u);
      assert.match(paths, /a-piece-of-rigging-89\.ts/u);
      const listed = await sentFor("mcp__shop__list_orders", {}, [
        "--mcp-config",
        JSON.stringify(config),
        "--allowedTools",
        "mcp__shop__list_orders",
      ]);
      assert.match(listed, /repeated names left out …\]/u);
      assert.match(listed, /\[299\]/u);
      const { guard_hits: hits } = await exportedLedger(scratch);
      assert.deepEqual(
        hits.map(({ rule, done }) => `${rule} ${done}`),
        ["smaller-output-paths replaced", "smaller-output-paths replaced", "smaller-output-json replaced"],
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
