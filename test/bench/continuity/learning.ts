import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { nodeRandomFiles } from "../../../src/engine/ledger/pages/random-file.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { Pace } from "../../../src/engine/continuity/learn/task.ts";
import { learn } from "../../../src/engine/continuity/learn/run-learn.ts";
import { lineReader } from "../../../src/engine/continuity/story/read-line.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { loadSqlEngine } from "../../../src/engine/ledger/store/database.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import { history } from "../../../src/engine/transcripts/claude/past/history.ts";
import { writeSession } from "./made-transcripts.ts";

/**
 * Measures learning from past sessions: CPU and memory of 1,000 sessions of made-up work, of a run without anything new, and of one more
 * session; then how the ledger grows over a year of 300 shorter sessions a month. `--quick` takes a tenth of all.
 */
const isQuick = process.argv.includes("--quick");
const scale = isQuick ? 0.1 : 1;
const sessions = 1000 * scale;
const [months, sessionsAMonth] = [12, 300 * scale];
const projects = 10;
const day = 86_400_000;
const start = Date.parse("2026-01-01");

let longest = 0;

async function learnOnce(home: string, ledger: Ledger) {
  const before = process.cpuUsage();
  const pace = new Pace({ pause: async () => await nextTurn(), now: () => performance.now() });
  let sliceBegan = process.cpuUsage();
  const watched = {
    get isDue() {
      return pace.isDue;
    },
    rest: async () => {
      const { user, system } = process.cpuUsage(sliceBegan);
      longest = Math.max(longest, (user + system) / 1000);
      await pace.rest();
      sliceBegan = process.cpuUsage();
    },
  };
  const done = await learn({
    store: {
      ask: (name, asked) => Promise.resolve(ledger.ask(name, asked)),
      append: async (entries) => {
        const appended = await ledger.append(entries);
        if (!appended.ok) throw new Error(appended.detail.text);
      },
    },
    readLine: lineReader({ home, temporary: os.tmpdir() }),
    rootOf: (folder) => folder,
    pace: watched,
    signal: new AbortController().signal,
    files: () =>
      Promise.resolve(history.files({ env: {}, home }).map((file) => ({ ...file, agent: "claude-code" }))),
    packetEntry: () => Promise.resolve(null),
    onProgress: () => undefined,
    onProblem: (message) => console.log(message),
  });
  if (!done.ok) throw new Error(done.detail.text);
  const { user, system } = process.cpuUsage(before);
  return { ...done.value, cpu: (user + system) / 1e6 };
}

async function ledgerAt(folder: string): Promise<Ledger> {
  const wasm = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm");
  const opened = await openLedger({
    files: nodeRandomFiles,
    engine: await loadSqlEngine(wasm),
    unique: () => `${process.pid}-${performance.now()}`,
    pid: process.pid,
    machine: thisMachine(),
    folder,
  });
  if (!opened.ok) throw new Error(opened.detail.text);
  return opened.value;
}

function projectOf(number: number): string {
  return `/home/ann/project-${number % projects}`;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function counts(ledger: Ledger): string {
  const book = ledger.ask("learnedBook", null);
  const facts = ledger.ask("factsStamps", null).reduce((sum, { rows }) => sum + rows, 0);
  const cursors = ledger.ask("learnCursors", null).length;
  return (
    `${facts} facts of sessions, ${cursors} cursors, ${book.learned.length} learned, ` +
    `${book.deadEnds.length} dead ends, ${book.workingSet.length} files`
  );
}

async function measureRun(scratch: string): Promise<void> {
  const home = path.join(scratch, "home");
  let bytes = 0;
  for (let number = 0; number < sessions; number += 1)
    bytes += writeSession(home, {
      number,
      project: projectOf(number),
      at: start + (number * 180 * day) / sessions,
      prompts: 10,
      callsAPrompt: 8,
    });
  const ledger = await ledgerAt(path.join(scratch, "ledger"));
  const base = process.memoryUsage.rss();
  let peak = base;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const first = await learnOnce(home, ledger);
  clearInterval(timer);
  const second = await learnOnce(home, ledger);
  writeSession(home, {
    number: sessions,
    project: projectOf(0),
    at: start + 181 * day,
    prompts: 10,
    callsAPrompt: 8,
  });
  const third = await learnOnce(home, ledger);
  await ledger.compact();
  console.log(`${sessions} sessions in ${projects} projects, ${megabytes(bytes)} of transcripts`);
  console.log(
    `  first run        ${first.cpu.toFixed(1)} s CPU, ${first.files} files, ${first.conclusions} conclusions`,
  );
  console.log(`  nothing new      ${second.cpu.toFixed(2)} s CPU`);
  console.log(`  one more session ${third.cpu.toFixed(2)} s CPU, ${third.files} files`);
  console.log(`  longest slice    ${longest.toFixed(0)} ms CPU, pauses of the ledger included`);
  console.log(
    `  memory           ${megabytes(peak)} at most, of which ${megabytes(base)} before; the ledger is in the same process`,
  );
  console.log(`  ledger           ${megabytes(bytesIn(path.join(scratch, "ledger")))}: ${counts(ledger)}`);
  await ledger.close();
}

async function measureYear(scratch: string): Promise<void> {
  const home = path.join(scratch, "home-of-a-year");
  const ledger = await ledgerAt(path.join(scratch, "ledger-of-a-year"));
  console.log(`a year of ${sessionsAMonth} sessions a month`);
  let bytes = 0;
  for (let month = 0; month < months; month += 1) {
    for (let each = 0; each < sessionsAMonth; each += 1) {
      const number = 100_000 + month * sessionsAMonth + each;
      const at = start + month * 30 * day + (each * 30 * day) / sessionsAMonth;
      bytes += writeSession(home, { number, project: projectOf(number), at, prompts: 3, callsAPrompt: 6 });
    }
    const { cpu } = await learnOnce(home, ledger);
    await ledger.compact();
    const size = bytesIn(path.join(scratch, "ledger-of-a-year"));
    console.log(
      `  month ${String(month + 1).padStart(2)}  ${megabytes(bytes)} of transcripts, ledger ${megabytes(size)}, ${cpu.toFixed(1)} s CPU: ${counts(ledger)}`,
    );
  }
  await ledger.close();
}

const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-learning-"));
try {
  await measureRun(scratch);
  await measureYear(scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
