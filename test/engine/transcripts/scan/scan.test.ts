import { assert } from "../../support/assert-texts.ts";
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { scanTranscripts, type ScanResult } from "../../../../src/engine/transcripts/scan.ts";
import { UnitScanner } from "../../../../src/engine/transcripts/scan/unit-scanner.ts";
import { ScanThreads, newControl } from "../../../../src/engine/transcripts/scan/threads.ts";
import { planScan, type ScanFile } from "../../../../src/engine/transcripts/scan/units.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { assistantLine, sampleLines } from "./sample-lines.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "purser-scan-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const workerPath = new URL("../../../../src/engine/transcripts/scan/scan-worker.ts", import.meta.url);

let fileCount = 0;
function write(content: string, sessionId: string | null = "s-1"): ScanFile {
  fileCount += 1;
  const file = path.join(folder, `${fileCount}.jsonl`);
  writeFileSync(file, content);
  const { size, mtimeMs } = statSync(file);
  return { path: file, sessionId, size, mtimeMs };
}

function scan(files: readonly ScanFile[], threads = 1): Promise<ScanResult> {
  return scanTranscripts({ files, threads: new ScanThreads(workerPath, threads - 1) });
}

interface RowFields {
  id?: string;
  request?: string | null;
  output?: number;
  model?: string;
  extra?: object;
}

function row({
  id = "msg_1",
  request = "req_1",
  output = 5,
  model = "m",
  extra = {},
}: RowFields = {}): string {
  const message = { id, model, usage: { input_tokens: 1, output_tokens: output } };
  return `${JSON.stringify({ type: "assistant", message, ...(request === null ? {} : { requestId: request }), ...extra })}\n`;
}

const userRow = (size: number) =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: "x".repeat(size) } })}\n`;
const compactRow = (extra: object = {}) =>
  `${JSON.stringify({ type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 9, postTokens: 3 }, ...extra })}\n`;

const outputs = ({ responses }: ScanResult) =>
  [...responses].map(({ usage }) => usage.output).toSorted((one, other) => one - other);

describe("scan", () => {
  it("reads a transcript", async () => {
    const { responses, compactions, skipped, problems, files } = await scan([write(sampleLines.join("\n"))]);
    assert.deepEqual(
      [...responses],
      [
        {
          model: "claude-sonnet-4-6",
          at: Date.parse("2026-11-21T20:47:49.182Z"),
          usage: { input: 101, output: 51, cacheCreation5m: 600, cacheCreation1h: 400, cacheRead: 20_000 },
          sessionId: "s-1",
          cwd: "/home/crew/argo",
        },
      ],
    );
    assert.equal(compactions.length, 1);
    assert.deepEqual(skipped, { synthetic: 1, unidentified: 0, byRow: 0, malformed: 0, oversized: 0 });
    assert.deepEqual(problems, []);
    assert.equal(files, 1);
  });

  it("counts a response once over all files: streamed copies, forks, replays", async () => {
    const result = await scan([
      write(row({ output: 1 }) + row({ output: 9 }) + row({ id: "msg_2", request: null, output: 3 })),
      write(row({ output: 9, extra: { requestSessionId: "s-1" } }) + row({ id: "msg_3" }), "s-2"),
      write(row({ id: "msg_2", request: "req_9", output: 3, extra: { isSidechain: true } }), "s-1"),
    ]);
    assert.deepEqual(outputs(result), [3, 5, 9]);
  });

  it("assigns a fork's copies to its parent: by their mark, else to the file that is no longer written to", async () => {
    const sessions = async (parent: string, fork: string) => {
      const files = [
        { ...write(fork, "fork"), mtimeMs: 2000 },
        { ...write(parent, "parent"), mtimeMs: 1000 },
      ];
      const marked = (await scan(files)).responses;
      const later = (await scan(files.map((file) => ({ ...file, mtimeMs: 3000 - file.mtimeMs })))).responses;
      return [...marked, ...later].map(({ sessionId }) => sessionId);
    };
    assert.deepEqual(await sessions(row(), row({ extra: { requestSessionId: "parent" } })), [
      "parent",
      "parent",
    ]);
    assert.deepEqual(await sessions(row(), row()), ["parent", "fork"]);
  });

  it("counts the rows it leaves out", async () => {
    const { skipped } = await scan([
      write(
        [
          row({ model: "<synthetic>" }),
          row({ extra: { isApiErrorMessage: true } }),
          row({ id: "", request: null }),
          row({ id: "", request: null, extra: { uuid: "u-1" } }),
          row({ id: "", request: null, extra: { uuid: "u-2" } }),
          row().slice(0, -20).concat("\n"),
          row({ output: -1 }),
          row({ output: 1.5 }),
          "{}\n",
          "no json at all\n",
          "\n",
          userRow(10),
        ].join(""),
      ),
    ]);
    assert.deepEqual(skipped, { synthetic: 2, unidentified: 1, byRow: 2, malformed: 5, oversized: 0 });
  });

  it("reads a last line without an end, and leaves out a half-written one", async () => {
    assert.deepEqual(outputs(await scan([write(row().trimEnd())])), [5]);
    const { responses, skipped } = await scan([write(row().slice(0, -30))]);
    assert.deepEqual([[...responses].length, skipped.malformed], [0, 1]);
  });

  it("takes a session from its file, else from its rows, else from the file's name", async () => {
    const extra = { sessionId: "of the row" };
    const files = [
      write(row({ id: "a", extra }), "of the file"),
      write(row({ id: "b", extra }), null),
      write(row({ id: "c" }), null),
    ];
    const sessions = [...(await scan(files)).responses].map(({ sessionId }) => sessionId);
    assert.deepEqual(sessions.toSorted(), [String(fileCount), "of the file", "of the row"]);
  });

  it("reads ids and folders that are written with escapes or beyond ASCII", async () => {
    const line = row({ id: "msg_ü", extra: { cwd: "C:\\ships\\argo ⚓" } });
    const escaped = line.replace('"msg_ü"', String.raw`"ms\u0067_\u00fc"`);
    const found = [...(await scan([write(line + escaped)])).responses];
    assert.deepEqual(
      found.map(({ cwd }) => cwd),
      ["C:\\ships\\argo ⚓"],
    );
  });

  it("reports what precedes a compaction in its file", async () => {
    const long = `${JSON.stringify({ type: "api-request", params: { betas: ["context-1m-2025-08-07"] } })}\n`;
    const { compactions } = await scan([
      write(
        [
          compactRow(),
          row({ model: "main" }),
          row({ id: "msg_2", model: "aside", extra: { isSidechain: true } }),
          compactRow(),
          long,
          compactRow({ isSidechain: true, compactMetadata: {} }),
        ].join(""),
      ),
    ]);
    assert.deepEqual(
      compactions.map(({ model, longContext, isSidechain, preTokens }) => ({
        model,
        longContext,
        isSidechain,
        preTokens,
      })),
      [
        { model: null, longContext: false, isSidechain: false, preTokens: 9 },
        { model: "main", longContext: false, isSidechain: false, preTokens: 9 },
        { model: "aside", longContext: true, isSidechain: true, preTokens: null },
      ],
    );
  });

  it("reports it also in files that threads share", async () => {
    const big = write(
      row({ model: "main", extra: { requestedModel: "main[1m]" } }) +
        userRow(20_000_000) +
        compactRow() +
        row({ id: "msg_2", model: "other" }) +
        userRow(9_000_000) +
        compactRow(),
    );
    const { compactions } = await scan([big], 2);
    assert.deepEqual(
      compactions.map(({ model, longContext }) => [model, longContext]),
      [
        ["main", true],
        ["other", true],
      ],
    );
  });

  it("finds the same with threads as without", async () => {
    const files = Array.from({ length: 12 }, (_, number) => {
      const rows = Array.from({ length: 40 }, (_, index) =>
        row({
          id: `msg_${(number * 31 + index) % 300}`,
          output: index,
          model: `m${index % 3}`,
          extra: { timestamp: "2026-11-21T20:47:49.182Z" },
        }),
      );
      return write(rows.join(userRow(number * 8000)), `s-${number}`);
    });
    const sorted = ({ responses }: ScanResult) =>
      [...responses].map((response) => JSON.stringify(response)).toSorted();
    const alone = await scan(files, 1);
    const shared = await scan(files, 4);
    assert.ok(alone.bytes > 16 << 20);
    assert.deepEqual(sorted(shared), sorted(alone));
    assert.deepEqual({ ...shared, responses: 0, bytes: 0 }, { ...alone, responses: 0, bytes: 0 });
  });

  it("skips a wanted line of more than 64 MiB", async () => {
    const file = write(row({ id: "before" }));
    appendFileSync(file.path, '{"message":{"id":"huge","content":"');
    for (let written = 0; written < 65 << 20; written += 1 << 20)
      appendFileSync(file.path, "x".repeat(1 << 20));
    appendFileSync(file.path, `"},"type":"assistant"}\n${row({ id: "after", output: 7 })}`);
    const result = await scan([{ ...file, size: statSync(file.path).size }]);
    assert.deepEqual(outputs(result), [5, 7]);
    assert.equal(result.skipped.oversized, 1);
    rmSync(file.path);
  });

  it("reports files it could not read, and reads the rest", async () => {
    const good = write(row());
    const directory = path.join(folder, "directory.jsonl");
    mkdirSync(directory);
    const gone = { ...good, path: path.join(folder, "gone.jsonl") };
    const { problems, files, responses } = await scan([gone, { ...good, path: directory }, good]);
    assert.deepEqual(problems, [
      { path: gone.path, reason: "ENOENT" },
      { path: directory, reason: "not a regular file" },
    ]);
    assert.deepEqual([files, [...responses].length], [1, 1]);
  });

  it("does not wait for a FIFO with the right name", { skip: process.platform === "win32" }, async () => {
    const fifo = path.join(folder, "fifo.jsonl");
    execFileSync("mkfifo", [fifo]);
    const { problems } = await scan([{ path: fifo, sessionId: "s-1", size: 0, mtimeMs: 0 }]);
    assert.deepEqual(problems, [{ path: fifo, reason: "not a regular file" }]);
  });

  it("reports a file it may not read", async (t) => {
    const file = write(row());
    chmodSync(file.path, 0);
    // All of it is read before the first pause, while the test is still an ordinary user.
    let result: Promise<ScanResult> | undefined;
    const couldLook = asOrdinaryUser(t, () => {
      result = scan([file]);
    });
    if (!couldLook) return;
    assert.deepEqual((await result)?.problems, [{ path: file.path, reason: "EACCES" }]);
  });

  it("can be cancelled, before and while it reads", async () => {
    const files = Array.from({ length: 6 }, (_, index) =>
      write(row({ id: `msg_${index}` }) + userRow(4_000_000)),
    );
    const before = AbortSignal.abort(new Error("enough"));
    await assert.rejects(
      scanTranscripts({ files, threads: new ScanThreads(workerPath, 1), signal: before }),
      /enough/u,
    );
    const controller = new AbortController();
    const running = scanTranscripts({
      files,
      threads: new ScanThreads(workerPath, 1),
      signal: controller.signal,
    });
    controller.abort(new Error("enough"));
    await assert.rejects(running, /enough/u);
  });

  it("uses threads that were started earlier, and ends them when it is cancelled", async () => {
    const files = [write(row()), write(row({ id: "msg_2" }))];
    const threads = new ScanThreads(workerPath, 1);
    threads.startFor(1 << 24);
    assert.deepEqual(outputs(await scanTranscripts({ files, threads })), [5, 5]);
    const others = new ScanThreads(workerPath, 1);
    others.startFor(1 << 24);
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(scanTranscripts({ files, threads: others, signal }), /enough/u);
    const task = { plan: planScan(files), control: newControl() };
    await assert.rejects(Promise.all(others.read(task)), /ended early/u);
  });

  it("fails when a thread's program cannot be started", async () => {
    const files = [write(userRow(20_000_000))];
    const missing = path.join(folder, "no-such-worker.cjs");
    await assert.rejects(
      scanTranscripts({ files, threads: new ScanThreads(missing, 1) }),
      /Cannot find module/u,
    );
  });

  it("finds the same where compiled code may not run", () => {
    const lines = [
      ...sampleLines,
      // Cut off after an unwanted type.
      '{"message":{"role":"user"},"type":"user"',
      String.raw`{"cwd":"C:\\argo","type":"user","message":{`,
      '{"attachment":{"text":"x","type":"file"},"type":"attachment"',
      '{"attachment":{"type":"file"',
      row({ id: "msg_2", extra: { cwd: "C:\\argo", timestamp: "2026-11-21T20:47:49.182Z" } }).trimEnd(),
      row({ id: "msg_3", model: "<synthetic>" }).trimEnd(),
      row({ id: "msg_4" }).replace("5", " 5 ").trimEnd(),
      row({ id: "msg_5" }).slice(0, 40),
      row({ id: "msg_6", output: 1.5 }).trimEnd(),
      userRow(300_000).trimEnd(),
      row({ id: "msg_7", extra: { content: "x".repeat(300_000) } }).trimEnd(),
      compactRow({ isSidechain: true }).trimEnd(),
      row({ id: "msg_8" }).trimEnd(),
    ];
    const file = write(lines.join("\n"));
    const [withKernel, without] = [undefined, null].map((kernel) => {
      const scanner = new UnitScanner(() => false, kernel);
      scanner.scan(0, { ...file, name: "s", start: 0, end: file.size });
      const { skipped, reports, table } = scanner;
      return { skipped, reports, responses: [...table.responses()] };
    });
    assert.deepEqual(withKernel, without);
    assert.equal(without?.responses.length, 5);
  });

  it("finds nothing without files", async () => {
    const { responses, files, bytes } = await scan([]);
    assert.deepEqual([[...responses], files, bytes], [[], 0, 0]);
    assert.deepEqual(outputs(await scan([write("")])), []);
  });

  it("reads bytes written during the scan, up to the file's size at the start", async () => {
    const file = write(`${assistantLine}\n`);
    appendFileSync(file.path, row({ id: "later" }));
    assert.deepEqual(outputs(await scan([file])), [51]);
  });
});
