import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { StatusJson } from "../../../../src/engine/cli/sessions/sessions-outcome.ts";
import { findGeminiSessions } from "../../../../src/engine/transcripts/gemini/gemini-files.ts";
import { geminiRoots } from "../../../../src/engine/transcripts/home-folder.ts";
import { geminiModel, openGemini, type GeminiAgent } from "../../gemini.ts";
import { geminiVersion, installGemini } from "../../gemini-install.ts";
import { agentsCache } from "../../install.ts";
import type { GeminiExchange } from "../../stand-in/gemini.ts";
import { checkCollected, checkNoTexts, checkRuns, usageByModel } from "../check-ledger.ts";
import { withCollected } from "../collected.ts";
import { purserUsage } from "../purser.ts";
import { watchStatus, type StatusWatch } from "../status-watch.ts";
import { geminiScenarios } from "./chats.ts";
import { expectChatRuns, expectChats, responsesOf } from "./expected-chats.ts";

const cli = fileURLToPath(new URL("../../../../dist/cli.cjs", import.meta.url));
const installed = await installGemini(agentsCache(process.env, homedir()));
const skip = installed.ok ? false : `SKIPPED, the agent cannot be installed here: ${installed.detail.text}`;

/** The context window that Gemini CLI assumes for every Gemini model, and the size at which it compresses. */
const [window, threshold] = [1_048_576, 524_288];

/** The sum in the files, which do not contain the compressor's own calls. */
function tokensWritten(exchanges: readonly GeminiExchange[]) {
  const sum = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
  for (const { input, output, cacheRead } of responsesOf(
    exchanges.filter(({ role }) => role !== "compressor"),
  )) {
    sum.input += input;
    sum.output += output;
    sum.cacheRead += cacheRead;
  }
  return sum;
}

function isAll({ sessions }: StatusJson, exchanges: readonly GeminiExchange[]): boolean {
  const written = tokensWritten(exchanges);
  const [session] = sessions;
  if (session === undefined) return written.input === 0;
  const { input, output, cacheCreation, cacheRead } = session.usage;
  return JSON.stringify({ input, output, cacheCreation, cacheRead }) === JSON.stringify(written);
}

/** Plays while `purser status --watch` follows: before each reply all earlier ones must be shown. */
async function follow(play: (agent: GeminiAgent, watch: StatusWatch) => Promise<void>): Promise<void> {
  await access(cli).catch(() => assert.fail("dist/cli.cjs is missing: build with `node esbuild.mjs` first"));
  if (!installed.ok) return;
  const held: { watch?: StatusWatch } = {};
  const agent = await openGemini(installed.value, {
    beforeReply: async (exchanges) => {
      await held.watch?.until((status) => isAll(status, exchanges), `${exchanges.length} replies`);
    },
  });
  const watch = watchStatus(cli, { HOME: agent.scratch.home });
  held.watch = watch;
  try {
    await play(agent, watch);
  } finally {
    await watch.close();
    await agent.close();
  }
}

for (const { name, compressions, play } of geminiScenarios)
  test(`Gemini CLI ${geminiVersion}: ${name}`, { skip, timeout: 150_000 }, async (t) =>
    follow(async (agent, watch) => {
      await play(agent);
      const { scratch, standIn } = agent;
      const expected = expectChats(agent);
      const [chat] = expected;
      assert.ok(chat !== undefined && expected.length === 1);

      await t.test(
        "purser status showed each reply before the next came, and shows how it ended",
        async () => {
          const status = await watch.until((each) => isAll(each, standIn.exchanges), "all replies");
          assert.deepEqual(status.problems, []);
          const [session] = status.sessions;
          assert.ok(session !== undefined && status.sessions.length === 1);
          assert.deepEqual([session.id, session.agent, session.cwd], [chat.id, "gemini", scratch.workspace]);
          assert.deepEqual([session.title, session.model], [agent.prompts[0], geminiModel]);
          const last = chat.responses.at(-1);
          assert.ok(last !== undefined);
          const context = last.input + last.cacheRead;
          assert.deepEqual([session.context.tokens, session.window.tokens], [context, window]);
          assert.deepEqual(
            [session.headroom.tokens, session.headroom.samples],
            [threshold - context - last.output, 0],
          );
          assert.deepEqual([session.turns, session.compactions], [chat.responses.length, compressions]);
          assert.deepEqual(session.skippedLines, {});
          assert.equal(session.nextCall.provenance, "unknown");
          assert.deepEqual(
            session.subagents.map(({ type, description, running, context: own }) => [
              type,
              description,
              running,
              own.tokens,
            ]),
            chat.subagents.length === 0 ? [] : [["generalist", "Measure the coast.", false, 7207]],
          );
        },
      );

      await t.test(
        "purser usage counts exactly what was sent, but for the compressor's own calls",
        async () => {
          const usage = await purserUsage(cli, scratch, "model");
          const { input, output, cacheRead } = usage.totals;
          const written = tokensWritten(standIn.exchanges);
          assert.deepEqual({ input, output, cacheCreation: 0, cacheRead }, written);
          assert.equal(usage.totals.responses, chat.responses.length + chat.subagents.length);
          assert.deepEqual([usage.undated, usage.problems], [0, []]);
          assert.equal(chat.unwritten.length, 2 * compressions);
        },
      );

      await withCollected({ env: {}, home: scratch.home }, async (collected) => {
        await t.test("the ledger holds exactly the tokens sent, and each turn as a run", () => {
          checkCollected(collected);
          const { cacheCreation, ...sum } = tokensWritten(standIn.exchanges);
          const responses = chat.responses.length + chat.subagents.length;
          assert.deepEqual(usageByModel(collected), {
            [geminiModel]: { responses, ...sum, cacheCreation5m: cacheCreation, cacheCreation1h: 0 },
          });
          const { files } = findGeminiSessions(geminiRoots({ env: {}, home: scratch.home }));
          const subagents = files.flatMap(({ path, parentId }) =>
            parentId === null ? [] : [path.replace(/^.*[\\/]|\.jsonl$/g, "")],
          );
          checkRuns(expectChatRuns(agent, subagents), collected);
        });
        await t.test("no text of the conversation or of tools is in the ledger's files", () => {
          const never = standIn.exchanges.flatMap(({ reply }) => (reply.kind === "text" ? [reply.text] : []));
          return checkNoTexts(collected, { never, surely: [chat.id] });
        });
      });
    }),
  );
