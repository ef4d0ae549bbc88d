/** The ledger's thread. */
import { Worker } from "node:worker_threads";
import { Emitter } from "../base/events.ts";
import { type Result, succeed } from "../base/result.ts";
import { threadEnvironment, threadLimits } from "../base/process.ts";
import type { Anomaly, Freshness } from "./ledger-answers.ts";
import { RemoteCollecting, type Collecting, type CollectTask } from "./collect/collecting.ts";
import type { LedgerEntry } from "./entries/entries-entry.ts";
import type { ExportOptions, SharedExportOptions } from "./export-ledger.ts";
import type {
  CallName,
  LedgerCalls,
  LedgerProblem,
  LedgerReply,
  LedgerTask,
  OpenedLedger,
  RestoreTask,
} from "./thread/protocol.ts";
import type { OpenReason } from "./store/open.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "./questions/questions.ts";
import type { RestoreReason, RestoreReport } from "./store/restore.ts";

export { describeOpening } from "./store/opening-report.ts";
export type { OpenReason } from "./store/open.ts";

type Answer<Name extends CallName> = Promise<LedgerCalls[Name]["answer"]>;

interface Waiting {
  readonly settle: (answer: never) => void;
  readonly fault: (error: Error) => void;
}

/**
 * Opens the ledger in a separate thread.
 *
 * @param workerPath the built `ledger-worker`
 */
export async function openLedgerThread(
  task: LedgerTask,
  workerPath: string | URL,
): Promise<Result<LedgerThread, OpenReason>> {
  const calls = new ThreadCalls(
    new Worker(workerPath, { resourceLimits: threadLimits, env: threadEnvironment() }),
  );
  const opened = await calls.ask("open", task);
  if (opened.ok) return succeed(new LedgerThread(calls, opened.value));
  await calls.end();
  return opened;
}

/** Runs `restoreLedger` in a thread that ends with it. @param workerPath the built `ledger-worker` */
export async function restoreInThread(
  task: RestoreTask,
  workerPath: string | URL,
): Promise<Result<RestoreReport, RestoreReason>> {
  const calls = new ThreadCalls(
    new Worker(workerPath, { resourceLimits: threadLimits, env: threadEnvironment() }),
  );
  try {
    return await calls.ask("restore", task);
  } finally {
    await calls.end();
  }
}

/**
 * A ledger in another thread: answers the same as `Ledger`, asynchronously. A call rejects when the thread has died.
 */
export class LedgerThread {
  readonly report: OpenedLedger["report"];
  readonly readOnly: OpenedLedger["readOnly"];
  /** Like `Ledger.onAppend`. */
  readonly onAppend: Emitter<number>["on"];
  /** Fires when background work of the thread failed. It is retried later; until then the journal holds everything. */
  readonly onProblem: Emitter<LedgerProblem>["on"];
  /** Fires for each new anomaly that is at most a day old, once. */
  readonly onAnomaly: Emitter<Anomaly>["on"];
  /** Fires once, when the thread died by itself: later calls are not answered. */
  readonly onDeath: Emitter<Error>["on"];
  readonly #calls: ThreadCalls;

  constructor(calls: ThreadCalls, { report, readOnly }: OpenedLedger) {
    this.#calls = calls;
    this.report = report;
    this.readOnly = readOnly;
    this.onAppend = calls.appended.on;
    this.onProblem = calls.problems.on;
    this.onAnomaly = calls.anomalies.on;
    this.onDeath = calls.deaths.on;
  }

  append(entries: readonly LedgerEntry[]): Answer<"append"> {
    return this.#calls.ask("append", entries);
  }

  /** Prices follow these settings from now on. */
  async configure(models: unknown): Promise<void> {
    await this.#calls.ask("configure", { models });
  }

  ask<Name extends QuestionName>(name: Name, asked: QuestionParams<Name>): Promise<QuestionAnswer<Name>> {
    return this.#calls.question(name, asked);
  }

  snapshot(): Answer<"snapshot"> {
    return this.#calls.ask("snapshot", null);
  }

  compact(): Answer<"compact"> {
    return this.#calls.ask("compact", null);
  }

  check(): Promise<readonly string[]> {
    return this.#calls.ask("check", null);
  }

  backup(file: string): Answer<"backup"> {
    return this.#calls.ask("backup", file);
  }

  /** Streams the export at the reader's pace. */
  async *export(options: ExportOptions | SharedExportOptions): AsyncGenerator<Uint8Array> {
    const stream = await this.#calls.ask("export", options);
    try {
      for (;;) {
        const bytes = await this.#calls.ask("next", stream);
        if (bytes === null) return;
        yield bytes;
      }
    } finally {
      await this.#calls.ask("stop", stream);
    }
  }

  /**
   * Collects agents' transcripts into the ledger, and follows them.
   *
   * @param onProblem receives a description of each problem that collecting survives; for the log
   */
  collect({ env, home, roots = [] }: CollectTask, onProblem: (message: string) => void): Collecting {
    const calls = this.#calls;
    calls.complaints.on(onProblem);
    // Copies the variables into a plain object: `process.env` itself cannot be posted to a thread.
    const started = calls.ask("collect", { env: { ...env }, home, roots });
    // When the thread has died, every later call rejects; this rejection needs no handler of its own.
    started.catch(() => undefined);
    return new RemoteCollecting({
      onFreshness: calls.freshness.on,
      catchUp: () => calls.ask("catchUp", null),
      addRoots: (added) =>
        void calls
          .ask("addRoots", added)
          .catch((error: unknown) => onProblem(`Added folders are not collected from: ${String(error)}`)),
      stop: () => calls.ask("stopCollecting", null),
    });
  }

  async close(): Promise<void> {
    await this.#calls.ask("close", null);
    await this.#calls.end();
  }
}

/** Numbers the requests to the thread and matches its replies. */
class ThreadCalls {
  readonly appended = new Emitter<number>();
  readonly problems = new Emitter<LedgerProblem>();
  readonly anomalies = new Emitter<Anomaly>();
  readonly freshness = new Emitter<Freshness>();
  readonly complaints = new Emitter<string>();
  readonly deaths = new Emitter<Error>();
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #death: Error | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    // The reply's id finds its caller, who knows the answer's type.
    worker.on("message", (reply: LedgerReply<never>) => this.#handleReply(reply));
    worker.once("error", (error) => this.#die(error instanceof Error ? error : new Error(String(error))));
    worker.once("exit", () => this.#die(new Error("the ledger's thread has ended")));
  }

  ask<Name extends CallName>(call: Name, asked: LedgerCalls[Name]["asked"]): Answer<Name> {
    return this.#send({ call, asked });
  }

  question<Name extends QuestionName>(
    question: Name,
    asked: QuestionParams<Name>,
  ): Promise<QuestionAnswer<Name>> {
    return this.#send({ question, asked });
  }

  #send<Value>(request: object): Promise<Value> {
    return new Promise((settle, fault) => {
      if (this.#death !== null) {
        fault(this.#death);
        return;
      }
      const id = (this.#last += 1);
      this.#waiting.set(id, { settle, fault });
      this.#worker.postMessage({ id, ...request });
    });
  }

  async end(): Promise<void> {
    this.deaths.dispose();
    await this.#worker.terminate();
    for (const emitter of [this.appended, this.problems, this.anomalies, this.freshness, this.complaints])
      emitter.dispose();
  }

  #handleReply(reply: LedgerReply<never>): void {
    if (reply.kind === "appended") this.appended.fire(reply.last);
    else if (reply.kind === "anomaly") this.anomalies.fire(reply.anomaly);
    else if (reply.kind === "problem") this.problems.fire(reply.problem);
    else if (reply.kind === "freshness") this.freshness.fire(reply.freshness);
    else if (reply.kind === "complaint") this.complaints.fire(reply.message);
    else {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.kind === "answer") waiting?.settle(reply.answer);
      else waiting?.fault(new Error(reply.message));
    }
  }

  #die(death: Error): void {
    const isFirst = this.#death === null;
    this.#death ??= death;
    for (const { fault } of this.#waiting.values()) fault(this.#death);
    this.#waiting.clear();
    if (isFirst) this.deaths.fire(this.#death);
  }
}

/** The part of `LedgerThread` that its clients use. */
export type LedgerApi = Pick<
  LedgerThread,
  | "report"
  | "readOnly"
  | "ask"
  | "append"
  | "collect"
  | "configure"
  | "snapshot"
  | "compact"
  | "check"
  | "backup"
  | "close"
  | "onAppend"
  | "onAnomaly"
  | "onProblem"
  | "onDeath"
>;
