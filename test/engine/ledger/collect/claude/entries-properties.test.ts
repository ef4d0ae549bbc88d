import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { scanTranscripts } from "../../../../../src/engine/transcripts/scan.ts";
import { aggregateUsage, type AggregateOptions } from "../../../../../src/engine/usage/aggregate.ts";
import { builtInCatalogue } from "../../../../../src/engine/usage/catalogue/catalogue.ts";
import { seededRandom, textPool } from "../../../../bench/corpus/filler.ts";
import { newWriter } from "../../../../bench/corpus/rows.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { anyRow } from "../../../sessions/support/arbitrary-rows.ts";
import { rowText } from "../../../transcripts/scan/arbitrary-row.ts";
import { countedOf, entriesOf, held, mainFile, sessionId, type Line } from "./lines.ts";
import { conversation } from "./conversation.ts";

const options: AggregateOptions = {
  by: "model",
  since: null,
  until: null,
  dayOf: (at) => new Date(at).toISOString().slice(0, 10),
  catalogue: builtInCatalogue,
};
const subagent = { ...mainFile, agentId: "a1" };
const file = fc.constantFrom(mainFile, subagent);
const cuts = fc.array(fc.nat(60)).map((indexes) => new Set(indexes));
const anyLine: fc.Arbitrary<Line> = fc.oneof(rowText, anyRow, fc.json(), fc.uint8Array(), fc.string());

/** Asserts that the bulk scan and the ledger count files of lines alike. */
async function assertCountedAlike(folder: string, files: readonly (readonly string[])[]): Promise<void> {
  const scanned = files.map((lines, number) => {
    const filePath = path.join(folder, `s${number}.jsonl`);
    writeFileSync(filePath, lines.map((line) => `${line}\n`).join(""));
    return { path: filePath, sessionId: `s${number}`, size: statSync(filePath).size, mtimeMs: number };
  });
  const { responses } = await scanTranscripts({ files: scanned });
  const reported = files.flatMap((lines, number) =>
    entriesOf(lines, { path: "", sessionId: `s${number}`, agentId: null }),
  );
  const [ours, theirs] = [countedOf(reported), responses].map((counted) => aggregateUsage(counted, options));
  assert.deepEqual(
    ours?.rows.map(({ key, responses: count, usage }) => ({ key, count, usage })),
    theirs?.rows.map(({ key, responses: count, usage }) => ({ key, count, usage })),
  );
}

describe("entries of any lines", () => {
  it("count the responses that the bulk scan counts, whatever the rows", async (t) => {
    const folder = scratchFolder(t);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(rowText, { maxLength: 12 }), { maxLength: 3 }), (files) =>
        assertCountedAlike(folder, files),
      ),
      { numRuns: 80 },
    );
  });

  it("count the responses that the bulk scan counts in sessions, their forks and subagents", async (t) => {
    const random = seededRandom(3);
    const pool = textPool(random);
    for (const number of [0, 1]) {
      const main = newWriter({ random, pool, number, start: Date.UTC(2026, 7, 1) });
      const turns = Array.from({ length: 60 }, () => main.turn());
      const fork = main.fork();
      const copied = turns.flatMap(({ rows }) => rows.map((row) => fork.copied(row)));
      const helper = main.subagent();
      const files = [
        [...main.opening(), ...turns.flatMap(({ rows }) => rows)],
        [...copied, ...fork.turn().rows, ...fork.turn().rows],
        Array.from({ length: 20 }, () => helper.turn().rows).flat(),
      ];
      await assertCountedAlike(
        scratchFolder(t),
        files.map((rows) => rows.map((row) => JSON.stringify(row))),
      );
    }
  });

  it("never throw and are always accepted by the ledger", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), file, cuts, (lines, of, places) => {
        entriesOf(lines, of, places);
      }),
      { numRuns: 300 },
    );
  });

  it("are the same wherever reading is interrupted, for any rows", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(rowText, anyRow), { maxLength: 40 }), file, cuts, (lines, of, places) => {
        assert.deepEqual(held(entriesOf(lines, of, places)), held(entriesOf(lines, of)));
      }),
      { numRuns: 100 },
    );
  });

  it("are the same wherever reading is interrupted, for conversations with tools and requests", () => {
    fc.assert(
      fc.property(conversation(sessionId), file, cuts, (lines, of, places) => {
        assert.deepEqual(held(entriesOf(lines, of, places)), held(entriesOf(lines, of)));
      }),
      { numRuns: 150 },
    );
  });

  it("need only bounded memory, whatever the names", () => {
    const long = "n".repeat(5000);
    const lines = Array.from({ length: 2000 }, (_, number) => ({
      type: "assistant",
      cwd: long,
      requestRef: `${long}${number}`,
      message: {
        id: `${long}${number}`,
        usage: { input_tokens: Number.MAX_SAFE_INTEGER },
        content: [
          { type: "tool_use", id: `${long}${number}`, name: `${number}${long}`, input: { file_path: long } },
        ],
      },
    }));
    entriesOf(lines, mainFile, new Set([...lines.keys()].filter((number) => number % 500 === 499)));
  });
});
