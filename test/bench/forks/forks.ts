/**
 * What a measurement of a rule with a scope gains if runs are forked where the rule begins to matter, with the real Claude Code and a
 * stand-in model that bills like a provider with a prompt cache. Whole runs with and without the rule, against a snapshot at the
 * trigger and branches of it by `--resume ID --fork-session`: tokens, and whether the folder is restored. A formula of a run's price
 * is fitted to these runs. With it, many runs of random courses give the information per token.
 *
 *   npm run bench -- forks                                     some minutes
 *   npm run bench -- forks --rounds 6 --units 50000 --seed 7   more played runs of each scope, more simulated ones
 */
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { addUsage, noUsage, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { driveClaude } from "../../agents/drive.ts";
import { agentsCache, installClaude, newestClaude } from "../../agents/install.ts";
import { makeScratch, type Scratch } from "../../agents/scratch.ts";
import type { ReplyBlock } from "../../agents/stand-in/reply.ts";
import { seededRandom, type SeededRandom } from "../../engine/support/seeded-random.ts";
import { startCountingModel, type CountingModel } from "../economy/counting-model.ts";

const numberAfter = (name: string, usual: number) => {
  const place = process.argv.indexOf(name);
  return place < 0 ? usual : Number(process.argv[place + 1]);
};
const rounds = numberAfter("--rounds", 2);
const simulated = numberAfter("--units", 20_000);
const seed = numberAfter("--seed", 1);

/** Steps of a usual run, and those before the trigger. */
const steps = 12;
const scopes = { early: 1, middle: 6, late: 10 };
/** Of the steps after the trigger. */
const saved = 0.3;
const ruleText = "When a check fails, read only the lines that it names.";
const usualOutput = 6000; // characters
/** How far courses before the trigger differ: standard deviation of the logarithm of all its outputs. After it, several are tried. */
const earlySpread = 0.6;
const lateSpreads = [0.3, 0.6, 1];
const branchCounts = [1, 2, 4, 8];
const outputPrice = 5; // times plain input

/** The course of one run: what its steps read before and after the trigger, in characters. */
interface Course {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** How a branch gets the rule: in the memory file, where it would stand later, or in the prompt that begins the branch. */
type Way = "memory" | "prompt";

interface Played {
  readonly usage: TokenUsage;
  readonly requests: number;
  /** Tool calls that failed, such as an edit of a file that seems to have changed. */
  readonly failed: number;
}

interface Snapshot extends Played {
  readonly sessionId: string;
  readonly files: string;
  readonly hash: string;
}

function outputs(count: number, spread: number, random: SeededRandom): number[] {
  const many = Math.max(1, Math.round(count * Math.exp(0.3 * random.normal())));
  const level = spread * random.normal();
  return Array.from({ length: many }, () =>
    Math.round(usualOutput * Math.exp(level / 2 + 0.6 * random.normal())),
  );
}

function lateOutputs(at: number, hasRule: boolean, random: SeededRandom, spread = earlySpread): number[] {
  return outputs((steps - at) * (hasRule ? 1 - saved : 1), spread, random);
}

const readCommand = (size: number): ReplyBlock => ({
  type: "tool_use",
  name: "Bash",
  input: {
    command: `echo ${size} >> log.txt && head -c ${size} data.txt`,
    description: "A step of the task",
  },
});
const trigger: ReplyBlock = {
  type: "tool_use",
  name: "Bash",
  input: { command: "sh check.sh", description: "Check the work" },
};

function early({ before }: Pick<Course, "before">): ReplyBlock[] {
  return [
    { type: "tool_use", name: "Read", input: { file_path: "WORK" } },
    ...before.map(readCommand),
    trigger,
  ];
}

function late({ after }: Pick<Course, "after">): ReplyBlock[] {
  const edit = { file_path: "WORK", old_string: "begun", new_string: "done" };
  return [{ type: "tool_use", name: "Edit", input: edit }, ...after.map(readCommand)];
}

class Player {
  readonly #binary: string;
  readonly #model: CountingModel;
  readonly #scratch: Scratch;

  constructor(binary: string, model: CountingModel, scratch: Scratch) {
    [this.#binary, this.#model, this.#scratch] = [binary, model, scratch];
  }

  async fresh(hasRule: boolean): Promise<void> {
    const { workspace } = this.#scratch;
    await empty(workspace);
    await writeFile(path.join(workspace, "data.txt"), "A line that a step of the task reads.\n".repeat(3000));
    await writeFile(path.join(workspace, "work.txt"), "begun\n");
    await writeFile(path.join(workspace, "check.sh"), "echo 1 check failed\n");
    await this.remember(hasRule);
  }

  async remember(hasRule: boolean): Promise<void> {
    const memory = `Work in small steps.\n${hasRule ? `${ruleText}\n` : ""}`;
    await writeFile(path.join(this.#scratch.workspace, "CLAUDE.md"), memory);
  }

  async whole(course: Course, hasRule: boolean): Promise<Played> {
    await this.fresh(hasRule);
    return await this.#play([...early(course), ...late(course)], "Finish the work.", []);
  }

  /** Runs up to the trigger, where a hook of the agent's stops it, and keeps the files. */
  async snapshot(course: Pick<Course, "before">): Promise<Snapshot> {
    await this.fresh(false);
    const settings = path.join(this.#scratch.root, "stop.json");
    const command = `grep -q check.sh && echo '{"continue":false,"stopReason":"the trigger"}'; exit 0`;
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
    await writeFile(settings, JSON.stringify({ hooks }));
    const played = await this.#play(early(course), "Finish the work.", ["--settings", settings]);
    const files = path.join(this.#scratch.root, "snapshot");
    await rm(files, { recursive: true, force: true });
    await cp(this.#scratch.workspace, files, { recursive: true, preserveTimestamps: true });
    return { ...played, files, hash: await hashOf(files) };
  }

  /** A branch of a snapshot. @returns whether its folder was as at the snapshot, too */
  async branch(
    { sessionId, files, hash }: Snapshot,
    course: Pick<Course, "after">,
    way: Way | null,
    preserveTimestamps = true,
  ): Promise<Played & { readonly isRestored: boolean }> {
    const { workspace } = this.#scratch;
    await empty(workspace);
    await cp(files, workspace, { recursive: true, preserveTimestamps });
    const isRestored = (await hashOf(workspace)) === hash;
    if (way === "memory") await this.remember(true);
    const prompt = `Go on with the check.${way === "prompt" ? `\n\n${ruleText}` : ""}`;
    const played = await this.#play([trigger, ...late(course)], prompt, [
      "--resume",
      sessionId,
      "--fork-session",
    ]);
    return { ...played, isRestored };
  }

  /** Failed edits of a file that was read before the trigger, where the copy keeps its times and where it does not. */
  async edits(): Promise<{ readonly kept: number; readonly lost: number }> {
    const snapshot = await this.snapshot({ before: [100] });
    const kept = await this.branch(snapshot, { after: [100] }, null);
    const lost = await this.branch(snapshot, { after: [100] }, null, false);
    return { kept: kept.failed, lost: lost.failed };
  }

  async #play(calls: readonly ReplyBlock[], prompt: string, args: readonly string[]) {
    const model = this.#model;
    model.now += 60_000;
    const work = path.join(this.#scratch.workspace, "work.txt");
    model.play = (_, step) => {
      const call = calls[step];
      if (call === undefined) return { type: "text", text: "Done." };
      return call.type === "tool_use" && call.input["file_path"] === "WORK"
        ? { ...call, input: { ...call.input, file_path: work } }
        : call;
    };
    const { printed, stderr, stdout } = await driveClaude({
      binary: this.#binary,
      scratch: this.#scratch,
      api: { ANTHROPIC_BASE_URL: model.url },
      prompt,
      model: "claude-sonnet-4-6",
      args,
      timeoutMs: 180_000,
    });
    if (printed === null) throw new Error(`the agent printed no result: ${stderr}${stdout.slice(-500)}`);
    const { usage, requests, bodies } = model.take();
    const failed = (bodies.at(-1)?.match(/"is_error":true/gu) ?? []).length;
    return { sessionId: printed.session_id, usage, requests, failed };
  }
}

async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.map((each) => path.join(each.parentPath, each.name)).sort())
    hash.update(path.relative(folder, entry)).update(await readFile(entry).catch(() => "a folder"));
  return hash.digest("hex");
}

/** Billed tokens in those of plain input. */
function price({ input, output, cacheCreation5m, cacheCreation1h, cacheRead }: TokenUsage): number {
  return input + 1.25 * cacheCreation5m + 2 * cacheCreation1h + 0.1 * cacheRead + outputPrice * output;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/** A run's price by its outputs: what a request reads before the first, and what a call and its output add. Tokens. */
interface Formula {
  readonly base: number;
  readonly perCall: number;
  readonly perCharacter: number;
  /** Output tokens of a request. */
  readonly said: number;
}

interface Fitted {
  readonly played: Played;
  readonly sizes: readonly number[];
}

/** Least squares of what was written by calls and characters; then the base that explains what was read. */
function fit(runs: readonly Fitted[]): Formula {
  const rows = runs.map(({ sizes, played }) => ({
    calls: sizes.length,
    characters: sizes.reduce((sum, size) => sum + size, 0),
    written: played.usage.cacheCreation5m + played.usage.cacheCreation1h,
  }));
  const sum = (of: (each: (typeof rows)[number]) => number) =>
    rows.reduce((total, each) => total + of(each), 0);
  const [cc, cx, xx] = [
    sum(({ calls }) => calls ** 2),
    sum(({ calls, characters }) => calls * characters),
    sum(({ characters }) => characters ** 2),
  ];
  const [cw, xw] = [
    sum(({ calls, written }) => calls * written),
    sum(({ characters, written }) => characters * written),
  ];
  const perCall = (cw * xx - xw * cx) / (cc * xx - cx ** 2);
  const perCharacter = (xw * cc - cw * cx) / (cc * xx - cx ** 2);
  const said = mean(runs.map(({ played }) => played.usage.output / played.requests));
  const bases = runs.map(({ played, sizes }) => {
    const grown = contexts({ base: 0, perCall, perCharacter, said }, 0, sizes);
    return (played.usage.cacheRead - grown.reduce((total, each) => total + each, 0)) / grown.length;
  });
  return { base: mean(bases), perCall, perCharacter, said };
}

/** What each request reads, from the first. @param from tokens that are there already, beyond the base */
function contexts(
  { base, perCall, perCharacter }: Formula,
  from: number,
  sizes: readonly number[],
): number[] {
  const read = [base + from];
  for (const size of sizes) read.push((read.at(-1) ?? 0) + perCall + perCharacter * size);
  return read;
}

function priceBy(formula: Formula, from: number, sizes: readonly number[]): number {
  const read = contexts(formula, from, sizes);
  const written = (read.at(-1) ?? 0) - (read[0] ?? 0);
  return (
    0.1 * read.reduce((sum, each) => sum + each, 0) +
    1.25 * written +
    outputPrice * formula.said * read.length
  );
}

/** A unit is a pair of whole runs, or a snapshot with its branches: its estimate of what the rule saves of a run, and its price. */
interface Unit {
  readonly saved: number;
  readonly cost: number;
}

/** Information per token: one over the variance that a token's worth of units leaves. */
function information(units: readonly Unit[]): number {
  return 1 / (variance(units.map(({ saved: each }) => each)) * mean(units.map(({ cost }) => cost)));
}

/** Calls of a course: the file is read or edited first, and each of `early` ends with the trigger. */
function callsOf(part: "early" | "late", sizes: readonly number[]): number[] {
  return part === "early" ? [10, ...sizes, 20] : [200, ...sizes];
}

function simulate(formula: Formula, at: number, spread: number, random: SeededRandom): void {
  const before = () => callsOf("early", outputs(at, earlySpread, random));
  const after = (hasRule: boolean) => callsOf("late", lateOutputs(at, hasRule, random, spread));
  const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);
  const pairs = times(simulated, () => {
    const [without, withRule] = [false, true].map((hasRule) => {
      const [early, late] = [before(), after(hasRule)];
      const all = priceBy(formula, 0, [...early, ...late]);
      return { all, fromTrigger: all - priceBy(formula, 0, early) };
    });
    const saved = (of: "all" | "fromTrigger") => (without?.[of] ?? 0) - (withRule?.[of] ?? 0);
    const cost = (without?.all ?? 0) + (withRule?.all ?? 0);
    return { whole: { saved: saved("all"), cost }, counted: { saved: saved("fromTrigger"), cost } };
  });
  const wholes: Unit[] = pairs.map(({ whole }) => whole);
  const counted = information(pairs.map((pair) => pair.counted)) / information(wholes);
  const ratios = branchCounts.map((count) => {
    const units = times(Math.ceil(simulated / count), (): Unit => {
      const sizes = before();
      const from = (contexts(formula, 0, sizes).at(-1) ?? 0) - formula.base;
      const side = (hasRule: boolean) =>
        times(count, () => priceBy(formula, from, [20, ...after(hasRule)])).reduce(
          (sum, each) => sum + each,
          0,
        );
      const [without, withRule] = [side(false), side(true)];
      return { saved: (without - withRule) / count, cost: priceBy(formula, 0, sizes) + without + withRule };
    });
    return {
      ratio: information(units) / information(wholes),
      saved: mean(units.map(({ saved: each }) => each)),
    };
  });
  const saving = mean(wholes.map(({ saved: each }) => each));
  const bias = mean(ratios.map(({ saved: each }) => each)) / saving;
  console.log(
    `| ${at} of ${steps} | ${spread} | ${((200 * saving) / (mean(wholes.map(({ cost }) => cost)) + saving)).toFixed(1)} % | ${counted.toFixed(1)} | ${ratios.map(({ ratio }) => ratio.toFixed(1)).join(" | ")} | ${bias.toFixed(2)} |`,
  );
}

function row(name: string, played: readonly Played[]): void {
  const sum = played.reduce((total, { usage }) => addUsage(total, usage), noUsage);
  const each = (value: number) => Math.round(value / played.length).toLocaleString("en");
  const requests = (played.reduce((all, one) => all + one.requests, 0) / played.length).toFixed(1);
  const failed = played.reduce((all, one) => all + one.failed, 0);
  console.log(
    `| ${name} | ${played.length} | ${requests} | ${each(sum.input)} | ${each(sum.cacheCreation5m + sum.cacheCreation1h)} | ${each(sum.cacheRead)} | ${each(sum.output)} | ${each(price(sum))} | ${failed} |`,
  );
}

async function play(player: Player, name: string, at: number, random: SeededRandom): Promise<Fitted[]> {
  const fitted: Fitted[] = [];
  const rows: Record<string, Played[]> = {};
  const ways: readonly (Way | null)[] = [null, "memory", "prompt"];
  const titles = { memory: "branch, rule in the memory file", prompt: "branch, rule in the prompt" };
  const note = (title: string, played: Played) => (rows[title] ??= []).push(played);
  let [made, restored] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    for (const hasRule of [false, true]) {
      const course = {
        before: outputs(at, earlySpread, random),
        after: lateOutputs(at, hasRule, random),
      };
      const played = await player.whole(course, hasRule);
      note(`whole, ${hasRule ? "with" : "without"}`, played);
      const sizes = [...callsOf("early", course.before), ...callsOf("late", course.after)];
      fitted.push({ played, sizes });
    }
    const snapshot = await player.snapshot({ before: outputs(at, earlySpread, random) });
    note("up to the trigger", snapshot);
    for (const way of ways) {
      const branch = await player.branch(snapshot, { after: lateOutputs(at, way !== null, random) }, way);
      note(way === null ? "branch, without" : titles[way], branch);
      made += 1;
      if (branch.isRestored) restored += 1;
    }
  }
  console.log(`\nThe rule begins to matter ${name}, after ${at} of ${steps} steps\n`);
  console.log("| mean of | runs | requests | input | written | read | output | price | failed calls |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const [title, played] of Object.entries(rows)) row(title, played);
  console.log(`\nFolder as at the snapshot in ${restored} of ${made} branches.`);
  return fitted;
}

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
if (!installed.ok) throw new Error(installed.detail.text);
const model = await startCountingModel(3_600_000);
const scratch = await makeScratch();
try {
  const player = new Player(installed.value, model, scratch);
  const random = seededRandom(seed);
  console.log(`${rounds} rounds, seed ${seed}. Tokens; prices in tokens of plain input.`);
  // What all runs share is in the provider's cache.
  await player.whole({ before: [100], after: [100] }, false);
  await player.whole({ before: [100], after: [100] }, true);
  const fitted: Fitted[] = [];
  for (const [name, at] of Object.entries(scopes)) fitted.push(...(await play(player, name, at, random)));
  const formula = fit(fitted);
  const off = fitted.map(({ played, sizes }) => priceBy(formula, 0, sizes) / price(played.usage) - 1);
  console.log(
    `\nA run's price by formula is off by ${(100 * mean(off)).toFixed(1)} % in the mean of ${fitted.length} whole runs, by ${(100 * Math.sqrt(variance(off))).toFixed(1)} % in one (${JSON.stringify(formula)}).`,
  );
  console.log(
    `\nInformation per token, over that of whole runs: of whole runs whose tokens are counted from the trigger on, and of branches; ${simulated} simulated pairs\n`,
  );
  console.log(
    `| trigger after | spread after it | rule saves | whole runs, counted from the trigger | ${branchCounts.map((count) => `${count} a side`).join(" | ")} | found saving, of the true one |`,
  );
  console.log(`|---|---|---|---|${"---|".repeat(branchCounts.length)}---|`);
  for (const at of Object.values(scopes))
    for (const spread of lateSpreads) simulate(formula, at, spread, random);
  const times = await player.edits();
  console.log(
    `\nFailed edits of a file that was read before the trigger: ${times.kept} in a branch whose files keep their times, ${times.lost} in one whose files do not.`,
  );
  if (model.failures.length > 0) throw new Error(model.failures.join("\n"));
} finally {
  await model.close();
  await scratch.remove();
}
