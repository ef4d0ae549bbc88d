import { homedir } from "node:os";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { cacheWeights, normalizedInput } from "../../../src/engine/recurring/figures/normalized.ts";
import { addUsage, noUsage, occupancy, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { agentsCache, installClaude, newestClaude } from "../../agents/install.ts";
import { installCodex } from "../../agents/codex-install.ts";
import type { ReplyBlock } from "../../agents/stand-in/reply.ts";
import { startCountingModel, type CountingModel } from "./counting-model.ts";
import { BenchPlace, type Arm } from "./place.ts";

/**
 * `npm run bench -- economy`: wakes of one agent on a task with 40 comments, with the real Claude Code and Codex and a stand-in model that counts what a provider with a cache of prompts
 * would bill. The naive arm begins a new session each time, with everything; ours is `purser run`. Both in turn, then each part of ours left out. `-- --quick` makes six wakes of each;
 * `-- --only claude` one program; `-- --wakes N`.
 */
const argv = process.argv.slice(2);
const valueOf = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const wakes = Number(valueOf("--wakes") ?? (argv.includes("--quick") ? 6 : 30));
const only = valueOf("--only");

interface Played {
  readonly arm: string;
  readonly usage: TokenUsage;
  readonly normalized: number;
  readonly recorded: number | null;
  readonly reused: number;
  readonly stable: number;
  readonly fullLater: number;
  readonly requests: number;
  readonly firstBytes: number;
  readonly isDone: boolean;
}

const comment = (wake: number) =>
  `purser task comment T1 --text "Entry ${wake} is moved, and its test passes."`;

/** The agent's work in a wake: the same in each arm, after it has read what the arm allows. */
function scene(
  word: "claude" | "codex",
  wake: number,
  fetchesAll: boolean,
  isLast: boolean,
): CountingModel["play"] {
  const shell = (command: string): ReplyBlock =>
    word === "claude"
      ? { type: "tool_use", name: "Bash", input: { command, description: "A step of the task" } }
      : { type: "tool_use", name: "exec_command", input: { cmd: command } };
  return (prompt, step) => {
    const commands = [
      ...(fetchesAll
        ? ["purser task show T1"]
        : prompt.includes("new comments: purser task comments")
          ? ["purser task comments T1"]
          : []),
      comment(wake),
      ...(isLast ? ["purser task done T1 --yes"] : []),
    ];
    const command = commands[step];
    return command === undefined ? { type: "text", text: `Entry ${wake} is moved.` } : shell(command);
  };
}

async function playArm(
  word: "claude" | "codex",
  binary: string,
  arm: Arm,
  gapMinutes: number,
  count: number,
): Promise<Played> {
  const model = await startCountingModel(3_600_000);
  const place = new BenchPlace({ arm, word, binary, url: model.url });
  const weights = cacheWeights(word === "claude" ? "claude-sonnet-5-5" : "gpt-5.1-codex", builtInCatalogue);
  let usage = noUsage;
  let [normalized, recorded, reused, stable, fullLater, requests, firstBytes] = [0, 0, 0, 0, 0, 0, 0];
  try {
    for (let wake = 1; wake <= count; wake += 1) {
      model.now += gapMinutes * 60_000;
      place.comment();
      if (wake === count) place.finish();
      const fetchesAll = arm.head === null || arm.fetchesAll === true;
      model.play = scene(word, wake, fetchesAll, wake === count);
      const woken = await place.wake();
      const taken = model.take();
      usage = addUsage(usage, taken.usage);
      normalized += normalizedInput(taken.usage, weights);
      requests += taken.requests;
      if (wake === 1) firstBytes = taken.firstBytes;
      if (wake > 1) fullLater += woken?.wake?.fullFetches ?? 1;
      if (woken !== null) {
        recorded += woken.wake?.normalizedInput ?? 0;
        if (wake > 1) stable += 1;
        if (wake > 1 && woken.reused) reused += 1;
      }
    }
    if (model.failures.length > 0) throw new Error(model.failures.join("; "));
    const isOurs = arm.head !== null;
    return {
      arm: arm.name,
      usage,
      normalized,
      recorded: isOurs ? recorded : null,
      reused,
      stable,
      fullLater,
      requests,
      firstBytes,
      isDone: place.isDone(),
    };
  } finally {
    await place.close();
    await model.close();
  }
}

const schedule = (minutes: number) => `schedule: "*/${minutes} * * * *"`;

function row(played: Played, naive: Played, count: number): string {
  const { arm, usage, normalized, requests, firstBytes, isDone } = played;
  const whole = occupancy(usage);
  const cells = [
    arm.padEnd(26),
    Math.round(whole / count).toLocaleString("en"),
    Math.round((usage.input + usage.cacheCreation5m + usage.cacheCreation1h) / count).toLocaleString("en"),
    `${Math.round((100 * usage.cacheRead) / whole)}%`,
    Math.round(normalized / count).toLocaleString("en"),
    `${Math.round(100 * (1 - normalized / naive.normalized))}%`,
    (requests / count).toFixed(1),
    firstBytes.toLocaleString("en"),
    isDone ? "done" : "OPEN",
  ];
  return cells.map((cell, index) => (index === 0 ? cell : cell.padStart(12))).join("");
}

function targets(ours: Played, naive: Played, count: number): string[] {
  const saved = 1 - ours.normalized / naive.normalized;
  const reuse = ours.reused / Math.max(1, ours.stable);
  const fewer = 1 - ours.fullLater / Math.max(1, naive.fullLater);
  const line = (what: string, wanted: string, actual: string, isReached: boolean) =>
    `  ${what.padEnd(52)} ${wanted.padStart(9)} ${actual.padStart(8)}  ${isReached ? "reached" : "MISSED"}`;
  return [
    line(
      "Fewer normalized input tokens a successful wake",
      ">= 30%",
      `${Math.round(100 * saved)}%`,
      saved >= 0.3,
    ),
    line("Sessions reused on stable timer wakes", ">= 80%", `${Math.round(100 * reuse)}%`, reuse >= 0.8),
    line("Fewer whole threads after the first", ">= 80%", `${Math.round(100 * fewer)}%`, fewer >= 0.8),
    line(
      "Task completed, as the naive arm does",
      String(naive.isDone),
      String(ours.isDone),
      ours.isDone === naive.isDone,
    ),
    line(
      "Recorded by purser beside billed (normalized)",
      "equal",
      `${Math.round((100 * (ours.recorded ?? 0)) / ours.normalized)}%`,
      Math.abs((ours.recorded ?? 0) / ours.normalized - 1) < 0.01,
    ),
    `  ${count} wakes each`,
  ];
}

const cache = agentsCache(process.env, homedir());
const installed = { claude: await installClaude(newestClaude, cache), codex: await installCodex(cache) };
const title = `${"".padEnd(26)}${["sent", "not cached", "cache", "normalized", "saved", "requests", "first bytes", "task"].map((each) => each.padStart(12)).join("")}`;
for (const word of ["claude", "codex"] as const) {
  if (only !== undefined && only !== word) continue;
  const binary = installed[word];
  if (!binary.ok) throw new Error(binary.detail.text);
  for (const gap of [4, 15]) {
    const arms: Arm[] = [
      { name: "naive", head: null },
      { name: "purser run", head: [schedule(gap)] },
    ];
    const played: Played[] = [];
    for (const arm of arms) played.push(await playArm(word, binary.value, arm, gap, wakes));
    const [naive, ours] = played;
    if (naive === undefined || ours === undefined) continue;
    console.log(`\n${word}, a wake every ${gap} minutes: tokens a wake\n${title}`);
    for (const each of played) console.log(row(each, naive, wakes));
    console.log(targets(ours, naive, wakes).join("\n"));
    if (gap !== 4 || argv.includes("--no-ablation")) continue;
    const few = Math.min(10, wakes);
    const without: Arm[] = [
      { name: "naive", head: null },
      { name: "purser run", head: [schedule(gap)] },
      { name: "- sessions reused", head: [schedule(gap)], isFresh: true },
      { name: "- context as changes", head: [schedule(gap)], fetchesAll: true },
      ...(word === "claude"
        ? [{ name: "- tools and skills chosen", head: [schedule(gap), "tools: all", "skills: all"] }]
        : []),
    ];
    const parts: Played[] = [];
    for (const arm of without) parts.push(await playArm(word, binary.value, arm, gap, few));
    const [base] = parts;
    console.log(`\n${word}, ${few} wakes, without one part of it\n${title}`);
    if (base !== undefined) for (const each of parts) console.log(row(each, base, few));
  }
}
