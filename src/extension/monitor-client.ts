import { homedir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { LiveSnapshot } from "../engine/context/live-snapshot.ts";
import type { MonitorReport, MonitorRequest } from "../engine/context/monitor-messages.ts";
import { readContextSettings, readEnvironment } from "./settings.ts";

/** How the engine's thread is doing. `failed` says why in words a person can act on. */
export type MonitorState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly snapshot: LiveSnapshot }
  | { readonly kind: "failed"; readonly reason: string };

/** A thread that ends this often, each time soon after its start, is not started again by itself. */
const mostFailures = 3;
/** A thread that lasted this long was well: its end is the first of its kind. Milliseconds. */
const lasting = 60_000;
const pause = 2000;

/** Runs the engine in a thread of its own, so that reading transcripts never holds up the extension host. */
export class MonitorClient implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<MonitorState>();
  readonly onChange = this.#changes.event;
  readonly #folder: string;
  readonly #log: vscode.LogOutputChannel;
  #worker: Worker | undefined;
  #startedAt = 0;
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
    this.#startedAt = performance.now();
    const task = {
      env: readEnvironment(),
      home: homedir(),
      learnWorker: path.join(this.#folder, "learn-worker.cjs"),
      settings: readContextSettings(),
    };
    try {
      this.#worker = this.#begin();
      this.#send({ kind: "start", task });
    } catch (error) {
      this.#failed(this.#worker, inWords(error));
    }
  }

  /** Begins anew because a person asked; ends when it is known how that went. What is known stays shown until then. */
  async retry(): Promise<void> {
    this.#failures = 0;
    if (this.state.kind === "failed") this.#become({ kind: "starting" });
    const told = new Promise<void>((resolve) => {
      const listener = this.onChange(({ kind }) => {
        if (kind === "starting") return;
        listener.dispose();
        resolve();
      });
    });
    this.start();
    await told;
  }

  configure(): void {
    this.#send({ kind: "configure", settings: readContextSettings() });
  }

  dispose(): void {
    this.#stop();
    this.#changes.dispose();
  }

  /** What a thread says after it was replaced is old, and that it ended is no news. */
  #begin(): Worker {
    const worker = new Worker(path.join(this.#folder, "monitor-worker.cjs"));
    worker.on("message", (report: MonitorReport) => {
      if (worker === this.#worker) this.#heard(report);
    });
    worker.on("error", (error: unknown) => this.#failed(worker, inWords(error)));
    worker.on("exit", (code) => this.#failed(worker, `it ended with code ${code}`));
    return worker;
  }

  #heard(report: MonitorReport): void {
    if (report.kind === "problem") this.#log.warn(report.message);
    else this.#become({ kind: "ready", snapshot: report.snapshot });
  }

  #failed(worker: Worker | undefined, reason: string): void {
    if (worker !== this.#worker) return;
    this.#stop();
    if (performance.now() - this.#startedAt > lasting) this.#failures = 0;
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

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
