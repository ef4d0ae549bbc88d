import { sentence } from "../../base/language.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { configurationHash, type Configuration } from "../configuration.ts";
import { fileChangeSchema, type FileChange, type TrajectoryTurn } from "./stored-trajectory.ts";

/**
 * A recording: runs of one task that can be replayed without a model, in one JSON file, `<recordings>/<agent>/<task id>.json`.
 *
 * ```
 * { "format": 1, "agent": "sql", "task": "sql-01", "taskHash": "…", "by": "script", "model": "claude-sonnet-4-6",
 *   "outcomes": [[{ "path": "src/a.ts", "text": "…" }], []],         files changed by each distinct outcome
 *   "sides": [{ "label": "plain", "when": {},                       the configurations it applies to
 *     "runs": [{ "outcome": 0,                                       round 1: index of `outcomes`
 *       "turns": [[1200, 31, 85, 2411, 0, 14000, [["Read", "src/a.ts"]]]] }] }] }
 * ```
 *
 * A turn is milliseconds since the run's start, then tokens: input, output, cache creation for 5 minutes and for an hour, cache read; then
 * the calls, each a tool and its target. `by` is how it was made: `script`, or a model's name. Every replay names it. Round n replays run
 * n, starting over after the last.
 */

const count = z.int().check(z.nonnegative());
const call = z.tuple([
  z.string().check(z.minLength(1), z.maxLength(200)),
  z.nullable(z.string().check(z.maxLength(400))),
]);
const turn = z.tuple([count, count, count, count, count, count, z.array(call)]);

const when = z.object({
  /** Exactly this configuration. */
  configurationHash: z.optional(z.string()),
  /** Any configuration with this text in its memory. */
  memoryHas: z.optional(z.string().check(z.minLength(1))),
});

const recordingSchema = z.object({
  format: z.literal(1),
  agent: z.string().check(z.minLength(1)),
  task: z.string().check(z.minLength(1)),
  taskHash: z.string().check(z.minLength(1)),
  by: z.string().check(z.minLength(1), z.maxLength(200)),
  /** The model whose figures the recording holds or imitates. */
  model: z.string().check(z.minLength(1)),
  outcomes: z.array(z.array(fileChangeSchema)).check(z.minLength(1)),
  sides: z
    .array(
      z.object({
        label: z.string().check(z.minLength(1)),
        when,
        runs: z
          .array(z.object({ outcome: count, turns: z.array(turn).check(z.minLength(1)) }))
          .check(z.minLength(1)),
      }),
    )
    .check(z.minLength(1)),
});
export type Recording = z.infer<typeof recordingSchema>;

export interface RecordedRun {
  readonly by: string;
  readonly turns: readonly TrajectoryTurn[];
  readonly changes: readonly FileChange[];
}

export function readRecording(text: string): Recording | null {
  return readJson(recordingSchema, text);
}

/**
 * Loads all recordings in a folder, by task. Fails with the name of a file that is not a recording. Empty for
 * a missing folder.
 */
export async function loadRecordings(
  folder: string,
): Promise<Result<ReadonlyMap<string, Recording>, "damaged">> {
  const found = new Map<string, Recording>();
  for (const file of await filesIn(folder)) {
    const recording = readRecording(await readFile(file, "utf8"));
    if (recording === null) return fail("damaged", sentence("{0} is no recording", file));
    found.set(recording.task, recording);
  }
  return succeed(found);
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json"));
    return files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

type Side = Recording["sides"][number];

/** Returns the side that matches a configuration most exactly, or undefined. */
export function sideFor(recording: Recording, configuration: Configuration): Side | undefined {
  const hash = configurationHash(configuration);
  const fits = recording.sides.filter(
    ({ when: { configurationHash: exact, memoryHas } }) =>
      (exact === undefined || exact === hash) &&
      (memoryHas === undefined || configuration.memory?.includes(memoryHas) === true),
  );
  return fits.toSorted((one, other) => exactness(other) - exactness(one))[0];
}

function exactness({ when: { configurationHash: exact, memoryHas } }: Side): number {
  return (exact === undefined ? 0 : 1_000_000) + (memoryHas?.length ?? 0);
}

/** Returns the recorded run to replay for a round. @param round from 1 */
export function recordedRun(recording: Recording, side: Side, round: number): RecordedRun | undefined {
  const run = side.runs[(round - 1) % side.runs.length];
  if (run === undefined) return undefined;
  const { by, outcomes } = recording;
  return { by, changes: outcomes[run.outcome] ?? [], turns: run.turns.map(turnOf) };
}

function turnOf([at, input, output, cacheCreation5m, cacheCreation1h, cacheRead, calls]: z.infer<
  typeof turn
>) {
  return {
    at,
    usage: { input, output, cacheCreation5m, cacheCreation1h, cacheRead },
    calls: calls.map(([tool, target]) => ({ tool, target, isError: false })),
    text: null,
    isSidechain: false,
  };
}
