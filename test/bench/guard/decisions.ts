/**
 * `npm run bench -- guard [--commands FILE] [--rounds N] [--assert]`: measures how long judging a command by all guard rules takes,
 * what loading them takes, and how much memory they hold. The commands are a file's, one a line, or the rules' own examples. It also
 * measures the longest of many fuzzed calls, hostile ones among them, once all is warm.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import * as z from "zod";
import { runtimeFlags, runtimeVariables } from "../../../src/engine/service/launch/runtime-flags.ts";
import { readExample } from "../../../src/engine/guard/calls/example.ts";
import type * as judging from "../../../src/engine/guard/catalogue/judge-all.ts";
import { emptyConfig } from "../../../src/engine/guard/user-rules/config.ts";
import { anyCall } from "../../engine/guard/support/fuzzed-calls.ts";
import { testContext } from "../../engine/guard/support/shell-context.ts";
import { quantileOf } from "../quantile.ts";

const { values } = parseArgs({
  options: {
    commands: { type: "string" },
    rounds: { type: "string", default: "5" },
    assert: { type: "boolean", default: false },
  },
});
/** Promised limits: milliseconds for a decision, and bytes of memory. */
const promised = { p50: 0.2, p99: 2, fuzzed: 5, memory: 30e6 };

// Memory is measured as the service has it.
if (globalThis.gc === undefined) {
  const { status } = spawnSync(process.execPath, [...runtimeFlags, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, ...runtimeVariables },
  });
  process.exit(status ?? 1);
}

const bundle = fileURLToPath(new URL("../../../dist/guard-rules.cjs", import.meta.url));
/** Collects garbage as the service does when it is idle. */
const collect = (): void => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
collect();
const before = memory();
const begun = performance.now();
const { judgeBy, catalogue } = loadBundle();
const judge = judgeBy(emptyConfig);
const loading = performance.now() - begun;

const commands =
  values.commands === undefined
    ? catalogue.flatMap(({ fires, passes }) => [...fires, ...passes])
    : readFileSync(values.commands, "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"));
const calls = commands.map(readExample);
const first = performance.now();
for (const call of calls) judge(call, testContext, begun);
const firstRound = performance.now() - first;
const times: number[] = [];
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const call of calls) {
    const at = performance.now();
    judge(call, testContext, begun);
    times.push(performance.now() - at);
  }
collect();
const after = memory();
const held = after.own - before.own;
const [p50, p99, most] = [quantileOf(times, 0.5), quantileOf(times, 0.99), Math.max(...times)];
const shown = (time: number): string => `${time.toFixed(3)} ms`;
console.log(`${catalogue.length} rules, loaded in ${shown(loading)}; ${calls.length} calls`);
console.log(`a decision: p50 ${shown(p50)}, p99 ${shown(p99)}, at most ${shown(most)}`);
console.log(
  `the first round, which compiles the patterns: ${shown(firstRound / calls.length)} a call in the mean`,
);
console.log(
  `memory more than before: ${(held / 1e6).toFixed(1)} MB of its own, ` +
    `${((after.resident - before.resident) / 1e6).toFixed(1)} MB with pages of the runtime's program, which all its processes share`,
);
const fuzzed = fc.sample(anyCall, { numRuns: 3000, seed: 15 });
const judged = fuzzed.map((call) => ({ call, time: bestOf(3, () => judge(call, testContext, begun)) }));
const slowest = judged.sort((a, b) => b.time - a.time).slice(0, 60);
const longest = Math.max(...slowest.map(({ call }) => leastTime(() => judge(call, testContext, begun))));
console.log(`the longest of ${fuzzed.length} fuzzed calls, warm, of the processor: ${shown(longest)}`);
const missed = [
  ...(p50 < promised.p50 ? [] : ["p50"]),
  ...(p99 < promised.p99 ? [] : ["p99"]),
  ...(longest < promised.fuzzed ? [] : ["fuzzed"]),
  ...(held < promised.memory ? [] : ["memory"]),
];
console.log(missed.length === 0 ? "All as promised." : `Missed: ${missed.join(", ")}.`);
if (values.assert && missed.length > 0) process.exitCode = 1;

/**
 * Returns the process's private memory and its resident memory. They are equal if the system does not
 * distinguish them. Bytes.
 */
function memory(): { readonly own: number; readonly resident: number } {
  const resident = process.memoryUsage().rss;
  const smaps = "/proc/self/smaps_rollup";
  const rollup = existsSync(smaps) ? readFileSync(smaps, "utf8") : "";
  const own = /^Anonymous:\s+(\d+) kB$/mu.exec(rollup)?.[1];
  return { own: own === undefined ? resident : Number(own) * 1024, resident };
}

/** Returns the mean time of the processor that runs take, which other programs do not add to. Milliseconds. */
function processorTime(runs: number, run: () => void): number {
  const start = process.threadCpuUsage();
  for (let count = 0; count < runs; count += 1) run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 / runs;
}

/**
 * Returns the least of three such means. The samples of this benchmark make a collection of the whole heap take 40 ms, which the service's
 * own heap does not; it never falls into all three. Milliseconds.
 */
function leastTime(run: () => void): number {
  return Math.min(...[1, 2, 3].map(() => processorTime(20, run)));
}

/** Returns the least time of several runs, as other programs may take the processor from any one. Milliseconds. */
function bestOf(runs: number, run: () => void): number {
  let least = Infinity;
  for (let count = 0; count < runs; count += 1) {
    const at = performance.now();
    run();
    least = Math.min(least, performance.now() - at);
  }
  return least;
}

/** Loads the built bundle, with the types of its source. */
function loadBundle() {
  const loaded: unknown = createRequire(import.meta.url)(bundle);
  return z
    .object({
      judgeBy: z.custom<typeof judging.judgeBy>((value) => typeof value === "function"),
      catalogue: z.custom<typeof judging.catalogue>((value) => Array.isArray(value)),
    })
    .parse(loaded);
}
