import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { scanTranscripts, type ScanResult } from "../../../../src/engine/transcripts/scan/scan.ts";
import type { ScanFile } from "../../../../src/engine/transcripts/scan/units.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "purser-unusual-rows-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let fileCount = 0;
function write(content: string, sessionId = "s-1"): ScanFile {
  fileCount += 1;
  const file = path.join(folder, `${fileCount}.jsonl`);
  writeFileSync(file, content);
  const { size, mtimeMs } = statSync(file);
  return { path: file, sessionId, size, mtimeMs };
}

const scan = (files: readonly ScanFile[]) => scanTranscripts({ files });

function row({ id, output }: { id: string; output: number }): string {
  const message = { id, model: "m", usage: { input_tokens: 1, output_tokens: output } };
  return `${JSON.stringify({ type: "assistant", message, requestId: "req_1" })}\n`;
}

const userRow = (size: number) =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: "x".repeat(size) } })}\n`;

const outputs = ({ responses }: ScanResult) =>
  [...responses].map(({ usage }) => usage.output).toSorted((one, other) => one - other);

describe("scan of unusual rows", () => {
  it("reads each whole record of a torn line once, whatever the row before it", async () => {
    const whole = row({ id: "a", output: 7 }).trimEnd();
    const other = row({ id: "b", output: 9 });
    const stub = '{"type":"pr-link","sessionId":"s-1","prNu';
    const zeros = "\0".repeat(4096);
    for (const before of [
      stub,
      zeros,
      userRow(10).trimEnd(),
      userRow(300_000).trimEnd(),
      whole.slice(0, 60),
    ]) {
      const result = await scan([write(`${before}${whole}${other}`)]);
      assert.deepEqual(outputs(result), [7, 9], before.slice(0, 20));
      assert.ok(result.skipped.malformed <= 1);
    }
    assert.deepEqual(outputs(await scan([write(`\uFEFF${other}`)])), [9]);
  });

  it("counts the calls that the API makes by itself, and what the price depends on", async () => {
    const usage = {
      input_tokens: 2,
      output_tokens: 5,
      speed: "fast",
      iterations: [
        { type: "message", input_tokens: 1, output_tokens: 2 },
        { type: "advisor_message", model: "adviser", input_tokens: 100, output_tokens: 6 },
        { type: "message", input_tokens: 1, output_tokens: 3, cache_read_input_tokens: 0 },
      ],
    };
    const message = { id: "m", model: "main", usage };
    const text = `${JSON.stringify({ type: "assistant", message, requestId: "r" })}\n`;
    // Each row of a response repeats its calls, and so does a fork.
    const { responses } = await scan([write(text + text, "one"), write(text, "two")]);
    const rows = [...responses].map(({ model, usage: { input, output }, terms, lastCall }) => {
      return { model, input, output, isFast: terms?.isFast ?? false, lastCall };
    });
    assert.deepEqual(
      rows.toSorted((one, two) => one.input - two.input),
      [
        { model: "main", input: 2, output: 5, isFast: true, lastCall: { context: 1, output: 3 } },
        { model: "adviser", input: 100, output: 6, isFast: false, lastCall: undefined },
      ],
    );
  });
});
