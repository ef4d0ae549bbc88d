import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { SessionFeed } from "../../../../../src/engine/sessions/live/sessions-feed.ts";
import type { SessionReader } from "../../../../../src/engine/sessions/live/reader.ts";
import { addUsage, noUsage } from "../../../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../../../support/scratch.ts";

const folder = fileURLToPath(new URL("../../../../recordings/codex-0.171.0", import.meta.url));
const tokens = z.int().nonnegative();
/** What the stand-in for the model's API really sent, stored beside each recording. */
const facts = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      responses: z.array(
        z.object({ input: tokens, output: tokens, cacheCreation5m: tokens, cacheRead: tokens }),
      ),
    }),
  ),
});

/** The sessions of a recording, as followed live. An archived one is brought back. */
async function follow(test: TestContext, scenario: string): Promise<ReadonlyMap<string, SessionReader>> {
  const home = scratchFolder(test);
  cpSync(path.join(folder, scenario), home, { recursive: true });
  const sessions = path.join(home, "sessions");
  mkdirSync(path.join(sessions, "2026", "11", "03"), { recursive: true });
  const archive = path.join(home, "archived_sessions");
  if (scenario === "tool-loop")
    for (const name of readdirSync(archive))
      renameSync(path.join(archive, name), path.join(sessions, "2026", "11", "03", name));
  const feed = new SessionFeed({
    roots: [sessions, archive].map((each) => ({ agent: "codex", path: each })),
    clock: { now: () => Date.now() },
    isAlive: () => false,
  });
  test.after(() => feed.dispose());
  await feed.readOnce();
  assert.deepEqual(feed.problems, []);
  return feed.readers;
}

async function only(test: TestContext, scenario: string): Promise<SessionReader> {
  const [reader, ...others] = (await follow(test, scenario)).values();
  assert.ok(reader !== undefined && others.length === 0);
  return reader;
}

describe("rollouts of the real Codex, read live", () => {
  for (const scenario of readdirSync(folder))
    it(`report exactly the tokens sent: ${scenario}`, async (test) => {
      const readers = await follow(test, scenario);
      const { sessions } = facts.parse(
        JSON.parse(readFileSync(path.join(folder, scenario, "expected.json"), "utf8")),
      );
      for (const { id, responses } of sessions) {
        const whole = [...readers.values()].find(
          ({ account }) => account.id === id || account.subagents.has(id),
        );
        const account = whole?.account ?? assert.fail(id);
        const chain = account.id === id ? account.ofMain : account.subagent(id).responses;
        const sent = responses.map((each) => ({ ...noUsage, ...each })).reduce(addUsage, noUsage);
        assert.deepEqual(chain.usage(), sent);
        assert.deepEqual(account.skipped, new Map());
      }
      const all = sessions.flatMap(({ responses }) => responses);
      const sum = [...readers.values()].map(({ account }) => account.own.usage()).reduce(addUsage, noUsage);
      assert.deepEqual(sum, all.map((each) => ({ ...noUsage, ...each })).reduce(addUsage, noUsage));
    });

  it("report a session with its tools, turns, window and plan", async (test) => {
    const { account } = await only(test, "tool-loop");
    const { main, toolCalls, planLimits } = account;
    assert.deepEqual([account.cwd, account.firstPrompt], ["/home/dev/harbor", "Count the boats."]);
    assert.deepEqual([main.turns, main.prompts, main.ended], [4, 2, true]);
    assert.deepEqual([...toolCalls.values()], ["exec_command", "exec_command"]);
    assert.deepEqual([main.occupancy(), main.carried(), main.window?.tokens], [9533, 9552, 258_400]);
    assert.deepEqual(
      planLimits.map(({ name, usedPercent }) => [name, usedPercent]),
      [
        ["codex primary", 12.5],
        ["codex secondary", 40],
      ],
    );
  });

  it("report a subagent inside the session that started it", async (test) => {
    const reader = await only(test, "subagent");
    const [[id, subagent] = assert.fail()] = reader.account.subagents;
    assert.deepEqual([subagent.chain.turns, subagent.chain.prompts, subagent.chain.ended], [2, 1, true]);
    assert.equal(subagent.facts.description, "Measure the coast.");
    assert.equal(subagent.chain.window?.tokens, 258_400);
    assert.deepEqual([reader.account.main.turns, reader.account.toolCalls.size], [4, 3]);
    assert.match(reader.subagentTranscripts.get(id) ?? "", /030013\.jsonl$/u);
    assert.match(reader.transcript, /030000\.jsonl$/u);
  });

  it("report a compaction, its cause and the size after it", async (test) => {
    const { main } = (await only(test, "compaction")).account;
    assert.deepEqual(
      main.compactions.map(({ compaction: { trigger, preTokens, postTokens } }) => [
        trigger,
        preTokens,
        postTokens,
      ]),
      [["auto", 19_802, 6071]],
    );
    assert.deepEqual([main.occupancy(), main.prompts, main.turns], [5003, 2, 3]);
  });

  it("report a full context, and how Codex handled it", async (test) => {
    const { main } = (await only(test, "context-full")).account;
    assert.deepEqual(
      main.compactions.map(({ compaction: { trigger, preTokens } }) => [trigger, preTokens]),
      [["auto", 258_400]],
    );
    assert.deepEqual([main.occupancy(), main.prompts, main.estimate], [11_000, 3, null]);
  });

  it("report forks as sessions of their own", async (test) => {
    const readers = await follow(test, "fork");
    assert.deepEqual(
      [...readers.values()].map(({ account: { main, firstPrompt } }) => [firstPrompt, main.turns]).toSorted(),
      [
        ["Name it otherwise.", 1],
        ["Name its pier.", 1],
        ["Name the harbor.", 2],
      ],
    );
  });
});
