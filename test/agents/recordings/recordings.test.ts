import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { addUsage, noUsage } from "../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { leaksIn } from "./leaks.ts";
import { responsesIn } from "../scenarios/check-transcripts.ts";
import { readRawTranscript } from "../scenarios/raw-transcripts.ts";
import { hostWords } from "./recording.ts";

const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));

const sumSchema = z.object({
  responses: z.number(),
  input: z.number(),
  output: z.number(),
  cacheCreation5m: z.number(),
  cacheCreation1h: z.number(),
  cacheRead: z.number(),
});
const expectedSchema = z.looseObject({ byModel: z.record(z.string(), sumSchema) });

const files = await filesBelow(recordings);
const lines = files.filter((path) => path.endsWith(".jsonl"));
/** Other agents' recordings have their own tests. */
const isClaude = (path: string): boolean => !/^(?:codex|copilot|gemini)-/.test(relative(recordings, path));
const transcripts = lines.filter(isClaude);

test("the recordings are small", async () => {
  const sizes = await Promise.all(files.map(async (path) => (await readFile(path)).length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total < 1_500_000, `${total} bytes`);
});

test("no recording holds the agent's own words, or the machine's", async () => {
  for (const path of lines) {
    assert.deepEqual(leaksIn(await readFile(path, "utf8"), hostWords()), [], path);
  }
});

test("each recording holds the tokens that its description names", async () => {
  const messages = files.filter((path) => path.endsWith("expected.json")).filter(isClaude);
  assert.equal(messages.length, 23);
  for (const path of messages) {
    const expected = expectedSchema.parse(JSON.parse(await readFile(path, "utf8")));
    const root = path.slice(0, -basename(path).length);
    const base = basename(path).replace(/\.?expected\.json$/, "");
    const own = transcripts.filter((transcript) => transcript.startsWith(join(root, base)));
    const responses = responsesIn(await Promise.all(own.map(readRawTranscript)));
    const total = Object.values(expected.byModel).map((sum): TokenUsage => sum);
    assert.deepEqual(
      [...responses.values()].reduce(addUsage, noUsage),
      total.reduce(addUsage, noUsage),
      path,
    );
    const count = Object.values(expected.byModel).reduce((sum, { responses: n }) => sum + n, 0);
    assert.equal(responses.size, count, path);
  }
});

test("no two recordings share a response", async () => {
  const owners = new Map<string, string>();
  for (const path of transcripts) {
    const [owner = ""] = relative(recordings, path).split(/[/\\]projects|\.jsonl|[/\\]subagents/);
    for (const id of responsesIn([await readRawTranscript(path)]).keys()) {
      assert.equal(owners.get(id) ?? owner, owner, `${id} is in two recordings`);
      owners.set(id, owner);
    }
  }
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
