/**
 * `npm run bench -- memory [--large] [--year] [--collect] [--rest SECONDS]`: measures a service that runs all day, as a real
 * process with its real socket, against a bare Node in the same run. Resident memory at rest with an empty ledger and with 42,000
 * responses, before and after the first page was requested, and with a week of transcripts that a window follows; with `--large` also 168,000, and a million with a year of hooks; with
 * `--year` a year of 5,000 hooks a day and nothing else. Time to the first answer after a start, and processor time at rest. With
 * `--collect` 1.5 GB of transcripts are collected: peak memory and processor time; alone, nothing else is measured.
 *
 * Processor time at rest is measured over a minute or more, from when the service first learned from past sessions, which it does a minute after its
 * start and every 15 minutes.
 */
import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { ensureService } from "../../../src/engine/service/ensure.ts";
import { spawnLauncher } from "../../../src/engine/service/launch/launch.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import type { ServiceClient } from "../../../src/engine/service/client.ts";
import { ensureCorpus } from "../corpus/corpus.ts";
import { watchCpu } from "../cpu-share.ts";
import { ensureLedger, type MemoryLedger } from "./ledger.ts";
import { bareMemory, processorTime, residentMemory, watchMemory } from "./process-figures.ts";

const { values } = parseArgs({
  options: {
    large: { type: "boolean", default: false },
    year: { type: "boolean", default: false },
    collect: { type: "boolean", default: false },
    rest: { type: "string", default: "20" },
  },
});
const rest = Number(values.rest) * 1000;
if (!(rest > 0)) {
  console.error(`--rest ${values.rest}: a number of seconds above 0 is needed.`);
  process.exit(2);
}

/** Bytes of transcripts. */
const wanted = 1.5e9;
const sampled = 50; // ms
const hooksPerDay = 5000;
/** Shortest window in which processor time at rest is measured. Milliseconds. */
const minIdle = 60_000;
/** Sessions of the followed corpus that changed just now. */
const justChanged = 4;
const everything = { since: null, until: null, project: null, program: null };
const program = fileURLToPath(new URL("../../../dist/service.cjs", import.meta.url));
const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-memory-"));
const now = Date.now();

const isRestMeasured = !values.collect || values.large || values.year;
const ledgers: readonly MemoryLedger[] = [
  { responses: 0, hooksPerDay: 0 },
  { responses: 42_000, hooksPerDay: 0 },
  ...(values.large ? [{ responses: 168_000, hooksPerDay: 0 }] : []),
  ...(values.year || values.large ? [{ responses: 0, hooksPerDay }] : []),
  ...(values.large ? [{ responses: 1_000_000, hooksPerDay }] : []),
];

const share = watchCpu();
try {
  console.log(`a bare Node ${process.version}: ${megabytes(await bareMemory(2000))}`);
  if (isRestMeasured) {
    const rows: Record<string, Record<string, string>> = {};
    for (const ledger of ledgers) {
      const { responses, hooksPerDay: hooks } = ledger;
      const name = `${responses.toLocaleString("en")} responses${hooks > 0 ? ", a year of hooks" : ""}`;
      rows[name] = await atRest(await ensureLedger(ledger, now));
    }
    console.table(rows);
    console.table(await followed());
  }
  if (values.collect) console.table(await collecting());
  console.log(share());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Starts a service on a copy of a ledger, queries it, and measures it at rest. */
async function atRest(ledger: string): Promise<Record<string, string>> {
  const context = newSetup(path.join(scratch, "none"));
  cpSync(ledger, context.home.folder, { recursive: true });
  const begun = performance.now();
  const client = await connect(context);
  const { pid } = await describe(client);
  assert.ok((await client.ask("ledgerStatus", {})).ok);
  const firstAnswer = performance.now() - begun;
  const firstCpu = processorTime(pid);
  await wait(rest);
  const unasked = residentMemory(pid);
  const asked = performance.now();
  assert.ok((await client.ask("overview", { asked: everything })).ok);
  const overview = performance.now() - asked;
  await wait(rest);
  const after = residentMemory(pid);
  const idle = await idleShare(client, pid);
  await end(client, context);
  return {
    "on disk": megabytes(sizeOf(ledger)),
    "at rest": megabytes(unasked),
    "after the overview": megabytes(after),
    "idle CPU": idle,
    "first answer": `${firstAnswer.toFixed()} ms`,
    "its CPU": `${firstCpu.toFixed()} ms`,
    overview: `${overview.toFixed()} ms`,
  };
}

/** A window that follows live sessions, as its status bar does, of a busy developer's transcripts. */
async function followed(): Promise<Record<string, string>> {
  const corpus = ensureCorpus(1);
  const root = path.join(scratch, "followed", "claude");
  cpSync(corpus.root, root, { recursive: true });
  const sessions = globSync("projects/*/*.jsonl", { cwd: root }).slice(0, justChanged);
  for (const session of sessions) utimesSync(path.join(root, session), new Date(), new Date());
  const context = newSetup(root);
  mkdirSync(context.home.folder, { mode: 0o700 });
  const client = await connect(context);
  const { pid } = await describe(client);
  assert.ok((await client.ask("subscribe", {})).ok);
  assert.ok((await client.ask("catchUp", {})).ok);
  const idle = await idleShare(client, pid);
  const status = await client.ask("status", {});
  assert.ok(status.ok);
  const after = residentMemory(pid);
  await end(client, context);
  return {
    transcripts: megabytes(corpus.bytes),
    "followed sessions": String(status.value.sessions.length),
    "at rest": megabytes(after),
    "idle CPU": idle,
  };
}

/** Processor time while nothing happens, as a share of one core. */
async function idleShare(client: ServiceClient, pid: number): Promise<string> {
  for (;;) {
    const answer = await client.ask("learnStatus", {});
    assert.ok(answer.ok);
    const { endedAt, running } = answer.value.status;
    if (endedAt !== null && running === null) break;
    await wait(1000);
  }
  // Garbage of what was learned is released.
  await wait(10_000);
  const window = Math.max(rest, minIdle);
  const before = processorTime(pid);
  await wait(window);
  return `${((100 * (processorTime(pid) - before)) / window).toFixed(2)} %`;
}

async function collecting(): Promise<Record<string, string>> {
  const corpora = [];
  for (let bytes = 0, seed = 1; bytes < wanted; seed += 1) {
    const corpus = ensureCorpus(seed);
    corpora.push(corpus);
    bytes += corpus.bytes;
  }
  const bytes = corpora.reduce((sum, corpus) => sum + corpus.bytes, 0);
  const context = newSetup(corpora.map(({ root }) => root).join(","));
  mkdirSync(context.home.folder, { mode: 0o700 });
  const begun = performance.now();
  const client = await connect(context);
  const { pid } = await describe(client);
  const mostOf = watchMemory(pid, sampled);
  const caughtUp = await client.ask("catchUp", {});
  assert.ok(caughtUp.ok);
  assert.deepEqual(caughtUp.value.freshness.problems, []);
  const took = performance.now() - begun;
  const cpu = processorTime(pid);
  const [most, right] = [mostOf(), residentMemory(pid)];
  const status = await client.ask("ledgerStatus", {});
  assert.equal(
    status.ok && status.value.responses,
    corpora.reduce((sum, corpus) => sum + corpus.responses, 0),
  );
  await wait(rest);
  const after = residentMemory(pid);
  await end(client, context);
  return {
    transcripts: megabytes(bytes),
    took: `${(took / 1000).toFixed(1)} s`,
    CPU: `${(cpu / 1000).toFixed(1)} s`,
    "CPU a MB": `${(cpu / (bytes / 1e6)).toFixed(1)} ms`,
    "most memory": megabytes(most),
    "right after": megabytes(right),
    "at rest": megabytes(after),
  };
}

type Setup = ReturnType<typeof newSetup>;

/** A user with agents that store their files in that folder. */
function newSetup(claude: string) {
  const userHome = mkdtempSync(path.join(scratch, "home-"));
  const env = {
    HOME: userHome,
    USERPROFILE: userHome,
    CLAUDE_CONFIG_DIR: claude,
    PATH: process.env["PATH"],
    PURSER_HOME: path.join(userHome, ".purser"),
  };
  return { userHome, env, home: purserPaths({ env, home: userHome }) };
}

async function connect({ userHome, env, home }: Setup): Promise<ServiceClient> {
  const client = await ensureService({
    home,
    machine: thisMachine(),
    clock: systemClock,
    version: "0.0.0",
    pid: process.pid,
    onProblem: (message) => console.error(message),
    launchers: [
      spawnLauncher({ home, program, execPath: process.execPath, isElectron: false, env, userHome }),
    ],
  });
  assert.ok(client.ok, client.ok ? "" : client.detail.text);
  return client.value;
}

async function describe(client: ServiceClient): Promise<{ pid: number }> {
  const answer = await client.ask("describe", {});
  assert.ok(answer.ok);
  return answer.value;
}

async function end(client: ServiceClient, { userHome }: Setup): Promise<void> {
  await client.shutdown("asked", 60_000);
  client.dispose();
  rmSync(userHome, { recursive: true, force: true, maxRetries: 5 });
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(path.join(each.parentPath, each.name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed()} MB`;
}
