import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { openLedgerThread, type LedgerThread } from "../../src/engine/ledger/ledger-thread.ts";
import { wasmPath } from "../engine/ledger/support/support.ts";
import { ensureCorpus } from "./corpus/corpus.ts";

/**
 * `npm run bench -- collect [folder of the bundles]`: measures collecting a corpus of 440 MB into an empty ledger, and
 * checking it again with a warm one: time, processor time of all threads, peak memory of the whole process, and how long
 * its main thread was blocked. The corpus is left in place for other benchmarks.
 */
const bundles = process.argv[2] ?? fileURLToPath(new URL("../../dist", import.meta.url));
const corpus = ensureCorpus(1);
const folder = mkdtempSync(path.join(tmpdir(), "purser-bench-"));
const megabyte = 1e6;

console.log(
  `${corpus.files} files, ${(corpus.bytes / megabyte).toFixed()} MB, load ${loadavg()[0]?.toFixed(1)}`,
);
try {
  for (const name of ["first", "again", "again"]) {
    const ledger = await opened();
    console.log(`${name}: ${await collect(ledger)}`);
    if (name === "first") {
      const made = await ledger.snapshot();
      if (made.ok) console.log(`snapshot: ${(made.value.bytes / megabyte).toFixed(1)} MB`);
      const { totals } = await ledger.ask("usage", { by: "day", since: null, until: null });
      console.log(`responses: ${totals.responses} of ${corpus.responses}`);
    }
    await ledger.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function opened(): Promise<LedgerThread> {
  const made = await openLedgerThread(
    { folder, wasmPath, models: {} },
    path.join(bundles, "ledger-worker.cjs"),
  );
  if (!made.ok) throw new Error(made.detail.text);
  return made.value;
}

async function collect(ledger: LedgerThread): Promise<string> {
  let memory = 0;
  const timer = setInterval(() => (memory = Math.max(memory, process.memoryUsage.rss())), 20);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  const collecting = ledger.collect({ env: { CLAUDE_CONFIG_DIR: corpus.root }, home: folder }, (problem) =>
    console.log(problem),
  );
  await collecting.catchUp();
  const took = performance.now() - before;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  clearInterval(timer);
  await collecting.stop();
  const milliseconds = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1);
  return [
    `${took.toFixed()} ms`,
    `processor ${((user + system) / 1000).toFixed()} ms`,
    `memory ${(memory / megabyte).toFixed()} MB`,
    `main thread late by p50 ${milliseconds(delay.percentile(50))}, p99 ${milliseconds(delay.percentile(99))}, ` +
      `most ${milliseconds(delay.max)} ms`,
  ].join(", ");
}
