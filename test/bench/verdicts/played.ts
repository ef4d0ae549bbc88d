/**
 * Eight rules of known effect that share their runs, with the real Claude Code and a stand-in of its API that plays the
 * model: what it takes, and whether each interval at a rule's end holds what the rule truly saves. Then the same many times
 * without Claude Code, after comparing both on each seed that was played.
 *
 *   npm run bench -- rules                                3 seeds played, 1,000 simulated: some minutes
 *   npm run bench -- rules --seeds 10 --lives 5000     more of both
 */
import { homedir } from "node:os";
import path from "node:path";
import { ClaudeDriver } from "../../../src/engine/bench/drivers/claude/claude.ts";
import { scheduleRound } from "../../../src/engine/bench/execute/schedule.ts";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { selectRules } from "../../../src/engine/rules/selection.ts";
import type { RuleBench, SelectPorts } from "../../../src/engine/rules/rules-selection.ts";
import type { RuleGroup } from "../../../src/engine/rules/together/group.ts";
import { benchRounds, type RoundRuns } from "../../../src/engine/verdict/measure-pair.ts";
import { wilson } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import { knownModel, knownRules, knownTasks, tokensOf } from "../../agents/bench/known-effects.ts";
import { agentsCache, installClaude, newestClaude } from "../../agents/install.ts";
import { startStandIn } from "../../agents/stand-in/stand-in.ts";
import {
  agent,
  makeTinyBench,
  portsOf,
  requestOf,
  type TinyBench,
} from "../../engine/bench/support/tiny-suite.ts";
import { rule } from "../../engine/rules/support/support.ts";

const numberAfter = (name: string, usual: number) => {
  const place = process.argv.indexOf(name);
  return place < 0 ? usual : Number(process.argv[place + 1]);
};
const seeds = numberAfter("--seeds", 3);
const lives = numberAfter("--lives", 1000);
/** The runs that the check's own test uses. */
const rounds = 8;
const usualRun = 60_000;
const never = new AbortController().signal;

interface Told {
  readonly saves: number;
  readonly kind: string;
  readonly low: number;
  readonly high: number;
}

interface Played {
  readonly rounds: number;
  readonly runs: number;
  readonly told: readonly Told[];
}

type MakeRound = (bench: RuleBench, round: number) => Promise<RoundRuns>;

/** Measures the rules from their approval to their verdicts; the seed draws who stands where, too. */
async function measure(seed: number, { suite }: TinyBench, make: MakeRound): Promise<Played> {
  const rules = knownRules.map(({ text }, index) =>
    rule({ id: `r${index}`, agent, sentence: text, status: "approved", decidedAt: index + 1 }),
  );
  let group: RuleGroup | null = null;
  const made = { rounds: 0, runs: 0 };
  const ports: SelectPorts = {
    round: async (bench, round) => {
      const answer = await make(bench, round);
      if (answer.kind !== "made") throw new Error(JSON.stringify(answer));
      made.rounds += 1;
      made.runs += answer.runs.length;
      return answer;
    },
    group: {
      load: () => Promise.resolve(group),
      save: (next) => {
        group = next;
        return Promise.resolve();
      },
    },
    rent: (each) => each.rent,
    now: () => seed,
    price: () => null,
    onProgress: () => undefined,
    settle: ({ rule: settled }) => Promise.resolve(settled),
  };
  const tokenCap = rounds * Object.values(knownTasks).reduce((sum, tokens) => sum + 2 * tokens, 0);
  const asked = {
    id: "select",
    agent,
    suite,
    rules,
    ruleIds: null,
    audits: 0,
    seed: 1,
    evidence: [],
  } as const;
  const how = { model: "claude-sonnet-4-6", driver: "claude", tokenCap, tokensPerRun: usualRun } as const;
  const { settled } = await selectRules({ ...asked, ...how }, ports, never);
  const told = settled.map(({ rule: { id }, receipt: { verdict } }) => {
    const { low, high } = verdict.savingShare ?? { low: -Infinity, high: Infinity };
    return { saves: knownRules[Number(id.slice(1))]?.saves ?? 0, kind: verdict.kind, low, high };
  });
  return { ...made, told: told.toSorted((one, other) => one.saves - other.saves || one.low - other.low) };
}

/** Makes a round's runs without an agent: each passes, with the tokens that the stand-in would play. */
function simulated(seed: number, tiny: TinyBench): MakeRound {
  return (bench, round) => {
    const request = requestOf(tiny, { id: bench.benchId, seed: 1, ...bench });
    const runs = scheduleRound(request, round, null).map((cell): BenchRun => {
      const { memory } = bench.configurations[cell.side] ?? { memory: null };
      const tokens = tokensOf({ seed, round, task: cell.taskId, context: memory ?? "" });
      return {
        ...cell,
        id: `${round}-${cell.taskId}-${cell.side}`,
        benchId: bench.benchId,
        role: "candidate",
        taskHash: "",
        suiteHash: "",
        fixtureHash: "",
        model: "",
        driver: "claude",
        recordedBy: null,
        outcome: "passed",
        detail: null,
        usage: { input: tokens, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
        processingTokens: tokens,
        turns: 2,
        toolCalls: 1,
        filesReread: 0,
        sessionId: null,
        startedAt: 1,
        durationMs: 1,
        overheadMs: 1,
        checkMs: 1,
        trajectory: null,
      };
    });
    return Promise.resolve({ kind: "made", runs });
  };
}

/** Plays a seed with the real Claude Code. */
async function playedFor(seed: number, program: string): Promise<Played> {
  const standIn = await startStandIn({ tag: `seed${seed}`, lifeMs: 900_000 });
  const tiny = await makeTinyBench(Object.keys(knownTasks));
  try {
    let now = 1;
    standIn.setScript(knownModel({ seed, round: () => now }).script);
    const env = {
      PATH: process.env["PATH"],
      ANTHROPIC_BASE_URL: standIn.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_MAX_RETRIES: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const own = { program, env, userHome: path.join(tiny.root, "user"), scratch: tiny.scratch };
    const ports = portsOf(tiny, new ClaudeDriver({ ...own, clock: { now: () => Date.now() } }));
    return await measure(seed, tiny, (bench, round) => {
      now = round;
      const { benchId, ...sides } = bench;
      const request = requestOf(tiny, { id: benchId, seed: 1, runs: round, parallel: 2, ...sides });
      return benchRounds(request, ports, () => undefined)(round, never);
    });
  } finally {
    await standIn.close();
    await tiny.remove();
  }
}

const inPercent = (share: number) => (100 * share).toFixed(1);
const isHeld = ({ saves, low, high }: Told) => low <= saves && saves <= high;

function shareOf(count: number, of: number): string {
  const { low, high } = wilson(count, of, 1.96);
  return `${inPercent(count / of)} % [${inPercent(low)}, ${inPercent(high)}]`;
}

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
if (!installed.ok) throw new Error(installed.detail.text);
const tiny = await makeTinyBench(Object.keys(knownTasks));
let isSame = true;
try {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const began = performance.now();
    const played = await playedFor(seed, installed.value);
    const seconds = (performance.now() - began) / 1000;
    const again = await measure(seed, tiny, simulated(seed, tiny));
    const same = JSON.stringify(played) === JSON.stringify(again);
    isSame &&= same;
    const holding = played.told.filter(isHeld).length;
    console.log(
      `Seed ${seed}: ${played.rounds} rounds, ${played.runs} runs in ${seconds.toFixed(0)} s; ${holding} of ${played.told.length} intervals hold; without Claude Code: ${same ? "the same" : "NOT THE SAME"}`,
    );
    for (const { saves, kind, low, high } of played.told)
      console.log(
        `  truly saves ${inPercent(saves).padStart(5)} %: ${inPercent(low)} to ${inPercent(high)} %, ${kind}`,
      );
  }
  const all: Played[] = [];
  for (let life = 1; life <= lives; life += 1)
    all.push(await measure(1000 + life, tiny, simulated(1000 + life, tiny)));
  const told = all.flatMap((each) => each.told);
  const mean = (of: (played: Played) => number) => all.reduce((sum, each) => sum + of(each), 0) / all.length;
  console.log(
    `\n${lives} further seeds without Claude Code: ${mean((each) => each.rounds).toFixed(1)} rounds, ${mean((each) => each.runs).toFixed(0)} runs in the mean`,
  );
  console.log(`  intervals of level 90 % that hold: ${shareOf(told.filter(isHeld).length, told.length)}`);
  const most = all.filter((each) => each.told.filter(isHeld).length >= 5).length;
  console.log(`  seeds in which at least 5 of 8 hold: ${shareOf(most, all.length)}`);
  for (const saves of [...new Set(knownRules.map((each) => each.saves))]) {
    const own = told.filter((each) => each.saves === saves);
    const shown = own.filter(({ kind }) => kind === "saves").length;
    console.log(
      `  truly saves ${inPercent(saves).padStart(5)} %: shown to save in ${shareOf(shown, own.length)}`,
    );
  }
} finally {
  await tiny.remove();
}
if (!isSame) process.exitCode = 1;
