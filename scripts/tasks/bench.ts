import { isMain } from "../is-main.ts";
import type { Task } from "./task.ts";
import { runTask } from "./task.ts";

const build = ["esbuild.mjs"] as const;
const minified = ["esbuild.mjs", "--production"] as const;
const packed = ["scripts/build/package.mjs"] as const;

/** The benchmarks, simulations and crash rounds that print the figures of this repository. */
export const benches: readonly Task[] = [
  {
    name: "scan",
    title: "Reading transcripts with an empty ledger, compared with ccusage.",
    run: ["test/bench/usage/scan.ts"],
  },
  {
    name: "restart",
    title: "A second `purser usage` with a warm ledger, compared with ccusage.",
    run: ["test/bench/usage/restart.ts"],
  },
  {
    name: "compare-ccusage",
    title: "Exactness of purser, ccusage and codeburn where the truth is known.",
    run: ["test/bench/ccusage/compare.ts"],
  },
  {
    name: "collect",
    title: "Collecting 440 MB of transcripts into an empty ledger, and checking them again.",
    run: ["test/bench/collect.ts"],
    before: [minified],
  },
  {
    name: "ledger",
    title: "Appends, snapshots and memory with 10,000 and 100,000 responses; --large adds a million.",
    run: ["test/bench/ledger/ledger.ts"],
  },
  {
    name: "memory",
    title: "Memory of the service compared with a bare Node; --large, --year and --collect measure more.",
    run: ["test/bench/memory/memory.ts"],
    before: [minified],
  },
  {
    name: "windows",
    title: "Processor time and memory of the service with 1, 5 and 20 windows.",
    run: ["test/bench/windows.ts"],
    before: [minified],
  },
  {
    name: "live",
    title: "Time from an append to the status bar, and of activation, each beside a bare control.",
    run: ["test/bench/live/live.ts"],
    before: [packed],
  },
  {
    name: "forecast",
    title: "How often a shown forecast of the turns until compaction is right.",
    run: ["test/bench/forecast.ts"],
  },
  {
    name: "price",
    title: "How close the price of ten more turns comes to what they really cost.",
    run: ["test/bench/price.ts"],
  },
  {
    name: "why",
    title: "Made-up months with seven planted causes: how many are named first, and false alarms.",
    run: ["test/bench/why/why.ts"],
  },
  {
    name: "panel",
    title: "Time until the Ledger panel is painted with 100,000 responses.",
    run: ["test/bench/panel.ts"],
  },
  {
    name: "hooks",
    title: "10,000 hooks with 10 live sessions, and the program of a prompt beside a bare Node.",
    run: ["test/bench/hooks.ts"],
    before: [minified],
  },
  {
    name: "first-call",
    title: "Who judges a first call under load, and safe calls that a deadline stops; --starts, --calls.",
    run: ["test/bench/first-call.ts"],
    before: [minified],
  },
  {
    name: "guard",
    title: "Time of a guard's decision: ordinary calls, hostile calls, facts.",
    run: ["test/bench/guard/decisions.ts"],
    before: [minified],
  },
  {
    name: "effects",
    title: "Gross and net of shorter outputs, and how often formats that lose or gain are switched off.",
    run: ["test/bench/guard/effects.ts"],
  },
  {
    name: "guard-output",
    title: "Bytes and milliseconds of outputs made smaller.",
    run: ["test/bench/guard/output.ts"],
  },
  {
    name: "needles",
    title: "Plants a line that matters in real outputs, makes them smaller, and counts what is lost.",
    run: ["test/bench/guard/needles.ts"],
  },
  {
    name: "continuity",
    title: "What a resume packet finds of the next session, compared with simple choices.",
    run: ["test/bench/continuity/continuity.ts"],
  },
  {
    name: "learn",
    title: "Learning from 1,000 sessions: processor, memory, ledger; --quick takes a tenth.",
    run: ["test/bench/continuity/learning.ts"],
  },
  {
    name: "economy",
    title: "Wakes of the real Claude Code and Codex, naive and by `purser run`: billed tokens.",
    run: ["test/bench/economy/economy.ts"],
  },
  {
    name: "overhead",
    title: "The cost of a golden run besides the agent's own time.",
    run: ["test/bench/overhead.ts"],
  },
  {
    name: "verdicts",
    title: "Verdicts in worlds of known truth, with goals; --only NAME, --lives N, --seed N.",
    run: ["test/bench/verdicts/verdicts.ts"],
  },
  {
    name: "verdicts-lives",
    title: "Simulated lives of single rules of known worth; --quick takes a minute.",
    run: ["test/bench/verdicts/lives-alone.ts"],
  },
  {
    name: "verdicts-together",
    title: "Simulated rules that share their runs, alone and in joint audits; --lives 100 takes minutes.",
    run: ["test/bench/verdicts/together-figures.ts"],
  },
  {
    name: "verdicts-standing",
    title: "What as-is runs of an earlier day could add to a measurement, computed.",
    run: ["test/bench/verdicts/standing.ts"],
  },
  {
    name: "rules",
    title: "Eight rules of known effect with the real Claude Code and a stand-in model.",
    run: ["test/bench/verdicts/played.ts"],
  },
  {
    name: "forks",
    title: "Runs forked where a rule begins to matter, with the real Claude Code: tokens, files, gain.",
    run: ["test/bench/forks/forks.ts"],
  },
  {
    name: "trials",
    title: "Simulated trials of rules on real work: false and found savings; --oracle prints the bound.",
    run: ["test/bench/trials/trials.ts"],
  },
  {
    name: "guard-trials",
    title: "Simulated trials of guards: the error rate, and how often a saving of 6 % is found.",
    run: ["test/bench/trials/guards.ts"],
  },
  {
    name: "crash-ledger",
    title: "300 kills of a process with a ledger: what is left.",
    run: ["test/bench/crash/ledger.ts"],
  },
  {
    name: "crash-service",
    title: "300 kills of the service while four processes append: what is left.",
    run: ["test/bench/crash/service.ts"],
    before: [build],
  },
  {
    name: "crash-learning",
    title: "Kills of a service in each of the ten tasks of learning.",
    run: ["test/bench/crash/learning.ts"],
  },
  {
    name: "crash-wakes",
    title: "10,000 wakes of played agents, killed at any step: lost, doubled or overlapping ones.",
    run: ["test/bench/economy/kills.ts"],
  },
];

if (isMain(import.meta.filename)) process.exitCode = runTask("bench", benches, process.argv.slice(2));
