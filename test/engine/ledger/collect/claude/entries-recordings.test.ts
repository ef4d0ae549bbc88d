import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { addUsage, noUsage } from "../../../../../src/engine/usage/token-counts.ts";
import { readRecordings, type Recording } from "../../../support/recordings.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { open, appendEntries } from "../../support/support.ts";
import { countedOf, entriesOf, rowsOf } from "./lines.ts";

function entriesIn(recording: Recording, cut: boolean) {
  return recording.files.flatMap(({ path, sessionId, agentId }) => {
    const lines = readFileSync(path, "utf8").split("\n");
    const cuts = new Set(cut ? lines.keys() : []);
    return entriesOf(lines, { path, sessionId: sessionId ?? "", agentId }, cuts);
  });
}

function sums(responses: Iterable<{ model: string; usage: typeof noUsage }>) {
  const byModel: Record<string, typeof noUsage & { responses: number }> = {};
  for (const { model, usage } of responses) {
    const held = byModel[model] ?? { ...noUsage, responses: 0 };
    byModel[model] = { ...addUsage(held, usage), responses: held.responses + 1 };
  }
  return byModel;
}

describe("entries of recordings of the real agent", () => {
  for (const recording of readRecordings()) {
    const { generation, scenario, facts } = recording;
    const entries = entriesIn(recording, false);

    it(`hold exactly the tokens sent: ${generation} ${scenario}`, () => {
      assert.deepEqual(sums(countedOf(entries)), facts.byModel);
      for (const session of facts.sessions) {
        const compactions = rowsOf(entries, "compaction")
          .filter((row) => row["sessionId"] === session.id)
          .map(({ trigger, preTokens, postTokens }) => ({ trigger, preTokens, postTokens }));
        assert.deepEqual(compactions, session.compactions);
      }
    });

    it(`put every token into one run: ${generation} ${scenario}`, () => {
      const total = Object.values(facts.byModel).reduce(addUsage, noUsage);
      const inRuns = rowsOf(entries, "run").reduce<number>(
        (sum, { input, output, cacheCreation, cacheRead }) => {
          return sum + Number(input) + Number(output) + Number(cacheCreation) + Number(cacheRead);
        },
        0,
      );
      const { input, output, cacheCreation5m, cacheCreation1h, cacheRead } = total;
      assert.equal(inRuns, input + output + cacheCreation5m + cacheCreation1h + cacheRead);
    });

    it(`are the same when read line by line: ${generation} ${scenario}`, () => {
      const kinds = ["session", "run", "tool-call", "context-fill", "subagent"] as const;
      const cut = entriesIn(recording, true);
      for (const kind of kinds) assert.deepEqual(rowsOf(cut, kind), rowsOf(entries, kind));
      assert.deepEqual(sums(countedOf(cut)), facts.byModel);
    });

    if (generation === "2.1.332")
      it(`record the window's content for every response: ${scenario}`, () => {
        const filled = rowsOf(entries, "context-fill").flatMap(({ messageId, parts }) =>
          typeof parts === "string" && typeof messageId === "string" ? [messageId] : [],
        );
        const made = countedOf(entries).map(({ messageId }) => messageId);
        assert.deepEqual(filled.sort(), made.sort());
      });
  }

  it("are counted equally by the ledger itself, a fork's copies once", async (t) => {
    const recordings = readRecordings().filter(({ scenario }) => scenario === "fork");
    assert.equal(recordings.length, 2);
    for (const recording of recordings) {
      const ledger = await open(t, scratchFolder(t));
      await appendEntries(ledger, ...entriesIn(recording, false));
      const counted = recording.facts.sessions.flatMap(({ id }) => ledger.ask("responses", id));
      assert.deepEqual(sums(counted), recording.facts.byModel);
    }
  });
});
