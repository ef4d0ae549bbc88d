import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { SessionFeed } from "../../../../src/engine/sessions/live/sessions-feed.ts";
import { usageReader } from "../../../../src/engine/transcripts/gemini/usage-reader.ts";
import { addUsage, noUsage, type TokenUsage } from "../../../../src/engine/usage/token-counts.ts";

const recordings = fileURLToPath(new URL("../../../recordings/gemini-0.61.0", import.meta.url));
const response = z.object({ input: z.number(), output: z.number(), cacheRead: z.number() });
const expectedSchema = z.object({
  sessions: z.array(
    z.looseObject({ id: z.string(), responses: z.array(response), subagents: z.array(response) }),
  ),
});

function expectedOf(scenario: string) {
  const text = readFileSync(path.join(recordings, scenario, "expected.json"), "utf8");
  return expectedSchema.parse(JSON.parse(text)).sessions;
}

/** Reads all of a recording as in a live session, however old it is. */
async function readLive(t: TestContext, scenario: string): Promise<SessionFeed> {
  const feed = new SessionFeed({
    roots: [{ agent: "gemini", path: path.join(recordings, scenario, "tmp") }],
    clock: { now: () => 0 },
    isAlive: () => false,
  });
  t.after(() => feed.dispose());
  await feed.readOnce();
  return feed;
}

const sumOf = (responses: readonly z.infer<typeof response>[]): TokenUsage =>
  responses.map((each): TokenUsage => ({ ...noUsage, ...each })).reduce(addUsage, noUsage);

const scenarios = readdirSync(recordings);

describe("sessions of the real Gemini CLI", () => {
  for (const scenario of scenarios) {
    it(`are counted exactly: ${scenario}`, () => {
      const { records, malformed, problems } = usageReader.readUsage([
        path.join(recordings, scenario, "tmp"),
      ]);
      const sent = expectedOf(scenario).flatMap(({ responses, subagents }) => [...responses, ...subagents]);
      assert.deepEqual(records.map(({ usage }) => usage).reduce(addUsage, noUsage), sumOf(sent));
      assert.deepEqual([records.length, malformed, problems], [sent.length, 0, []]);
    });

    it(`are followed exactly: ${scenario}`, async (t) => {
      const feed = await readLive(t, scenario);
      const expected = expectedOf(scenario);
      assert.deepEqual(
        [...feed.readers.keys()],
        expected.map(({ id }) => id),
      );
      for (const { id, responses, subagents } of expected) {
        const { main, own, ofMain, skipped, cwd } = feed.readers.get(id)?.account ?? assert.fail(id);
        assert.deepEqual(
          [ofMain.usage(), own.usage()],
          [sumOf(responses), sumOf([...responses, ...subagents])],
        );
        const last = responses.at(-1) ?? assert.fail("no response");
        assert.equal(main.occupancy(), last.input + last.cacheRead);
        assert.deepEqual([main.turns, skipped.size, cwd], [responses.length, 0, "/home/dev/harbor"]);
      }
    });
  }

  it("have a compression during a turn, counted once however often the session is resumed", async (t) => {
    const feed = await readLive(t, "compression");
    const compactions = [...feed.readers.values()].flatMap(({ account }) => account.main.compactions);
    assert.deepEqual(
      compactions.map(({ compaction: { trigger, preTokens, postTokens } }) => [
        trigger,
        preTokens,
        postTokens,
      ]),
      [["auto", 600_000, null]],
    );
  });

  it("have three prompts, one of which failed, and calls that a resume no longer lists", async (t) => {
    const [{ account } = assert.fail("no session")] = (await readLive(t, "tool-loop")).readers.values();
    assert.deepEqual(
      [account.main.prompts, account.toolCalls.size, account.firstPrompt],
      [3, 2, "Count the boats."],
    );
  });

  it("have a subagent with its type, its task and its end", async (t) => {
    const [{ account } = assert.fail("no session")] = (await readLive(t, "subagent")).readers.values();
    assert.deepEqual(
      [...account.subagents.values()].map(({ facts }) => facts),
      [{ type: "generalist", description: "Measure the coast.", finished: true }],
    );
  });
});
