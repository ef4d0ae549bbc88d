import { writeFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import type { AgentResult, AgentTask, Driver } from "../../src/engine/bench/drivers/driver.ts";
import type { GoldenTask, Suite } from "../../src/engine/bench/suite/suite.ts";
import type { TrajectoryTurn } from "../../src/engine/bench/state/stored-trajectory.ts";
import { succeed } from "../../src/engine/base/result.ts";
import { sha256Hex } from "../../src/engine/base/hash.ts";
import { addUsage, noUsage } from "../../src/engine/usage/token-counts.ts";
import { seededRandom } from "../engine/support/seeded-random.ts";
import type { StoryClock } from "./clock.ts";
import { effectOf } from "./effects.ts";

const count = z.number();
const turn = z.tuple([count, count, count, count, count, count, z.array(z.tuple([z.string(), z.string()]))]);
const recording = z.object({
  outcomes: z.array(z.array(z.object({ path: z.string(), text: z.string().nullable() }))).min(1),
  sides: z.array(z.object({ runs: z.array(z.object({ turns: z.array(turn).min(1) })).min(1) })).min(1),
});

/** Lies outside of the copy, so that no change of the project tells whether a run passed. */
const doneFile = "done";

/** The suite, with checks that only ask whether the made-up agent did its work. */
export function withStoryChecks(suite: Suite): Suite {
  const check = `test -e ../tmp/${doneFile}`;
  return { ...suite, tasks: suite.tasks.map((task) => ({ ...task, check, checkFiles: [] })) };
}

/**
 * A made-up agent: what a run takes and whether it passes is drawn from its configuration's effect, by a seed of the run's own place in
 * its bench. Its turns are a golden recording's, scaled.
 */
export function storyDriver(suite: Suite, clock: StoryClock): Driver {
  return {
    name: "claude",
    recordedBy: () => [],
    expected: () => null,
    ready: () => Promise.resolve(succeed(null)),
    run: (asked) => play(suite, clock, asked),
  };
}

async function play(suite: Suite, clock: StoryClock, asked: AgentTask): Promise<AgentResult> {
  const { task, configuration, round, folders } = asked;
  const { outcomes, sides } = await recordingOf(suite, task);
  const effect = effectOf(configuration, task.id);
  const luck = seededRandom(
    Number.parseInt(
      sha256Hex(JSON.stringify([task.id, round, clock.now(), { ...configuration, label: "" }])).slice(0, 12),
      16,
    ),
  );
  const spread = Math.exp(0.14 * luck.normal());
  const isPassed = luck.next() < effect.passes;
  const runs = sides.flatMap((side) => side.runs);
  const recorded = runs[luck.below(runs.length)]?.turns ?? [];
  const scale = effect.tokens * spread;
  const turns = recorded.map((each): TrajectoryTurn => {
    const [at, input, output, cacheCreation5m, cacheCreation1h, cacheRead, calls] = each;
    const usage = { input, output, cacheCreation5m, cacheCreation1h, cacheRead };
    const scaled = Object.fromEntries(
      Object.entries(usage).map(([key, value]) => [key, Math.round(value * scale)]),
    );
    return {
      at: Math.round((at * scale) / 10) * 10,
      usage: { ...usage, ...scaled },
      calls: calls.map(([tool, target]) => ({ tool, target, isError: false })),
      text: null,
      isSidechain: false,
    };
  });
  clock.pass((turns.at(-1)?.at ?? 0) + 2000);
  if (isPassed) {
    for (const { path: file, text } of outcomes[0] ?? []) await change(path.join(folders.copy, file), text);
    await writeFile(path.join(folders.temporary, doneFile), "");
  }
  const usage = turns.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
  const trajectory = {
    sessionId: null,
    usage,
    turns: turns.length,
    toolCalls: turns.reduce((sum, { calls }) => sum + calls.length, 0),
    tool: null,
    filesReread: rereadIn(turns),
  };
  if (turns.length === 0) throw new Error(`${task.id} has no recorded turns`);
  return { end: { kind: "ended" }, trajectory, recordedBy: null, turns };
}

async function recordingOf(suite: Suite, { agent, id }: GoldenTask) {
  const file = path.join(suite.folder, "recordings", agent, `${id}.json`);
  return recording.parse(JSON.parse(await readFile(file, "utf8")));
}

async function change(file: string, text: string | null): Promise<void> {
  if (text === null) return;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

function rereadIn(turns: readonly TrajectoryTurn[]): number {
  const reads = turns.flatMap(({ calls }) =>
    calls.flatMap(({ tool, target }) => (tool === "Read" ? [target] : [])),
  );
  return new Set(reads.filter((target, index) => reads.indexOf(target) !== index)).size;
}
