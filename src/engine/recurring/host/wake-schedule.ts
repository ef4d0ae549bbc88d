import { compose, type Sentence } from "../../base/language.ts";
import type { Disposable } from "../../base/events.ts";
import type { AgentOverview } from "../wake/agent-overview.ts";

export interface SchedulePorts {
  /** The user wants the service to wake agents. */
  readonly isOn: () => boolean;
  readonly projects: () => readonly string[];
  /** One agent, or all of a project. */
  readonly read: (project: string, name: string | null) => Promise<readonly AgentOverview[]>;
  /** Resolves once the wake has ended, with any result. */
  readonly wake: (order: ScheduledWake) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly after: (milliseconds: number, act: () => void) => Disposable;
  readonly onProblem: (message: Sentence) => void;
}

export interface ScheduledWake {
  readonly project: string;
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly slot: number;
}

/** Maximum time between two reads, in case a change was not noticed. Milliseconds. */
const maxRestMs = 3_600_000;
/** Interval between checks of a due agent while another process wakes it. Milliseconds. */
const busyRest = 5000;
/** Pause of a due agent after a failed start: doubled with each failure in a row. Milliseconds. */
const [minPauseMs, maxPauseMs] = [60_000, 30 * 60_000];

/**
 * Wakes agents at their scheduled times, one after the other. Holds one timer, for the next time of any schedule, and reads nothing in between. Each
 * time, the agent's files show whether it is due, and whether another process wakes it.
 */
export class WakeSchedule {
  readonly #ports: SchedulePorts;
  readonly #pauses = new Map<string, { readonly until: number; readonly failures: number }>();
  #timer: Disposable | undefined;
  #dueAt: number | null = null;
  #looking: Promise<void> | undefined;
  #isAskedAgain = false;
  #isOver = false;
  #isUsed = false;

  constructor(ports: SchedulePorts) {
    this.#ports = ports;
  }

  /** The service is in use while an agent waits for its time. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Called at the start, and after every change that may concern a schedule. */
  changed(): void {
    if (this.#isOver) return;
    if (this.#looking === undefined) this.#looking = this.#lookUntilQuiet();
    else this.#isAskedAgain = true;
  }

  /** Compares the clock with the next time: timers stand still while a machine sleeps. */
  noteTime(): void {
    if (this.#looking === undefined && this.#dueAt !== null && this.#ports.now() >= this.#dueAt)
      this.changed();
  }

  /**
   * Starts no further wakes. Resolves when no read is in progress. A running wake is a job, and ends with the
   * jobs.
   */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#rest(null);
    await this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    do {
      try {
        await this.#look();
      } catch (error) {
        this.#ports.onProblem(compose`Schedules of recurring agents cannot be read: ${String(error)}`);
        this.#rest(this.#ports.now() + maxPauseMs);
      }
    } while (this.#wasAskedAgain());
    this.#looking = undefined;
  }

  #wasAskedAgain(): boolean {
    const isRepeated = this.#isAskedAgain;
    this.#isAskedAgain = false;
    return isRepeated && !this.#isOver;
  }

  #goesOn(): boolean {
    return !this.#isOver && this.#ports.isOn();
  }

  async #look(): Promise<void> {
    const { projects, read, now } = this.#ports;
    this.#rest(null);
    if (!this.#goesOn()) {
      this.#isUsed = false;
      return;
    }
    let next: number | null = null;
    for (const project of projects())
      for (const agent of await read(project, null)) {
        const at = await this.#attend(agent);
        if (at !== null) next = Math.min(next ?? at, at);
        if (!this.#goesOn()) return;
      }
    this.#isUsed = next !== null;
    this.#rest(next ?? now() + maxRestMs);
  }

  /** Returns the time of its next check. Null for one without a schedule. */
  async #attend(seen: AgentOverview): Promise<number | null> {
    const { now, read, wake } = this.#ports;
    const { project, name } = seen;
    const key = JSON.stringify([project, name]);
    const { at, slot } = this.#due(seen, key);
    if (slot === null) return at;
    await wake({ project, agent: name, slot });
    const [after] = await read(project, name);
    if (after === undefined) return null;
    // Somebody else who was faster may not have written down yet that the time is taken.
    const isStillDue = !after.isBusy && after.dueSince !== null && after.dueSince <= slot;
    if (isStillDue) {
      const failures = (this.#pauses.get(key)?.failures ?? 0) + 1;
      const pause = Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(failures - 1, 20));
      this.#pauses.set(key, { failures, until: now() + pause });
    } else this.#pauses.delete(key);
    const planned = this.#due(after, key);
    return planned.slot === null ? planned.at : now();
  }

  #due(
    { agent, isAgreed, isBusy, dueSince, nextWake, pausedUntil }: AgentOverview,
    key: string,
  ): { readonly at: number | null; readonly slot: number | null } {
    if (agent?.schedule === undefined || !isAgreed) return { at: null, slot: null };
    const now = this.#ports.now();
    if (dueSince === null) return { at: nextWake, slot: null };
    const own = this.#pauses.get(key)?.until ?? 0;
    // If it is further ahead, the clock was set back since.
    const until = Math.max(pausedUntil ?? 0, own - now > maxPauseMs ? 0 : own);
    if (until > now) return { at: until, slot: null };
    // Somebody else wakes it now.
    return isBusy ? { at: now + busyRest, slot: null } : { at: now, slot: dueSince };
  }

  /** `until`: milliseconds since the epoch; null for nothing. */
  #rest(until: number | null): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#dueAt = until;
    if (until === null || this.#isOver) return;
    const wait = Math.min(maxRestMs, Math.max(0, until - this.#ports.now()));
    this.#timer = this.#ports.after(wait, () => this.changed());
  }
}
