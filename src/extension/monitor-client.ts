import { homedir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { LiveSnapshot } from "../engine/context/monitor.ts";
import type { MonitorReport, MonitorRequest } from "../engine/context/monitor-messages.ts";
import { readContextSettings, readEnvironment } from "./settings.ts";

/** How the engine's thread is doing. `failed` says why in words a person can act on. */
export type MonitorState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly snapshot: LiveSnapshot }
  | { readonly kind: "failed"; readonly reason: string };

/** A thread that dies this often without ever getting ready is not started again by itself. */
const mostFailures = 3;
const pause = 2000;

/** Runs the engine in a thread of its own, so that reading transcripts never holds up the extension host. */
export class MonitorClient implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<MonitorState>();
  readonly onChange = this.#changes.event;
  readonly #folder: string;
  readonly #log: vscode.LogOutputChannel;
  #worker: Worker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #failures = 0;
  state: MonitorState = { kind: "starting" };

  /** @param folder where the built threads are */
  constructor(folder: string, log: vscode.LogOutputChannel) {
    this.#folder = folder;
    this.#log = log;
  }

  start(): void {
    this.#stop();
    const worker = new Worker(path.join(this.#folder, "monitor-worker.cjs"));
    this.#worker = worker;
    worker.on("message", (report: MonitorReport) => this.#heard(report));
    worker.on("error", (error: Error) => this.#failed(worker, error.stack ?? error.message));
    this.#send({
      kind: "start",
      task: {
        env: readEnvironment(),
        home: homedir(),
        learnWorker: path.join(this.#folder, "learn-worker.cjs"),
        settings: readContextSettings(),
      },
    });
  }

  /** Begins anew after a failure, because a person asked. */
  retry(): void {
    this.#failures = 0;
    this.#become({ kind: "starting" });
    this.start();
  }

  configure(): void {
    this.#send({ kind: "configure", settings: readContextSettings() });
  }

  dispose(): void {
    this.#stop();
    this.#changes.dispose();
  }

  #heard(report: MonitorReport): void {
    if (report.kind === "problem") {
      this.#log.warn(report.message);
      return;
    }
    this.#failures = 0;
    this.#become({ kind: "ready", snapshot: report.snapshot });
  }

  #failed(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#failures += 1;
    this.#log.error(`The thread that reads transcripts stopped: ${reason}`);
    if (this.#failures < mostFailures) this.#restart = setTimeout(() => this.start(), pause);
    else this.#become({ kind: "failed", reason });
  }

  #become(state: MonitorState): void {
    this.state = state;
    this.#changes.fire(state);
  }

  #send(request: MonitorRequest): void {
    this.#worker?.postMessage(request);
  }

  #stop(): void {
    clearTimeout(this.#restart);
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
