import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Agent } from "../agent.ts";
import { openAgent } from "../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { readRawTranscripts } from "../scenarios/raw-transcripts.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { checkOut, exportedLedger, runPurser, setPurser } from "./purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} with the guard on waste: an unchanged read is answered by where its text stands, the next one in full, and nothing differs while it observes; a huge file is read in part where the user wants that`;

const deck = Array.from({ length: 80 }, (_, at) => `berth ${at + 1} is free today\n`).join("");

function linesFor(file: string) {
  const read = calls("Read", { file_path: file }, usageOf(0, 10_000, 20_000, 40));
  const fails = calls("Bash", { command: "ls nowhere", description: "Look" }, usageOf(0, 100, 30_000, 40));
  return { main: [read, read, read, fails, fails, says("Done.", usageOf(0, 100, 32_100, 10))] };
}

/** The model's input after each call, without parts that differ between sessions. */
async function sentIn(agent: Agent, file: string): Promise<string[]> {
  const from = agent.standIn.exchanges.length;
  await agent.turn({ prompt: "Read the deck.", lines: linesFor(file) });
  return agent.standIn.exchanges
    .slice(from)
    .map(({ request }) => `${request.systemText}\n${request.firstText}\n${request.lastContent}`)
    .map((text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, "ID").replaceAll(/toolu_\w+/gu, "CALL"));
}

/**
 * A later prompt of the session gets the position of the text. One that returns the conversation to before it
 * gets the text.
 */
async function readsAcrossPrompts(agent: Agent, file: string): Promise<void> {
  const read = calls("Read", { file_path: file }, usageOf(0, 10_000, 20_000, 40));
  const lines = () => ({ main: [read, says("Done.", usageOf(0, 100, 32_100, 10))] });
  const readIn = async (prompt: string, args: readonly string[] = []) => {
    const from = agent.standIn.exchanges.length;
    await agent.turn({ prompt, resume, args, lines: lines() });
    return agent.standIn.exchanges[from + 1]?.request.lastContent ?? "";
  };
  const resume = await agent.turn({ prompt: "Read the deck first.", lines: lines() });
  assert.match(await readIn("Read it again."), /Context Purser \(unchanged-read\)/u);
  // The words that come before the first call, in the same response.
  const before = (await readRawTranscripts(agent.scratch.config))
    .flatMap(({ rows }) => rows)
    .find((row) => row.type === "assistant" && row.sessionId === resume);
  assert.match(
    await readIn("Read it now.", ["--resume-session-at", String(before?.["uuid"])]),
    /berth 80 is free/u,
  );
}

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 240_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "w");
    const { scratch } = agent;
    const purser = (...args: readonly string[]) => runPurser(scratch, args);
    const file = join(scratch.workspace, "deck.txt");
    try {
      await writeFile(file, deck);
      checkOut(scratch, "harbor");
      setPurser(scratch, { guardMode: "off" });
      await purser("service", "restart");
      await purser("hooks", "install", "--yes");
      const without = await sentIn(agent, file);
      await purser("guard", "observe");
      await purser("service", "restart");
      assert.deepEqual(await sentIn(agent, file), without);
      await purser("guard", "on", "--family", "waste");
      await purser("service", "restart");
      const [, first = "", second = "", third = "", , failed = ""] = await sentIn(agent, file);
      assert.match(first, /berth 80 is free/u);
      assert.match(second, /Context Purser \(unchanged-read\): .* of your earlier Read call/u);
      assert.doesNotMatch(second, /berth/u);
      assert.match(third, /berth 80 is free/u);
      assert.match(failed, /PreToolUse:Bash hook additional context: Context Purser \(failed-before\)/u);
      const { guard_hits: hits } = await exportedLedger(scratch);
      assert.deepEqual(
        hits.filter(({ family }) => family === "waste").map(({ rule, done }) => [rule, done]),
        [
          ["unchanged-read", "observed"],
          ["failed-before", "observed"],
          ["unchanged-read", "advised"],
          ["failed-before", "advised"],
        ],
      );
      // Reading the ledger has stopped the service.
      await purser("service", "restart");
      await readsAcrossPrompts(agent, file);
      setPurser(scratch, { guardFamilies: { waste: "on" }, guardAddLimits: true });
      await purser("service", "restart");
      await writeFile(file, deck.repeat(60));
      const huge = calls("Read", { file_path: file }, usageOf(0, 10_000, 20_000, 40));
      const from = agent.standIn.exchanges.length;
      await agent.turn({
        prompt: "Read the deck.",
        lines: { main: [huge, says("Done.", usageOf(0, 100, 9, 10))] },
      });
      const { request } = agent.standIn.exchanges[from + 1] ?? {};
      const text = request?.lastContent ?? "";
      assert.deepEqual([text.includes("500\\tberth 20 is"), text.includes("501\\tberth")], [true, false]);
      assert.match(
        text,
        /Context Purser \(limit-added\): the file has \d+ kB, so only its first 500 lines are read/u,
      );
    } finally {
      await purser("service", "stop");
      await agent.close();
    }
  });
