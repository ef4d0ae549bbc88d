import path from "node:path";
import { mkdir } from "node:fs/promises";
import * as z from "zod/mini";
import { nodeFiles, textIfThere, writeAtomically } from "../../../base/files.ts";
import { sha256Hex } from "../../../base/hash.ts";
import { takeLock, type LockPorts } from "../../../base/lock.ts";
import { readJson } from "../../../base/parse.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { sentence } from "../../../base/language.ts";
import { removeLeftovers } from "../../execute/workspace.ts";
import type { HistoryCommit } from "./commits.ts";
import { historyReasons, type HistoryOutcome } from "./history-outcome.ts";
import { namedCommit, type HistoryPlan } from "./plan-history.ts";
import { tryCommit, type TryPorts } from "./try-commit.ts";
import { writeTask, type TaskPlace } from "./write-task.ts";

export interface HistoryRequest extends TaskPlace {
  readonly plan: HistoryPlan;
  /** Tasks that are wanted, at most. */
  readonly wanted: number;
  /** Tries commits again that could not become tasks before. */
  readonly isAgain: boolean;
}

export interface HistoryPorts extends Omit<TryPorts, "workspace" | "prefix" | "onRun"> {
  readonly lock: Omit<LockPorts, "files">;
  readonly unique: () => string;
  /** Folder of what became of each commit: a later call continues. In purser's home. */
  readonly memory: string;
  readonly onProgress: (progress: HistoryProgress) => void;
}

export interface HistoryProgress {
  /** From 1. */
  readonly commit: number;
  readonly of: number;
  readonly subject: string;
  /** Runs of this commit's tests so far. */
  readonly runs: number;
  readonly tasks: number;
}

const stored = z.object({
  /** The command that runs the tests. With another command, each commit is tried again. */
  command: z.string(),
  outcomes: z.array(
    z.object({
      commit: z.string(),
      subject: z.string(),
      reason: z.enum(historyReasons),
      output: z.nullable(z.string()),
      file: z.nullable(z.string()),
    }),
  ),
});

/**
 * Makes tasks of a project's commits, the newest first, until there are as many as wanted. Each commit's result is
 * stored at once, so that a later call continues. Nothing but the suite's folder changes in the project.
 *
 * @returns the result of each tried commit; fewer if it was cancelled
 */
export async function draftHistory(
  { plan, wanted, isAgain, ...place }: HistoryRequest,
  ports: HistoryPorts,
): Promise<Result<readonly HistoryOutcome[], "in_use" | "outside_project">> {
  const { workspace } = place;
  const name = nameOf(workspace);
  const prefix = `purser-history-${name}-`;
  await mkdir(ports.memory, { recursive: true, mode: 0o700 });
  const lock = await takeLock({ folder: ports.memory, name }, { ...ports.lock, files: nodeFiles });
  if (!lock.ok)
    return fail("in_use", sentence("Another process is making tasks of this project: {0}", lock.detail));
  try {
    // This process holds the lock: they are left over from one that was killed.
    await removeLeftovers(ports.scratch, prefix);
    const file = fileOf(ports.memory, workspace);
    const command = JSON.stringify(ports.commands);
    const known = readJson(stored, await textIfThere(file));
    const before = known?.command === command && !isAgain ? known.outcomes : [];
    const outcomes: HistoryOutcome[] = [];
    const isTask = ({ reason }: HistoryOutcome) => reason === "task";
    for (const [index, commit] of plan.candidates.entries()) {
      const tasks = outcomes.filter(isTask).length;
      if (ports.signal.aborted || tasks >= wanted) break;
      let runs = 0;
      const report = () =>
        ports.onProgress({
          commit: index + 1,
          of: plan.candidates.length,
          subject: namedCommit(commit).subject,
          runs,
          tasks,
        });
      report();
      const onRun = () => {
        runs += 1;
        report();
      };
      // A task that is in the suite was excluded by the plan; one that is not was removed, and is made again.
      const earlier = before.find((each) => each.commit === commit.commit && !isTask(each));
      const outcome = earlier ?? (await outcomeOf(commit, place, { ...ports, workspace, prefix, onRun }));
      if (outcome === null) break;
      if ("ok" in outcome) return outcome;
      outcomes.push(outcome);
      const kept = [
        ...outcomes,
        ...before.filter((each) => !outcomes.some(({ commit: id }) => id === each.commit)),
      ];
      await writeAtomically(file, Buffer.from(`${JSON.stringify({ command, outcomes: kept })}\n`), {
        files: nodeFiles,
        unique: ports.unique,
      });
    }
    return succeed(outcomes);
  } finally {
    await lock.value.release();
  }
}

/** Returns what became of a project's commits so far, the newest first. Empty where none was tried. */
export async function readHistory({
  workspace,
  memory,
}: {
  readonly workspace: string;
  /** As in `HistoryPorts`. */
  readonly memory: string;
}): Promise<readonly HistoryOutcome[]> {
  return readJson(stored, await textIfThere(fileOf(memory, workspace)))?.outcomes ?? [];
}

function nameOf(workspace: string): string {
  return sha256Hex(path.resolve(workspace)).slice(0, 16);
}

function fileOf(memory: string, workspace: string): string {
  return path.join(memory, `${nameOf(workspace)}.json`);
}

/** Null if it was cancelled. */
async function outcomeOf(commit: HistoryCommit, place: TaskPlace, ports: TryPorts) {
  const tried = await tryCommit(commit, ports);
  if (tried.reason === "cancelled") return null;
  const named = namedCommit(commit);
  if (tried.reason !== "task") return { ...named, reason: tried.reason, output: tried.output, file: null };
  const written = await writeTask(tried.task, commit.commit, place);
  return written.ok ? { ...named, reason: "task" as const, output: null, file: written.value } : written;
}
