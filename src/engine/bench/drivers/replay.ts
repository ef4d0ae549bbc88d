import { sentence, type Sentence } from "../../base/language.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mean } from "../../base/numbers.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { addUsage, cacheCreation, noUsage } from "../../usage/token-counts.ts";
import type { Configuration } from "../configuration.ts";
import { isBelow } from "../execute/install-agent.ts";
import type { FileChange, TrajectoryTurn } from "../state/stored-trajectory.ts";
import type { ExpectedTokens } from "../plan.ts";
import { recordedRun, sideFor, type RecordedRun, type Recording } from "../state/recording.ts";
import type { AgentEnd, AgentResult, AgentTask, Driver, NotReady, Trajectory } from "./driver.ts";

export interface ReplayOptions {
  readonly recordings: ReadonlyMap<string, Recording>;
  /** Replay speed as a factor: 0 without waiting, 1 as recorded, 20 twenty times as fast. */
  readonly pace: number;
}

/**
 * Replays recorded runs: no model, no tokens spent, the same figures every time. The check really runs on the recorded changes.
 */
export class ReplayDriver implements Driver {
  readonly name = "replay";
  readonly #recordings: ReadonlyMap<string, Recording>;
  readonly #pace: number;

  constructor({ recordings, pace }: ReplayOptions) {
    this.#recordings = recordings;
    this.#pace = pace;
  }

  recordedBy(): readonly string[] {
    return [...new Set([...this.#recordings.values()].map(({ by }) => by))].sort();
  }

  ready(): Promise<Result<null, NotReady>> {
    const isEmpty = this.#recordings.size === 0;
    return Promise.resolve(
      isEmpty ? fail("no_recordings", sentence("There are no recordings to replay")) : succeed(null),
    );
  }

  expected(configurations: readonly Configuration[], taskIds: readonly string[]): ExpectedTokens | null {
    const groups = configurations.flatMap((configuration) =>
      taskIds.map((taskId) => this.#all(taskId, configuration).map(({ turns }) => sumOf(turns))),
    );
    const all = groups.flat();
    if (all.length === 0) return null;
    const tokens = groups.map((group) =>
      group.map((usage) => usage.input + usage.output + cacheCreation(usage)),
    );
    const perRun = mean(tokens.flat());
    const cacheReadPerRun = mean(all.map(({ cacheRead }) => cacheRead));
    const because = sentence("recorded runs ({0})", this.recordedBy().join(", "));
    return { perRun, cacheReadPerRun, spread: spreadOf(tokens) / perRun, source: "measured", because };
  }

  async run(task: AgentTask): Promise<AgentResult> {
    const recording = this.#recordings.get(task.task.id);
    const recorded = this.#find(recording, task);
    if (!recorded.ok) return nothing({ kind: "environment", detail: recorded.detail });
    const { turns, changes, by } = recorded.value;
    const done: TrajectoryTurn[] = [];
    for (const turn of turns) {
      if (!(await this.#wait((turn.at ?? 0) - (done.at(-1)?.at ?? 0), task.signal)))
        return {
          ...nothing({ kind: "cancelled" }),
          trajectory: trajectoryOf(done),
          turns: done,
          recordedBy: by,
        };
      done.push(turn);
      task.onTrajectory(trajectoryOf(done));
    }
    const refused = await apply(task.folders.copy, changes);
    const end: AgentEnd = refused === null ? { kind: "ended" } : { kind: "environment", detail: refused };
    return { end, trajectory: trajectoryOf(done), turns: done, recordedBy: by };
  }

  #find(recording: Recording | undefined, { task, configuration, round }: AgentTask): Result<RecordedRun> {
    if (recording?.agent !== task.agent)
      return fail("none", sentence("There is no recording of {0}", task.id));
    if (recording.taskHash !== task.hash)
      return fail(
        "other",
        sentence(
          "{0} was changed since it was recorded; npm run generate -- golden-recordings records it again",
          task.id,
        ),
      );
    const side = sideFor(recording, configuration);
    const run = side === undefined ? undefined : recordedRun(recording, side, round);
    return run === undefined
      ? fail("none", sentence("No recording of {0} is of this configuration", task.id))
      : succeed(run);
  }

  #all(taskId: string, configuration: Configuration): RecordedRun[] {
    const recording = this.#recordings.get(taskId);
    if (recording?.agent !== configuration.agent) return [];
    const side = sideFor(recording, configuration);
    return (side?.runs ?? []).flatMap((_, index) =>
      side === undefined ? [] : [recordedRun(recording, side, index + 1)].filter((run) => run !== undefined),
    );
  }

  /** Waits, and returns false if the run was cancelled. */
  async #wait(recordedMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#pace === 0 || signal.aborted) return !signal.aborted;
    try {
      await sleep(recordedMs / this.#pace, undefined, { signal });
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return false;
      throw error;
    }
  }
}

/**
 * Writes the recorded changes. A recording is untrusted too: it may only write below the copy. Returns the
 * problem, or null.
 */
async function apply(copy: string, changes: readonly FileChange[]): Promise<Sentence | null> {
  const outside = changes.find((change) => !isBelow(change.path));
  if (outside !== undefined)
    return sentence("the recording changes {0}, which is outside of the copy", outside.path);
  for (const { path: filePath, text } of changes) {
    const file = path.join(copy, filePath);
    if (text === null) await rm(file, { force: true });
    else {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  return null;
}

function trajectoryOf(turns: readonly TrajectoryTurn[]): Trajectory {
  const calls = turns.flatMap((turn) => turn.calls);
  const last = calls.at(-1);
  const reads = calls
    .filter(({ tool, target }) => tool === "Read" && target !== null)
    .map(({ target }) => target);
  return {
    sessionId: null,
    usage: sumOf(turns),
    turns: turns.filter(({ isSidechain }) => !isSidechain).length,
    toolCalls: calls.length,
    tool: last === undefined ? null : [last.tool, last.target ?? ""].join(" ").trim(),
    filesReread: new Set(reads.filter((file, index) => reads.indexOf(file) !== index)).size,
  };
}

function nothing(end: AgentEnd): AgentResult {
  return { end, trajectory: trajectoryOf([]), recordedBy: null, turns: [] };
}

function sumOf(turns: readonly TrajectoryTurn[]) {
  return turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

function spreadOf(groups: readonly (readonly number[])[]): number {
  let [squares, freedom] = [0, 0];
  for (const group of groups) {
    const center = mean(group);
    squares += group.reduce((sum, each) => sum + (each - center) ** 2, 0);
    freedom += Math.max(0, group.length - 1);
  }
  return freedom === 0 ? 0 : Math.sqrt(squares / freedom);
}
