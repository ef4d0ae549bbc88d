import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import type { LearnedItem, LearningStatus } from "../learning-answers.ts";
import { learnedItems } from "../learn/review-items.ts";
import type { LearnReport } from "../learn/run-learn.ts";
import type { TaskName } from "../learn/task.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { learnInThread, type LearningTask } from "./learning-thread.ts";
import { sentence } from "../../base/language.ts";

export interface LearningPorts extends Pick<LearningTask, "env" | "temporary"> {
  readonly userHome: string;
  readonly clock: Clock;
  readonly program: string;
  readonly ledger: Pick<LedgerHost, "ask" | "append">;
  readonly settings: Pick<SettingsStore, "now">;
  /** Null if unknown. */
  readonly isOnBattery: () => boolean | null;
  readonly onProblem: (message: string) => void;
  /** Begins to learn in a thread; handed in by tests. */
  readonly learn?: typeof learnInThread;
}

/** Time without a hook after which the machine counts as idle, and between two looks. Milliseconds. */
const idleTime = 60_000;
/** Minimum time between two automatic runs. Milliseconds. */
const restTime = 15 * 60_000;
/** Pauses that leave most of a core to others, and almost none while a person waits. Milliseconds. */
const pauses = { idle: 50, asked: 1 };

type Mark = Extract<LedgerEntry, { kind: "learned-mark" }>;

/** Learns from past sessions while the machine is idle, and on request. Sends nothing to agents. */
export class LearningHost {
  readonly #ports: LearningPorts;
  #timer: NodeJS.Timeout | undefined;
  #hookAt: number;
  #endedAt: number | null = null;
  #idle: AbortController | null = null;
  #running: Promise<unknown> | null = null;
  #progress: LearningStatus["running"] = null;

  constructor(ports: LearningPorts) {
    this.#ports = ports;
    this.#hookAt = ports.clock.now();
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), idleTime);
    this.#timer.unref();
  }

  /** Notes that an agent works: an automatic run then waits. */
  noteHook(): void {
    this.#hookAt = this.#ports.clock.now();
    this.#idle?.abort();
  }

  /** Begins to learn where the time is right for it. */
  look(): void {
    if (this.#waitsFor() !== null || this.#running !== null) return;
    this.#idle = new AbortController();
    const { onProblem } = this.#ports;
    this.#run(null, { pause: pauses.idle, signal: this.#idle.signal }).then(
      (done) => {
        if (!done.ok && done.reason === "failed") onProblem(`Learning failed: ${done.detail.text}`);
      },
      (error: unknown) => onProblem(`Learning failed: ${String(error)}`),
    );
  }

  /** Does all tasks, or one, now. */
  async run(only: TaskName | null, signal: AbortSignal): Promise<Result<LearnReport>> {
    this.#idle?.abort();
    // Two runs at once would read the same files.
    while (this.#running !== null) await this.#running;
    return await this.#run(only, { pause: pauses.asked, signal });
  }

  status(): LearningStatus {
    const { isOnBattery, settings } = this.#ports;
    return {
      isOn: settings.now().learn,
      running: this.#progress,
      waitsFor: this.#running === null ? this.#waitsFor() : null,
      endedAt: this.#endedAt,
      isOnBattery: isOnBattery(),
    };
  }

  async items(project: string | null): Promise<Result<{ items: LearnedItem[] }>> {
    const book = await this.#ports.ledger.ask("learnedBook", project);
    return book.ok ? succeed({ items: learnedItems(book.value) }) : book;
  }

  async mark(mark: Pick<Mark, "id" | "state" | "text">): Promise<Result<Readonly<Record<string, never>>>> {
    const at = this.#ports.clock.now();
    const done = await this.#ports.ledger.append([{ kind: "learned-mark", ...mark, at }]);
    return done.ok ? succeed({}) : done;
  }

  /** Ends the thread. Its work so far is in the ledger. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  readonly #stopping = new AbortController();

  #waitsFor(): LearningStatus["waitsFor"] {
    const { clock, settings, isOnBattery } = this.#ports;
    const now = clock.now();
    if (!settings.now().learn) return "setting";
    // A clock that was set back must not delay a run.
    if (now - this.#hookAt < idleTime && now >= this.#hookAt) return "agents";
    if (this.#endedAt !== null && now - this.#endedAt < restTime && now >= this.#endedAt) return "time";
    return isOnBattery() === true ? "battery" : null;
  }

  async #run(
    only: TaskName | null,
    { pause, signal }: { readonly pause: number; readonly signal: AbortSignal },
  ): Promise<Result<LearnReport, "cancelled" | "failed">> {
    if (this.#stopping.signal.aborted) return fail("cancelled", sentence("the service ends"));
    const { env, userHome: home, temporary, clock, program, ledger, onProblem } = this.#ports;
    const { learn = learnInThread } = this.#ports;
    // A process's own environment is not a plain object, so it could not be sent to a thread.
    const task = { env: { ...env }, home, temporary, only, pause, now: clock.now() };
    const running = learn(task, {
      program,
      ledger,
      signal: AbortSignal.any([signal, this.#stopping.signal]),
      onProgress: (name, done, of) => {
        this.#progress = { task: name, done, of };
      },
      onProblem: (message) => onProblem(`Learning: ${message.text}`),
    });
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.#running = settled;
    try {
      const done = await running;
      if (done.ok || done.reason === "failed") this.#endedAt = clock.now();
      return done;
    } finally {
      this.#running = null;
      this.#progress = null;
      this.#idle = null;
    }
  }
}
