import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { SessionSource } from "../../../../src/engine/sessions/live/sessions-source.ts";
import { SessionView } from "../../../../src/engine/sessions/live/sessions-view.ts";
import { usageReader } from "../../../../src/engine/transcripts/copilot/usage-reader.ts";
import {
  addUsage,
  noUsage,
  occupancy,
  totalTokens,
  type TokenUsage,
} from "../../../../src/engine/usage/token-counts.ts";
import { viewSettings } from "../../sessions/support/view-settings.ts";

const folder = fileURLToPath(new URL("../../../recordings/copilot-1.0.102", import.meta.url));
const tokens = z.int().nonnegative();
const usage = z.object({
  input: tokens,
  output: tokens,
  cacheCreation5m: tokens,
  cacheCreation1h: tokens.default(0),
  cacheRead: tokens,
});
/** What the stand-in for the model's API really sent, stored beside each recording. */
const sent = z.object({
  window: tokens,
  sessions: z.tuple([
    z.object({
      id: z.string(),
      responses: z.array(usage.extend({ responseId: z.string(), isSubagent: z.boolean() })),
      compactions: z.array(usage),
      sum: usage,
    }),
  ]),
});

const scenarios = readdirSync(folder).map((name) => {
  const file = path.join(folder, name, "expected.json");
  const { window, sessions } = sent.parse(JSON.parse(readFileSync(file, "utf8")));
  return { name, root: path.join(folder, name), window, session: sessions[0] };
});

function sumOf(usages: readonly TokenUsage[]): TokenUsage {
  return usages.reduce((sum, each) => addUsage(sum, each), noUsage);
}

/** The session as `purser status` shows it a minute after the recording began. */
async function shown(root: string) {
  const clock = { now: () => Date.parse("2026-11-02T09:01:00.000Z") };
  const source = new SessionSource({
    roots: [{ agent: "copilot", path: root }],
    clock,
    isAlive: () => false,
    learn: () => Promise.resolve([]),
    onProblem: (message) => assert.fail(message),
  });
  const { settings } = viewSettings();
  const view = new SessionView(
    source,
    { env: {}, folders: [] },
    { clock, settings, platform: process.platform },
  );
  const { sessions } = await view.readNow();
  source.dispose();
  assert.equal(sessions.length, 1);
  return sessions[0] ?? assert.fail();
}

describe("the recordings of the real Copilot CLI", () => {
  it("are all there", () => {
    const names = ["compaction", "compaction-asked", "error", "subagent", "tool-loop"];
    assert.deepEqual(scenarios.map(({ name }) => name).sort(), names);
  });

  for (const { name, root, window, session } of scenarios) {
    it(`${name}: usage is exactly what was sent`, () => {
      const { records, problems, malformed, oversized } = usageReader.readUsage([root]);
      assert.deepEqual([problems, malformed, oversized], [[], 0, 0]);
      assert.deepEqual(sumOf(records.map((record) => record.usage)), session.sum);
      assert.equal(records.length, session.responses.length + session.compactions.length);
    });

    it(`${name}: the live session has the figures that were sent`, async () => {
      const live = await shown(root);
      assert.deepEqual([live.id, live.window.value, live.skippedLines], [session.id, window, {}]);
      assert.deepEqual([live.cwd, live.title === null], ["/home/dev/harbor", false]);
      assert.deepEqual(live.usage, session.sum);
      const main = session.responses.filter(({ isSubagent }) => !isSubagent);
      assert.equal(live.turns, main.length);
      const last = main.at(-1) ?? noUsage;
      if (name !== "compaction-asked") assert.equal(live.occupancy.value, occupancy(last));
      assert.equal(live.compactions, session.compactions.length);
      const subagents = sumOf(session.responses.filter(({ isSubagent }) => isSubagent));
      const reported = live.subagents.map((each) => [each.type, each.running, each.tokens]);
      assert.deepEqual(
        reported,
        totalTokens(subagents) === 0 ? [] : [["explore", false, totalTokens(subagents)]],
      );
    });
  }

  it("compaction: the next threshold is learned from the compaction that began by itself", async () => {
    const { threshold, samples, lastCompaction } = await shown(path.join(folder, "compaction"));
    assert.deepEqual([samples, lastCompaction?.trigger], [1, "auto"]);
    assert.equal(threshold.value, lastCompaction?.preTokens);
    assert.ok((threshold.value ?? 0) >= 16_000, "80 % of the window");
  });

  it("compaction-asked: the size after it is the agent's own estimate", async () => {
    const { occupancy: left, lastCompaction, samples } = await shown(path.join(folder, "compaction-asked"));
    assert.deepEqual([lastCompaction?.trigger, left.provenance, samples], ["manual", "official", 0]);
    assert.equal(left.value, lastCompaction?.postTokens);
  });
});
