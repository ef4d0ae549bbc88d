import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { scanTranscripts, type ScanResult } from "../../../../src/engine/transcripts/scan.ts";
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

  it("counts the calls that the API makes by itself, and the terms of their price", async () => {
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

  it("counts a call of an advisor that names no model, under the row's advisor", async () => {
    const usage = {
      input_tokens: 2,
      output_tokens: 5,
      iterations: [{ type: "advisor_message", input_tokens: 100, output_tokens: 6 }],
    };
    const message = { id: "m", model: "main", usage };
    const models = async (more: object) => {
      const text = JSON.stringify({ type: "assistant", message, requestId: "r", ...more });
      const { responses } = await scan([write(`${text}\n`)]);
      return [...responses].map(({ model, usage: { input } }) => [model, input]);
    };
    const own = ["main", 2];
    assert.deepEqual(await models({ advisorModel: "adviser" }), [own, ["adviser", 100]]);
    assert.deepEqual(await models({}), [own, ["unknown", 100]]);
  });

  it("uses the sum of a response's calls where its own counters are all zero", async () => {
    for (const iterations of [
      [{ type: "message", input_tokens: 7, output_tokens: 9 }],
      [
        { input_tokens: 3, output_tokens: 4 },
        { type: "message", input_tokens: 4, output_tokens: 5 },
      ],
    ]) {
      const message = { id: "m", model: "main", usage: { input_tokens: 0, output_tokens: 0, iterations } };
      const { responses } = await scan([write(`${JSON.stringify({ type: "assistant", message })}\n`)]);
      assert.deepEqual(
        [...responses].map(({ usage: { input, output } }) => [input, output]),
        [[7, 9]],
      );
    }
  });

  it("reads ids that are numbers as texts", async () => {
    const numbered = (id: unknown, requestId: unknown, output = 3) => {
      const message = { id, model: "m", usage: { input_tokens: 1, output_tokens: output }, content: "x" };
      return `${JSON.stringify({ type: "assistant", message, requestId })}\n`;
    };
    const result = await scan([
      write(numbered(12, "r") + numbered("12", "r") + numbered(13, 4, 4) + numbered(1.5, "r")),
    ]);
    assert.deepEqual(outputs(result), [3, 4], "the first two are one response");
    assert.equal(result.skipped.malformed, 1, "an id that is not a whole number");
  });

  it("reads records that a comma joins", async () => {
    const [one, two] = [row({ id: "a", output: 7 }).trimEnd(), row({ id: "b", output: 9 }).trimEnd()];
    for (const line of [`${one},${two}`, `${one}, ${two},`, `${userRow(10).trimEnd()},${one},${two}`])
      assert.deepEqual(outputs(await scan([write(`${line}\n`)])), [7, 9], line.slice(0, 30));
  });
});
