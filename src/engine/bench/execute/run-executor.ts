import type { BenchState } from "../state/state.ts";
import type { BenchOutcome, BenchPorts, BenchRequest, OnProgress } from "../bench-request.ts";
import type { RunLimits, Trajectory } from "../drivers/driver.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { isEvidence, type BenchRun } from "../run-facts.ts";
import type { PauseReason } from "../bench-entries.ts";
import { processingOf } from "../processes.ts";
import type { BenchPlan } from "../plan.ts";
import { fixtureOf, type GoldenTask } from "../suite/suite.ts";
import { systemProcessors, untilIdle } from "./processors.ts";
import { runTask, type TaskOutcome } from "./run-task.ts";
import { cellKey, type Cell } from "./schedule.ts";
import type { SharedFiles } from "./workspace.ts";

interface RunExecutorOptions {
  readonly request: BenchRequest;
  readonly left: readonly Cell[];
  readonly planned: number;
  readonly plan: BenchPlan;
  readonly state: BenchState;
  readonly prefix: string;
  /** By the fixture's hash. */
  readonly prepared: ReadonlyMap<string, PreparedFixture>;
}

export interface PreparedFixture {
  readonly modules: string | null;
  readonly shared: SharedFiles;
}

type Stopped = Exclude<BenchOutcome["state"], { kind: "done" }>;

/** After so many consecutive runs with a failing environment, the next will fail too. */
const maxInARow = 4;
/** Minimum time between progress events of one run, in milliseconds. */
const reportInterval = 250;

/** Time in milliseconds, tokens are processing tokens. */
const usualLimits: RunLimits = { time: 15 * 60_000, turns: 80, tokens: 400_000 };

/** Makes the remaining runs, several in parallel, until all are done or the benchmark is stopped. */
export class RunExecutor {
  readonly #options: RunExecutorOptions;
  readonly #ports: BenchPorts;
  readonly #onProgress: OnProgress;
  readonly #queue: Cell[];
  /** Processing tokens of runs in progress, by run id: used so far, and expected. */
  readonly #live = new Map<string, { used: number; expected: number }>();
  readonly #attempts = new Map<string, number>();
  /** Ends runs in progress at the cap; `#signal` combines it with the user's cancellation. */
  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;
  /** No run is left to begin. */
  readonly #begun = new AbortController();
  /** Ends the wait for a free processor. */
  readonly #waiting: AbortSignal;
  #spent: number;
  #done: number;
  #inARow = 0;
  #stopped: Stopped | null = null;

  constructor(options: RunExecutorOptions, ports: BenchPorts, signal: AbortSignal, onProgress: OnProgress) {
    this.#options = options;
    this.#ports = ports;
    this.#onProgress = onProgress;
    this.#queue = [...options.left];
    this.#signal = AbortSignal.any([signal, this.#ended.signal]);
    this.#waiting = AbortSignal.any([this.#signal, this.#begun.signal]);
    this.#spent = options.state.runs.reduce((sum, run) => sum + spentOn(run), 0);
    this.#done = options.planned - options.left.length;
    for (const run of options.state.runs) this.#attempted(run);
  }

  /** Returns why it stopped, or null when all runs are made. */
  async make(): Promise<Stopped | null> {
    const workers = Math.min(this.#options.request.parallel, this.#queue.length);
    await Promise.all(Array.from({ length: workers }, (_, index) => this.#work(index > 0)));
    if (this.#stopped !== null) return this.#stopped;
    return this.#signal.aborted ? { kind: "cancelled" } : null;
  }

  /** @param isExtra whether its runs wait while the machine is busy. The first one works on any machine. */
  async #work(isExtra: boolean): Promise<void> {
    for (;;) {
      if (isExtra) await untilIdle(this.#ports.processors ?? systemProcessors, this.#waiting);
      const cell = this.#signal.aborted || this.#stopped !== null ? undefined : this.#queue.shift();
      if (cell === undefined) {
        this.#begun.abort();
        return;
      }
      const id = this.#idOf(cell);
      const refused = await this.#refusal(id, cell);
      if (refused !== null) {
        this.#queue.unshift(cell);
        this.#pause(...refused);
        return;
      }
      await this.#makeOne(id, cell);
    }
  }

  /** Returns the run id of a cell; a repeat after a failing environment gets a suffix. */
  #idOf(cell: Cell): string {
    const before = this.#attempts.get(cellKey(cell)) ?? 0;
    return `${this.#options.request.id}:${cellKey(cell)}${before === 0 ? "" : `#${before + 1}`}`;
  }

  #attempted(cell: Pick<Cell, "side" | "taskId" | "round">): void {
    this.#attempts.set(cellKey(cell), (this.#attempts.get(cellKey(cell)) ?? 0) + 1);
  }

  get #expected(): number {
    const made = this.#options.state.runs.filter(isEvidence);
    if (made.length === 0) return this.#options.plan.expected.perRun;
    return made.reduce((sum, { processingTokens }) => sum + processingTokens, 0) / made.length;
  }

  async #refusal(id: string, { agent, side }: Cell): Promise<[PauseReason, Sentence] | null> {
    if (this.#ports.driver.name === "replay") return null;
    const { tokenCap, configurations } = this.#options.request;
    const expected = Math.round(this.#expected);
    const reserved = [...this.#live.values()].reduce(
      (sum, { used, expected: then }) => sum + Math.max(used, then),
      0,
    );
    if (tokenCap !== null && this.#spent + reserved + expected > tokenCap)
      return [
        "token-cap",
        sentence("{0} of {1} tokens are spent, and a run takes about {2}", this.#spent, tokenCap, expected),
      ];
    this.#live.set(id, { used: 0, expected });
    const model = configurations[side]?.model ?? "";
    const may = await this.#ports.mayRun({
      benchId: this.#options.request.id,
      runId: id,
      agent,
      model,
      tokens: expected,
    });
    if (may.allowed) return null;
    this.#live.delete(id);
    return ["budget", may.detail];
  }

  async #makeOne(id: string, cell: Cell): Promise<void> {
    const { request, state } = this.#options;
    const configuration = request.configurations[cell.side];
    const task = request.suite.tasks.find((each) => each.id === cell.taskId && each.agent === cell.agent);
    const golden = request.suite.agents.find(({ name }) => name === cell.agent);
    if (configuration === undefined || task === undefined || golden === undefined)
      throw new Error(`the schedule has ${cellKey(cell)}, which the bench does not`);
    const about = { id, side: cell.side, agent: cell.agent, taskId: cell.taskId, round: cell.round };
    const startedAt = this.#ports.clock.now();
    this.#onProgress({ kind: "started", run: about, at: startedAt });
    const live = new ProgressThrottle((trajectory) => {
      const { usage, turns, toolCalls, tool } = trajectory;
      const processingTokens = processingOf(trajectory);
      const elapsedMs = this.#ports.clock.now() - startedAt;
      const figures = { usage, turns, toolCalls, tool, processingTokens, startedAt, elapsedMs };
      this.#onProgress({ kind: "live", run: { ...about, ...figures } });
    }, this.#ports.clock);
    const { prefix } = this.#options;
    const { shared, modules } = this.#preparedFor(task);
    const definition = configuration.definition ?? golden.definition;
    const outcome = await runTask(
      {
        benchId: request.id,
        id,
        cell,
        suite: request.suite,
        configuration,
        task,
        definition,
        limits: { ...usualLimits, ...request.limits },
        modules,
        prefix,
        damage: () => shared.damage(),
        onTrajectory: (trajectory) => {
          this.#used(id, processingOf(trajectory));
          live.report(trajectory);
        },
      },
      this.#ports,
      this.#signal,
    );
    live.finish();
    const run: BenchRun = { ...outcome.run, trajectory: await this.#keep(outcome) };
    await state.add(run);
    this.#live.delete(id);
    this.#spent += spentOn(run);
    await this.#ports.recorder.record(run, task.title);
    await this.#concluded(cell, run, shared);
  }

  #preparedFor(task: GoldenTask): PreparedFixture {
    const prepared = this.#options.prepared.get(fixtureOf(this.#options.request.suite, task).hash);
    if (prepared === undefined) throw new Error(`the fixture of ${task.id} was not prepared`);
    return prepared;
  }

  async #keep({ run, turns, changes, checkOutput }: TaskOutcome): Promise<string | null> {
    if (turns.length === 0) return null;
    const { driver, sessionId } = run;
    const by = run.recordedBy ?? run.model;
    return await this.#options.state.writeTrajectory(run, {
      format: 1,
      driver,
      by,
      sessionId,
      turns,
      changes,
      checkOutput,
    });
  }

  async #concluded(cell: Cell, run: BenchRun, shared: SharedFiles): Promise<void> {
    this.#attempted(run);
    if (isEvidence(run)) this.#done += 1;
    this.#onProgress({ kind: "ended", run, done: this.#done, of: this.#options.planned });
    if (run.outcome !== "environment") {
      if (run.outcome !== "cancelled") this.#inARow = 0;
      return;
    }
    this.#inARow += 1;
    this.#queue.unshift(cell);
    const detail = run.detail ?? sentence("the agent could not work");
    // The files that all copies share have changed: no later run would measure the same work.
    const isDamaged = (await shared.damage()).length > 0;
    if (isDamaged || this.#inARow >= maxInARow) this.#pause("environment", detail);
  }

  /** Enforces the cap: ends runs in progress when they reach it. */
  #used(id: string, used: number): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.used = used;
    const { tokenCap } = this.#options.request;
    if (tokenCap === null || this.#stopped !== null) return;
    const now = [...this.#live.values()].reduce((sum, each) => sum + each.used, this.#spent);
    if (now < tokenCap) return;
    this.#pause("token-cap", sentence("{0} of {1} tokens are spent", now, tokenCap));
    this.#ended.abort();
  }

  #pause(reason: PauseReason, detail: Sentence): void {
    this.#stopped ??= { kind: "paused", reason, detail };
  }
}

/** Processing tokens the run has cost; a replay costs none. */
function spentOn({ driver, processingTokens }: BenchRun): number {
  return driver === "replay" ? 0 : processingTokens;
}

/** Limits how often a run's progress is reported; the last state is always reported. */
class ProgressThrottle {
  readonly #report: (trajectory: Trajectory) => void;
  readonly #clock: BenchPorts["clock"];
  #reportedAt = -Infinity;
  #unreported: Trajectory | null = null;

  constructor(report: (trajectory: Trajectory) => void, clock: BenchPorts["clock"]) {
    this.#report = report;
    this.#clock = clock;
  }

  report(trajectory: Trajectory): void {
    this.#unreported = trajectory;
    if (this.#clock.now() - this.#reportedAt >= reportInterval) this.finish();
  }

  finish(): void {
    if (this.#unreported === null) return;
    this.#report(this.#unreported);
    this.#reportedAt = this.#clock.now();
    this.#unreported = null;
  }
}
