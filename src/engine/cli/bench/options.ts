import { sentence, type Sentence } from "../../base/language.ts";
import { readTokenAmount } from "../../base/format.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, errorCode } from "../../base/result.ts";
import type { Shard } from "../../bench/bench-request.ts";
import { driverNames, type DriverName } from "../../bench/run-facts.ts";
import type { GoldenAgent, Suite } from "../../bench/suite.ts";
import {
  choiceIn,
  flag,
  number,
  numberIn,
  oneOf,
  option,
  quoted,
  type ParsedOptions,
  wrongUsage,
} from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { suiteOptions } from "./golden/target.ts";

/** A number of runs. */
const count = { from: 1, to: 9999 };
const tokenForm = "tokens such as 500000, 500k or 1.5M";

const replayNote = "replay is a free demo with recordings: it says nothing about a model";

export const driverOption = oneOf(
  driverNames,
  "D",
  `claude, codex or replay (default: the first agent that is ready). ${replayNote}`,
);
export const budgetOption = {
  ...option("T", tokenForm, "spend at most T tokens, such as 500k or 1.5M"),
  accepts: (text: string) => tokensOf(text) !== undefined,
};
export const effortForm = "low, medium, high, or another level of the agent";
export const parallelOption = number(
  "N",
  "runs at the same time, at most: fewer while the processors are busy (default: 1)",
  count,
);
export const runsOption = (does: string) => number("N", does, count);
export const modelOption = (does: string) => option("M", "a model's name", does);
export const memoryOption = (does: string) => option("FILE", "a file, or none", does, "file");
export const yesOption = flag("start without asking; needed in scripts");

export const benchOptions = {
  agent: option("A", "an agent's name, or all", "same as AGENT", "agents"),
  task: option("ID", "task IDs, comma-separated", "only these tasks, comma-separated"),
  runs: runsOption("runs of each task (default: 3)"),
  model: modelOption("model to use (default: the one in the agent's definition)"),
  effort: option("E", effortForm, "how hard the model thinks"),
  memory: memoryOption("MEMORY.md to run with, or none (default: each agent's active rules)"),
  driver: driverOption,
  budget: budgetOption,
  parallel: parallelOption,
  seed: number(
    "S",
    "random seed for the order of runs; the same seed and options continue a stopped benchmark",
    { from: 0, to: 999_999_999 },
  ),
  shard: {
    ...option("I/N", "a part such as 1/3", "run part I of N, for several machines; needs --seed"),
    accepts: (text: string) => shardOf(text) !== undefined,
  },
  ...suiteOptions,
  resume: { value: "a bench's id" },
  plan: flag("show the plan and exit"),
  yes: yesOption,
  json: flag("print JSON (schema: media/schemas/bench.schema.json); progress goes to standard error"),
  junit: option("FILE", "a file", "also write the runs as JUnit XML", "file"),
};

export interface BenchRequest {
  readonly agent: string;
  readonly tasks: readonly string[] | null;
  readonly runs: number;
  readonly model: string | null;
  readonly effort: string | null;
  /** Replaces the active rules; a null text means no memory. Null if not given. */
  readonly memory: { readonly label: Sentence; readonly text: string | null } | null;
  /** Null for the first driver that is ready. */
  readonly driver: DriverName | null;
  readonly tokenCap: number | null;
  readonly parallel: number;
  readonly shard: Shard | null;
  /** Null for a random one. */
  readonly seed: number | null;
}

type Asked<Value> = Result<Value, "bad_argument">;

export async function readBenchOptions(
  options: ParsedOptions,
  { cwd }: Pick<CliHost, "cwd">,
): Promise<Asked<BenchRequest>> {
  const shard = shardOf(options.value("shard") ?? "") ?? null;
  const seed = numberIn(options, "seed");
  const memory = await memoryOf(options.value("memory"), cwd);
  if (!memory.ok) return memory;
  if (shard !== null && seed === null)
    return wrongUsage(sentence("--shard needs --seed: all shards of a benchmark use the same one"));
  return succeed({
    agent: options.value("agent") ?? "all",
    tasks:
      options
        .value("task")
        ?.split(",")
        .map((task) => task.trim()) ?? null,
    runs: numberIn(options, "runs") ?? 3,
    parallel: numberIn(options, "parallel") ?? 1,
    tokenCap: tokensOf(options.value("budget") ?? "") ?? null,
    shard,
    seed,
    driver: choiceIn(options, "driver", driverNames) ?? null,
    memory: memory.value,
    model: options.value("model") ?? null,
    effort: options.value("effort") ?? null,
  });
}

function tokensOf(text: string): number | undefined {
  const tokens = readTokenAmount(text) ?? 0;
  return tokens >= 1 && tokens <= 1e12 ? tokens : undefined;
}

function shardOf(text: string): Shard | undefined {
  const [, index = "0", of = "0"] = /^(\d{1,3})\/(\d{1,3})$/u.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  return shard.index >= 1 && shard.index <= shard.of ? shard : undefined;
}

async function memoryOf(file: string | undefined, cwd: string): Promise<Asked<BenchRequest["memory"]>> {
  if (file === undefined) return succeed(null);
  if (file === "none") return succeed({ label: sentence("without memory"), text: null });
  try {
    const text = await readFile(path.resolve(cwd, file), "utf8");
    return succeed({ label: sentence("with {name}", { name: path.basename(file) }), text });
  } catch (error) {
    return wrongUsage(sentence("--memory: {0} cannot be read ({1})", file, errorCode(error)));
  }
}

export interface ChosenTasks {
  readonly agents: readonly GoldenAgent[];
  readonly taskIds: readonly string[];
}

export function chosenTasks(
  given: Pick<BenchRequest, "agent" | "tasks">,
  suite: Pick<Suite, "folder" | "agents" | "tasks">,
): Asked<ChosenTasks> {
  const names = suite.agents.map(({ name }) => name);
  if (given.agent !== "all" && !names.includes(given.agent))
    return wrongUsage(
      sentence("there is no agent {0}; there are {1}, or all", quoted(given.agent), names.join(", ")),
    );
  const unknown = given.tasks?.find((task) => !suite.tasks.some(({ id }) => id === task));
  if (unknown !== undefined)
    return wrongUsage(sentence("there is no task {0}; see purser golden list", quoted(unknown)));
  const tasks = suite.tasks.filter(
    ({ id, agent }) =>
      (given.tasks?.includes(id) ?? true) && (given.agent === "all" || given.agent === agent),
  );
  const agents = suite.agents.filter(({ name }) => tasks.some(({ agent }) => agent === name));
  if (suite.tasks.length === 0)
    return wrongUsage(
      sentence(
        "the suite in {0} has no finished task yet; purser golden list shows what is missing, and --suite built-in uses purser's own suite",
        suite.folder,
      ),
    );
  if (agents.length === 0) return wrongUsage(sentence("none of these tasks belongs to that agent"));
  return succeed({ agents, taskIds: tasks.map(({ id }) => id) });
}
