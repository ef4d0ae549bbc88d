import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import { ledgerPorts, response } from "../../engine/ledger/support/support.ts";
import { measureAnswers } from "./answers.ts";
import { quantile } from "../quantile.ts";

/**
 * `npm run bench -- ledger [--large]`: measures on ledgers of 10,000 and 100,000 (and a million) responses how many
 * appends are acknowledged per second and how long one takes, alone and from many callers; the cost of a snapshot, a start
 * and a question, and the memory; then the cost of the pages of a full ledger of 100,000 responses. Flush times depend on
 * the disk: only compare figures of one machine.
 */
const sizes = process.argv.includes("--large") ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];

console.log(
  row([
    "responses",
    "fill/s",
    "flush p50/99",
    "append p50",
    "p99",
    "1 caller/s",
    "32 callers/s",
    "snapshot",
    "blocks",
    "file",
    "open",
    "replay 1000",
    "usage first",
    "again",
    "after append",
    "memory",
  ]),
);
for (const size of sizes) console.log(row(await measure(size)));
for (const [name, figure] of Object.entries(await measureAnswers(100_000)))
  console.log(`${name.padEnd(34)}${figure.toFixed(figure < 100 ? 1 : 0)}`);

async function measure(size: number): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "purser-bench-"));
  try {
    let ledger = await opened(folder);
    const filled = await timed(() => fill(ledger, size));
    const bare = await bareFlushes(folder);
    const alone = await appends(ledger, { callers: 1, each: 300, from: size });
    const together = await appends(ledger, { callers: 32, each: 60, from: size + 300 });
    const snapshot = await timed(() => ledger.snapshot());
    const blocked = snapshot.value.ok ? snapshot.value.value.blockedMs : Number.NaN;
    const bytes = statSync(path.join(folder, "ledger.sqlite")).size;
    await ledger.close();
    ledger = await opened(folder);
    await fill(ledger, 1000, size + 10_000);
    await ledger.close();
    const reopened = await timed(() => opened(folder));
    ledger = reopened.value;
    const options = {
      by: "day",
      since: null,
      until: null,
      dayOf: localDays(),
      catalogue: builtInCatalogue,
    } as const;
    const first = await timed(() => ledger.ask("usage", options, options));
    const again = await timed(() => ledger.ask("usage", { ...options, by: "model" }, options));
    await ledger.append([made(size + 20_000)]);
    const after = await timed(() => ledger.ask("usage", options, options));
    await ledger.snapshot();
    await ledger.close();
    const plain = await timed(() => opened(folder));
    await plain.value.close();
    const { rss } = process.memoryUsage();
    return [
      String(size),
      perSecond(size, filled.ms),
      `${ms(quantile(bare, 0.5))}/${quantile(bare, 0.99).toFixed(1)}`,
      ms(quantile(alone.each, 0.5)),
      ms(quantile(alone.each, 0.99)),
      perSecond(alone.each.length, alone.ms),
      perSecond(together.each.length, together.ms),
      ms(snapshot.ms),
      ms(blocked),
      megabytes(bytes),
      ms(plain.ms),
      ms(reopened.ms),
      ms(first.ms),
      ms(again.ms),
      ms(after.ms),
      megabytes(rss),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function opened(folder: string): Promise<Ledger> {
  const result = await openLedger({ ...ledgerPorts(), folder, snapshotAfter: Infinity });
  if (!result.ok) throw new Error(result.detail.text);
  if (result.value.report.reread) throw new Error("something is missing");
  return result.value;
}

/** A busy user's responses: 200 a session, in twenty folders, a few minutes apart. */
function made(number: number): ReturnType<typeof response> {
  const session = String(Math.floor(number / 200)).padStart(12, "0");
  return response(number, {
    messageId: `msg_01${String(number).padStart(22, "x")}`,
    requestId: `req_011${String(number).padStart(21, "y")}`,
    sessionId: `0a1b2c3d-4e5f-4a6b-8c7d-${session}`,
    cwd: `/home/somebody/projects/a-project-${number % 20}`,
    usage: { input: 10, output: number % 900, cacheCreation5m: 700, cacheCreation1h: 0, cacheRead: 90_000 },
  });
}

async function fill(ledger: Ledger, count: number, from = 0): Promise<void> {
  const portion = 1000;
  for (let start = from; start < from + count; start += portion) {
    const done = await ledger.append(Array.from({ length: portion }, (_, index) => made(start + index)));
    if (!done.ok) throw new Error(done.detail.text);
  }
}

/** Times the disk alone needs to write and flush a line of that size. Milliseconds, ascending. */
async function bareFlushes(folder: string): Promise<number[]> {
  const file = await nodeFiles.create(path.join(folder, "bare"));
  const line = Buffer.alloc(500);
  const times: number[] = [];
  for (let number = 0; number < 300; number += 1) {
    const write = async () => {
      await file.write(line, number * line.length);
      await file.flush();
    };
    times.push((await timed(write)).ms);
  }
  await file.close();
  return times.sort((one, other) => one - other);
}

/** Times of single-response appends. Milliseconds. */
async function appends(
  ledger: Ledger,
  { callers, each, from }: { callers: number; each: number; from: number },
): Promise<{ each: number[]; ms: number }> {
  const times: number[] = [];
  const call = async (caller: number) => {
    for (let number = 0; number < each; number += 1) {
      const { ms: took } = await timed(() => ledger.append([made(from + caller * each + number)]));
      times.push(took);
    }
  };
  const whole = await timed(() => Promise.all(Array.from({ length: callers }, (_, caller) => call(caller))));
  return { each: times.sort((one, other) => one - other), ms: whole.ms };
}

async function timed<Value>(work: () => Value | Promise<Value>): Promise<{ value: Value; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

function perSecond(count: number, took: number): string {
  return ((count / took) * 1000).toFixed(0);
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(13)).join("");
}
