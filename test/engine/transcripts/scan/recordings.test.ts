import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import {
  findTranscripts,
  type TranscriptFile,
} from "../../../../src/engine/transcripts/claude/claude-files.ts";
import { readRow } from "../../../../src/engine/transcripts/claude/read-row.ts";
import { scanTranscripts } from "../../../../src/engine/transcripts/scan.ts";
import { type ApiResponse, ResponseSet } from "../../../../src/engine/usage/api-response.ts";
import { addUsage, noUsage, type TokenUsage } from "../../../../src/engine/usage/token-counts.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));

/** The responses that the API's stand-in sent while the real agent was recorded. */
const expectation = z.looseObject({
  generation: z.string(),
  scenario: z.string(),
  byModel: z.record(z.string(), z.looseObject({ responses: z.int(), input: z.int(), output: z.int() })),
  sessions: z.array(
    z.looseObject({
      id: z.string(),
      compactions: z.array(
        z.looseObject({ trigger: z.string(), preTokens: z.int().nullable(), postTokens: z.int().nullable() }),
      ),
    }),
  ),
});

type Sums = Record<string, TokenUsage & { responses: number }>;

function sumsByModel(responses: Iterable<Pick<ApiResponse, "model" | "usage">>): Sums {
  const sums: Sums = {};
  for (const { model, usage } of responses) {
    const held = sums[model] ?? { ...noUsage, responses: 0 };
    sums[model] = { ...addUsage(held, usage), responses: held.responses + 1 };
  }
  return sums;
}

/** Reads the same files row by row, like the tail. */
function readByRows(files: readonly TranscriptFile[]): Iterable<ApiResponse> {
  const set = new ResponseSet<ApiResponse>();
  for (const { path: file, sessionId } of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const reading = readRow(Buffer.from(line), { sessionId: sessionId ?? "" });
      if (reading.outcome !== "known") continue;
      for (const event of reading.events) if (event.kind === "response") set.add(event.response);
    }
  }
  return set.responses();
}

describe("scan of recordings of the real agent", () => {
  // Folders of Claude Code's versions begin with a digit; other agents' folders have their names.
  const found = globSync("[0-9]*/*/expected.json", { cwd: recordings });
  it("has recordings", () => {
    assert.ok(found.length > 10);
  });

  for (const name of found) {
    it(`counts the tokens sent, as the tail does: ${path.dirname(name)}`, async () => {
      const expected = expectation.parse(JSON.parse(readFileSync(path.join(recordings, name), "utf8")));
      const { files } = findTranscripts([path.join(recordings, path.dirname(name))]);
      const { responses, compactions, skipped, problems } = await scanTranscripts({ files });
      assert.deepEqual(sumsByModel(responses), expected.byModel);
      assert.deepEqual(sumsByModel(readByRows(files)), expected.byModel);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        { ...skipped, synthetic: 0 },
        { synthetic: 0, unidentified: 0, byRow: 0, malformed: 0, oversized: 0 },
      );
      for (const session of expected.sessions) {
        const own = compactions.filter(({ sessionId }) => sessionId === session.id);
        assert.deepEqual(
          own.map(({ trigger, preTokens, postTokens }) => ({ trigger, preTokens, postTokens })),
          session.compactions,
        );
      }
    });
  }
});
