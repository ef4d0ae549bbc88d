import path from "node:path";
import * as z from "zod/mini";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { sentence, type Sentence } from "../base/language.ts";
import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { makeFolder } from "../base/files.ts";
import { readJson } from "../base/parse.ts";
import { errorCode } from "../base/result.ts";
import { benchRunSchema, type BenchRun } from "../bench/run-facts.ts";
import { readStoredTrajectory, type StoredTrajectory } from "../bench/execute.ts";
import { changeView } from "./file-change.ts";
import { isUnderWay } from "./compare-answers.ts";
import {
  anyAsk,
  benchId,
  benchPlan,
  jobOutline,
  jobState,
  type FileChangeView,
  type JobOrder,
  type RunPage,
} from "./bench-answers.ts";
import { compareView } from "./answers/compare.ts";
import { writePrivateFile } from "../base/private-files.ts";
import { selectView } from "./answers/select.ts";
import { wakeProgress } from "./answers/wake.ts";

/** Times in milliseconds since the epoch. */
const storedJob = z.object({
  version: z.literal(1),
  id: benchId,
  ask: anyAsk,
  project: z.nullable(z.string()),
  state: jobState,
  at: z.number(),
  startedAt: z.nullable(z.number()),
  endedAt: z.nullable(z.number()),
  /** By agent, as active when the job started; also used on resume. Null until then. */
  memories: z.nullable(z.record(z.string(), z.object({ label: sentenceSchema, text: z.string() }))),
  /** Null until known. */
  plan: z.nullable(benchPlan),
  outline: z.nullable(jobOutline),
  runs: z.array(benchRunSchema),
  selection: z.optional(selectView),
  comparison: z.optional(compareView),
  wake: z.optional(wakeProgress),
});
export type StoredJob = Readonly<z.infer<typeof storedJob>>;

export type MeasuringJob = StoredJob & { readonly ask: JobOrder };
export function isMeasuring(job: StoredJob): job is MeasuringJob {
  return job.ask.kind !== "wake";
}

const fileName = "job.json";
/** Enough for more than ten thousand runs. Bytes. */
const maxFileSize = 16 * 1024 * 1024;

/** Each in its own folder, next to the output of its runs. */
export interface JobStore {
  /** Oldest first. One under way is returned as interrupted: its process has ended. */
  load(): readonly StoredJob[];
  /** Throws the system's error. */
  write(job: StoredJob): void;
  /** A folder that cannot be removed stays. */
  remove(id: string): void;
  trajectory(run: BenchRun): RunPage["trajectory"];
  /** `file` is a path in the run's copy. Null if nothing of it was stored. */
  change(run: BenchRun, file: string): FileChangeView | null;
}

/** `onProblem` receives a message about each unreadable job, which is left out. */
export function jobStore(folder: string, onProblem: (message: Sentence) => void): JobStore {
  const storedRunOf = (run: BenchRun) => {
    const file = path.resolve(folder, run.benchId, run.trajectory ?? "");
    if (run.trajectory === null || !file.startsWith(folder + path.sep)) return null;
    return readStoredTrajectory(readText(file, onProblem) ?? "");
  };
  return {
    load() {
      const names = namesIn(folder).filter((name) => benchId.safeParse(name).success);
      const jobs = names.flatMap((name) => readJob(path.join(folder, name, fileName), name, onProblem));
      return jobs.toSorted((one, other) => one.at - other.at);
    },
    write(job) {
      const own = path.join(folder, job.id);
      makeFolder(own, 0o700);
      writePrivateFile(path.join(own, fileName), `${JSON.stringify(job)}\n`);
    },
    remove(id) {
      try {
        rmSync(path.join(folder, id), { recursive: true, force: true });
      } catch (error) {
        onProblem(sentence("{0} cannot be removed: {1}", path.join(folder, id), errorCode(error)));
      }
    },
    trajectory(run) {
      const storedRun = storedRunOf(run);
      return storedRun === null ? null : timelineOf(storedRun, run);
    },
    change(run, filePath) {
      const change = storedRunOf(run)?.changes.find((each) => each.path === filePath);
      return change === undefined ? null : changeView(path.join(folder, run.benchId), run.taskId, change);
    },
  };
}

/** Adds a run. It replaces the one it repeats, which was not evidence. */
export function withRun(runs: readonly BenchRun[], run: BenchRun): BenchRun[] {
  // A selection has a bench for each rule.
  const isSame = ({ benchId: bench, side, taskId, round }: BenchRun) =>
    bench === run.benchId && side === run.side && taskId === run.taskId && round === run.round;
  return [...runs.filter((one) => !isSame(one)), run];
}

function readJob(file: string, name: string, onProblem: (message: Sentence) => void): StoredJob[] {
  const text = readText(file, onProblem);
  // A bench run from the terminal has no job.
  if (text === null) return [];
  const job = readJson(storedJob, text);
  if (job?.id !== name) {
    onProblem(sentence("{0} is not what purser writes; it is left out", file));
    return [];
  }
  const detail = sentence("The service ended while it was under way.");
  return [isUnderWay(job.state) ? { ...job, state: { kind: "interrupted", detail } } : job];
}

function readText(file: string, onProblem: (message: Sentence) => void): string | null {
  try {
    return statSync(file).size > maxFileSize ? "" : readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") onProblem(sentence("{0} cannot be read: {1}", file, errorCode(error)));
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Each turn with the time until the next one or the end. */
function timelineOf(
  { turns, changes, checkOutput }: StoredTrajectory,
  { durationMs, driver }: Pick<BenchRun, "durationMs" | "driver">,
): NonNullable<RunPage["trajectory"]> {
  return {
    turns: turns.map(({ at, usage, calls, text, isSidechain }, index) => {
      // A replay's end was measured by another clock.
      const end = driver === "replay" ? null : durationMs;
      const next = index + 1 < turns.length ? (turns[index + 1]?.at ?? null) : end;
      const { input, output, cacheCreation5m, cacheCreation1h } = usage;
      return {
        turn: index + 1,
        isSidechain,
        at,
        usage,
        text,
        ms: at === null || next === null ? null : Math.max(0, next - at),
        processingTokens: input + output + cacheCreation5m + cacheCreation1h,
        calls: [...calls],
      };
    }),
    changes: changes.map(({ path, text }) => ({ path, isRemoved: text === null })),
    checkOutput,
  };
}
