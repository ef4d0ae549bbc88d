import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureCorpus, type Corpus } from "../corpus/corpus.ts";
import { installCcusage } from "../ccusage/install.ts";
import { median, timedRun, type TimedRun } from "./timed-run.ts";
import { checkTotals, corpusOnly } from "./totals.ts";

/**
 * `npm run bench -- scan [--keep] [--runs N] [--seed N]`: times `purser usage --json` and the native ccusage alternately
 * on a synthetic corpus, checks that both count exactly the tokens in it, and prints the ratios. Fails below the target.
 */
const targetSpeed = 2;
const targetMemory = 1;

const runs = Math.max(7, numberAfter("--runs") ?? 11);
const isKept = process.argv.includes("--keep");
const repository = fileURLToPath(new URL("../../..", import.meta.url));

const corpus = ensureCorpus(numberAfter("--seed") ?? 1);
try {
  process.exitCode = bench(corpus) ? 0 : 1;
} finally {
  if (!isKept) rmSync(corpus.root, { recursive: true, force: true });
}

function bench({ root, ...facts }: Corpus): boolean {
  execFileSync(process.execPath, ["esbuild.mjs", "--production"], { cwd: repository });
  const { file: ccusage, version } = installCcusage();
  const env = corpusOnly(root, path.join(root, "none"));
  const purser = () => timedRun([process.execPath, "dist/cli.cjs", "usage", "--json"].map(inRepository), env);
  const peer = () => timedRun([ccusage, "claude", "daily", "--json", "--offline"], env);

  const isExact = checkTotals(facts, purser().stdout, peer().stdout);
  const pairs = Array.from({ length: runs }, () => ({ ours: purser(), theirs: peer() }));

  const megabytes = facts.bytes / 1e6;
  console.log(
    `${facts.files} files, ${megabytes.toFixed(0)} MB, ${facts.lines} lines, ${facts.responses} responses; ` +
      `Node ${process.version}, ${Math.min(2, os.availableParallelism())} cores, warm cache, ${runs} runs each in turn`,
  );
  printRow(
    "purser usage --json",
    pairs.map(({ ours }) => ours),
    megabytes,
  );
  printRow(
    `ccusage ${version} (native)`,
    pairs.map(({ theirs }) => theirs),
    megabytes,
  );
  const speed = median(pairs.map(({ ours, theirs }) => theirs.time / ours.time));
  const memory = median(
    pairs.map(({ ours, theirs }) => (ours.memory ?? Number.NaN) / (theirs.memory ?? Number.NaN)),
  );
  console.log(`tokens: ${isExact ? "equal, and exactly the corpus's" : "DIFFERENT"}`);
  console.log(
    `speed:  ${speed.toFixed(2)}x ccusage's (median of paired ratios; target at least ${targetSpeed})`,
  );
  const cpu = median(pairs.map(({ ours, theirs }) => (theirs.cpu ?? Number.NaN) / (ours.cpu ?? Number.NaN)));
  if (!Number.isNaN(cpu)) console.log(`CPU:    1/${cpu.toFixed(2)} of ccusage's (median of paired ratios)`);
  console.log(
    Number.isNaN(memory)
      ? "memory: not measured, for want of GNU time"
      : `memory: ${memory.toFixed(2)}x ccusage's (median of paired ratios of peaks; target at most ${targetMemory})`,
  );
  return isExact && speed >= targetSpeed && !(memory > targetMemory);
}

function inRepository(argument: string): string {
  return argument.startsWith("dist/") ? `${repository}/${argument}` : argument;
}

function printRow(name: string, measured: readonly TimedRun[], megabytes: number): void {
  const times = measured.map(({ time }) => time);
  const time = median(times);
  const memory = median(measured.map((run) => run.memory ?? Number.NaN)) / 1e6;
  const cpu = median(measured.map((run) => run.cpu ?? Number.NaN));
  console.log(
    `${name.padEnd(26)} ${time.toFixed(0).padStart(5)} ms median, ${Math.min(...times).toFixed(0)} best, ` +
      `${((megabytes / time) * 1000).toFixed(0)} MB/s, ${cpu.toFixed(0)} ms CPU, ${memory.toFixed(0)} MB peak`,
  );
}

function numberAfter(flag: string): number | undefined {
  const index = process.argv.indexOf(flag);
  return index < 0 ? undefined : Number(process.argv[index + 1]);
}
