import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { succeed } from "../../../src/engine/base/result.ts";
import type { Proposal } from "../../../src/engine/rules/propose.ts";
import { RulesWatch } from "../../../src/engine/service/rules-watch.ts";
import { open, tell } from "../ledger/support.ts";
import { TranscriptLines } from "../rules/transcript.ts";
import { scratchFolder } from "../support/scratch.ts";
import { Box } from "./support/box.ts";

const start = Date.UTC(2026, 10, 2);

test("Costly runs of the last day are looked at, each once; older ones, and those a rule came of, are not", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const folder = scratchFolder(t);
  const run = async (number: number, input: number, endedAt: number) => {
    const sessionId = `s-${number}`;
    const file = path.join(folder, `${sessionId}.jsonl`);
    writeFileSync(file, new TranscriptLines().read("/p/a.ts", 9000).read("/p/a.ts", 9000).lines.join("\n"));
    await tell(
      ledger,
      {
        ...{ kind: "run", id: `${sessionId}:m`, sessionId, agent: "main", completed: true, input, output: 0 },
        ...{ cacheCreation: 0, cacheRead: 0, startedAt: start, endedAt },
      },
      { kind: "position", path: file, identity: "1:2", offset: 1 },
    );
  };
  const hour = 3_600_000;
  for (const number of [1, 2, 3, 4, 5]) await run(number, 1000, start + number * 60_000);
  await run(6, 50_000, start + hour);
  await run(7, 60_000, start + 40 * hour);
  const proposals: Proposal[] = [];
  const now = start + 41 * hour;
  const watch = new RulesWatch({
    ledger: {
      ruleBook: () => Promise.resolve(succeed(ledger.ruleBook())),
      receipt: (id) => Promise.resolve(succeed(ledger.receipt(id))),
      realRuns: (most) => Promise.resolve(succeed(ledger.realRuns(most))),
      reportFacts: (since) => Promise.resolve(succeed(ledger.reportFacts(since))),
      rentFacts: () => Promise.resolve(succeed(ledger.rentFacts())),
      positions: () => Promise.resolve(succeed(ledger.positions())),
      append: (entries) => ledger.append(entries),
    },
    keeper: {
      proposeAll: (all) => {
        proposals.push(...all);
        return Promise.resolve(
          succeed({ proposed: all.map(({ text }) => ({ text, id: "r1", refused: null })) }),
        );
      },
    },
    clock: { ...new Box(t).servicePorts().clock, now: () => now },
    log: new Box(t).servicePorts().log,
  });
  t.after(() => watch.dispose());
  assert.equal(await watch.look(), 1);
  assert.deepEqual(
    proposals.map(({ source }) => source?.kind === "run" && source.sessionId),
    ["s-7"],
  );
  assert.equal(await watch.look(), 0, "once");
});
