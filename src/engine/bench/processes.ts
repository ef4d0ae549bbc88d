import { setImmediate as turn } from "node:timers/promises";
import { sentence, type Sentence } from "../base/language.ts";
import { cacheCreation } from "../usage/token-counts.ts";
import type { ProgramEnd } from "./execute/run-program.ts";
import type { AgentEnd, AgentTask, Trajectory } from "./drivers/driver.ts";
import { markName } from "./drivers/run-environment.ts";
import { systemProcesses, type ProcessTable } from "./execute/process-table.ts";

export { runProgram, type ProgramEnd } from "./execute/run-program.ts";

/** Sweeps before giving up: about five seconds. A killed process ends in milliseconds, on a starved machine in tenths of a second. */
const maxSweeps = 400;
/** Checks of a loading process before it is ignored, about two seconds: a program that loads for longer waits for something else. */
const maxChecks = 200;
/** Processes checked before anything else of this program gets a turn. */
const beside = 32;

/**
 * Kills every process of this user whose mark in the environment starts with the given one: processes that an agent started in a group of
 * their own, and leftovers of a killed bench. Returns when they have ended and can have started no others. Only Linux shows a process's
 * environment without the help of another program; elsewhere only the agent's process group is ended.
 *
 * A process that both leaves its group and drops its environment is not found.
 *
 * @returns ids of those that did not end: the system keeps them alive, or this user may not end them
 */
export async function killMarked(
  mark: string,
  processes: ProcessTable | null = systemProcesses(),
): Promise<readonly number[]> {
  if (processes === null) return [];
  const hunt = new Hunt(`${markName}=${mark}`, processes);
  for (let sweeps = 0; sweeps < maxSweeps; sweeps += 1) {
    if (sweeps > 0) await processes.rest();
    if (await hunt.isOver()) break;
  }
  return hunt.left;
}

/**
 * Checks all processes repeatedly. A killed process starts no others, but may have started one after the list
 * was made. So may a process that ended by itself before its check. A sweep without either proves that none
 * is left.
 */
class Hunt {
  readonly #wanted: string;
  readonly #processes: ProcessTable;
  /** Unrelated to the run, or unable to start anything: checked only once. */
  readonly #settled = new Set<number>();
  readonly #killed = new Set<number>();
  readonly #spared = new Set<number>();
  /** Number of checks of each process that is loading. */
  readonly #checks = new Map<number, number>();

  /** @param wanted the prefix of the entry in the environment */
  constructor(wanted: string, processes: ProcessTable) {
    this.#wanted = wanted;
    this.#processes = processes;
  }

  get left(): readonly number[] {
    return [...this.#killed, ...this.#spared];
  }

  /** Makes one sweep and returns whether it proved that nothing is left. */
  async isOver(): Promise<boolean> {
    const ids = await this.#processes.ids();
    const there = new Set(ids);
    for (const id of this.#killed) if (!there.has(id)) this.#killed.delete(id);
    const unknown = ids.filter((id) => !this.#settled.has(id));
    let isOver = true;
    for (let from = 0; from < unknown.length; from += beside) {
      await turn();
      const proofs = await Promise.all(unknown.slice(from, from + beside).map((id) => this.#isHarmless(id)));
      isOver &&= proofs.every((isHarmless) => isHarmless);
    }
    return isOver;
  }

  /** Returns false if the process belongs or may belong to the run, or may have started another since it was listed. */
  async #isHarmless(id: number): Promise<boolean> {
    const state = await this.#processes.inspect(id);
    const wasKilled = this.#killed.has(id);
    switch (state.kind) {
      case "running":
        return !state.environment.some((entry) => entry.startsWith(this.#wanted))
          ? this.#settle(id)
          : this.#kill(id);
      case "loading": {
        const checks = (this.#checks.get(id) ?? 0) + 1;
        this.#checks.set(id, checks);
        return checks >= maxChecks && this.#settle(id);
      }
      case "ending":
        if (!wasKilled) this.#settle(id);
        return false;
      case "ended":
        this.#settle(id);
        return wasKilled;
      case "gone":
        this.#killed.delete(id);
        return wasKilled;
    }
  }

  #settle(id: number): true {
    this.#settled.add(id);
    this.#killed.delete(id);
    return true;
  }

  #kill(id: number): boolean {
    if (this.#processes.kill(id)) {
      this.#killed.add(id);
      return false;
    }
    this.#spared.add(id);
    return this.#settle(id);
  }
}

/** Interval at which a running transcript is read. Milliseconds. */
const interval = 250;

/** Returns a run's processing tokens: input, output and cache creation. */
export function processingOf({ usage }: Pick<Trajectory, "usage">): number {
  return usage.input + usage.output + cacheCreation(usage);
}

/**
 * Runs an agent's program within the limits of its task, and watches its transcript. Afterwards no process of
 * the run is left.
 * @param readProgress reads the new lines
 */
export async function runWithin(
  task: Pick<AgentTask, "limits" | "signal" | "mark" | "onTrajectory">,
  readProgress: () => Trajectory,
  run: (within: { timeout: number; signal: AbortSignal }) => Promise<ProgramEnd>,
): Promise<{ readonly ended: ProgramEnd; readonly limit: AgentEnd | null }> {
  const { limits } = task;
  const over = new AbortController();
  let limit: AgentEnd | null = null;
  const watch = () => {
    const trajectory = readProgress();
    task.onTrajectory(trajectory);
    const passed = passedLimit(trajectory, limits);
    if (passed === null || limit !== null) return;
    limit = { kind: "limit", detail: passed };
    over.abort();
  };
  const timer = setInterval(watch, interval);
  try {
    const signal = AbortSignal.any([task.signal, over.signal]);
    const ended = await run({ timeout: limits.time, signal });
    watch();
    if (ended.how === "timeout")
      limit ??= { kind: "limit", detail: sentence("time: {0} s", limits.time / 1000) };
    return { ended, limit };
  } finally {
    clearInterval(timer);
    await killMarked(task.mark);
  }
}

function passedLimit(trajectory: Trajectory, limits: AgentTask["limits"]): Sentence | null {
  if (processingOf(trajectory) > limits.tokens) return sentence("tokens: {0}", limits.tokens);
  return trajectory.turns > limits.turns ? sentence("turns: {0}", limits.turns) : null;
}
