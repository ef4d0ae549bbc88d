import { markName } from "../drivers/kept-environment.ts";
import { systemProcesses, type ProcessTable } from "./process-table.ts";

/** Sweeps until it is given up: about five seconds. What is killed ends in milliseconds, on a starved machine in tenths of a second. */
const mostSweeps = 400;
/** A program that takes longer to load, about two seconds, waits for something else. Looks. */
const mostLooks = 200;
/** Processes looked at side by side. */
const beside = 32;

/**
 * Kills every process of this user that has a mark in its environment that begins so: what an agent began in a group of its own, and what
 * a bench that was killed left running. It returns when they have ended and can have begun no others. Linux alone tells a process's
 * environment without asking another program; elsewhere an agent's group is all that is ended.
 *
 * A process that both leaves its group and drops its environment is not found.
 *
 * @returns ids of those that did not end: the system keeps them, or they are not ours to end
 */
export async function endMarked(
  mark: string,
  processes: ProcessTable | null = systemProcesses(),
): Promise<readonly number[]> {
  if (processes === null) return [];
  const hunt = new Hunt(`${markName}=${mark}`, processes);
  for (let sweeps = 0; sweeps < mostSweeps; sweeps += 1) {
    if (sweeps > 0) await processes.rest();
    if (await hunt.isOver()) break;
  }
  return hunt.left;
}

/**
 * Looks at all processes again and again. A process that is seen and killed begins no others from then on, but may have begun one after
 * the list was made; so may one that ended by itself before it was looked at. A sweep without any of these proves that none is left.
 */
class Hunt {
  readonly #wanted: string;
  readonly #processes: ProcessTable;
  /** They are not of the run, or cannot begin anything any more: one look is enough. */
  readonly #settled = new Set<number>();
  readonly #killed = new Set<number>();
  readonly #spared = new Set<number>();
  /** Looks at each process that is loading. */
  readonly #looks = new Map<number, number>();

  /** @param wanted how the entry in the environment begins */
  constructor(wanted: string, processes: ProcessTable) {
    this.#wanted = wanted;
    this.#processes = processes;
  }

  /** Those that were still there in the last sweep. */
  get left(): readonly number[] {
    return [...this.#killed, ...this.#spared];
  }

  /** Makes one sweep. Says whether it proved that nothing is left. */
  async isOver(): Promise<boolean> {
    const ids = await this.#processes.ids();
    const there = new Set(ids);
    for (const id of this.#killed) if (!there.has(id)) this.#killed.delete(id);
    const unknown = ids.filter((id) => !this.#settled.has(id));
    let isOver = true;
    for (let from = 0; from < unknown.length; from += beside) {
      const proofs = await Promise.all(unknown.slice(from, from + beside).map((id) => this.#isHarmless(id)));
      isOver &&= proofs.every((isHarmless) => isHarmless);
    }
    return isOver;
  }

  /** False where it is of the run, or may be, or may have begun another since it was listed. */
  async #isHarmless(id: number): Promise<boolean> {
    const seen = await this.#processes.look(id);
    const wasKilled = this.#killed.has(id);
    switch (seen.kind) {
      case "running":
        return !seen.environment.some((entry) => entry.startsWith(this.#wanted))
          ? this.#settle(id)
          : this.#kill(id);
      case "loading": {
        const looks = (this.#looks.get(id) ?? 0) + 1;
        this.#looks.set(id, looks);
        return looks >= mostLooks && this.#settle(id);
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
