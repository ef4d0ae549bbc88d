import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureCorpus, type Corpus } from "../corpus/corpus.ts";
import { installCcusage } from "../ccusage/install.ts";
import { median, timedRun, type TimedRun } from "./timed-run.ts";
import { checkTotals, corpusOnly, readUsage } from "./totals.ts";

/**
 * `npm run bench -- restart [--keep] [--runs N] [--seed N]`: times the second `purser usage --json` on a synthetic corpus, as
 * a whole process from start to exit, while the service runs and its ledger has everything; alternating with the native
 * ccusage in one run. Checks that both count exactly the tokens in the corpus. Fails below the target.
 */
const targetSpeed = 20;

const runs = Math.max(5, numberAfter("--runs") ?? 15);
const isKept = process.argv.includes("--keep");
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-restart-"));
const corpus = ensureCorpus(numberAfter("--seed") ?? 1);
const env = corpusOnly(corpus.root, scratch);

execFileSync(process.execPath, ["esbuild.mjs", "--production"], { cwd: repository });
const purser = (...argv: string[]) =>
  timedRun([process.execPath, path.join(repository, "dist/cli.cjs"), ...argv], env);

try {
  process.exitCode = bench(corpus) ? 0 : 1;
} finally {
  purser("service", "stop");
  rmSync(scratch, { recursive: true, force: true });
  if (!isKept) rmSync(corpus.root, { recursive: true, force: true });
}

function bench(facts: Corpus): boolean {
  const { file: ccusage, version } = installCcusage();
  const peer = () => timedRun([ccusage, "claude", "daily", "--json", "--offline"], env);
  const ours = () => purser("usage", "--json");

  // A query only the ledger can answer starts the service and waits until it has read everything.
  const first = purser("usage", "--by", "tool", "--json");
  const second = ours();
  const { source } = readUsage(second.stdout);
  const isExact = checkTotals(facts, second.stdout, peer().stdout) && source === "ledger";
  const bare = Array.from({ length: runs }, () => timedRun([process.execPath, "--eval", ""], env));
  const pairs = Array.from({ length: runs }, () => ({ ours: ours(), theirs: peer() }));

  console.log(
    `${facts.files} files, ${(facts.bytes / 1e6).toFixed(0)} MB, ${facts.responses} responses; Node ${process.version}, ` +
      `${Math.min(2, os.availableParallelism())} cores, load ${(os.loadavg()[0] ?? 0).toFixed(1)}, ${runs} runs each in turn`,
  );
  console.log(`the first, which starts the service and has it read everything: ${first.time.toFixed(0)} ms`);
  printRow(
    `purser usage --json (${source})`,
    pairs.map((pair) => pair.ours),
  );
  printRow(
    `ccusage ${version} (native)`,
    pairs.map(({ theirs }) => theirs),
  );
  printRow("node, doing nothing", bare);
  const speed = median(pairs.map((pair) => pair.theirs.time / pair.ours.time));
  console.log(`tokens: ${isExact ? "equal, and exactly the corpus's" : "DIFFERENT"}`);
  console.log(
    `speed:  ${speed.toFixed(1)}x ccusage's (median of paired ratios; target at least ${targetSpeed})`,
  );
  return isExact && speed >= targetSpeed;
}

function printRow(name: string, measured: readonly TimedRun[]): void {
  const times = measured.map(({ time }) => time);
  const memory = median(measured.map((run) => run.memory ?? Number.NaN)) / 1e6;
  console.log(
    `${name.padEnd(30)} ${median(times).toFixed(0).padStart(5)} ms median, ${Math.min(...times).toFixed(0)} best, ` +
      `${memory.toFixed(0)} MB peak`,
  );
}

function numberAfter(flag: string): number | undefined {
  const index = process.argv.indexOf(flag);
  return index < 0 ? undefined : Number(process.argv[index + 1]);
}
