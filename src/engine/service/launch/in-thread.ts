import { existsSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing/clock.ts";
import { threadLimits } from "../../base/process/thread-limits.ts";
import { freeHomeLock } from "../home-lock.ts";
import { isOwn } from "../../base/lock/owner.ts";
import { serviceEnvironment, type Launched, type LaunchFailure, type SpawnInput } from "./launch.ts";
import type { Machine } from "../../base/process/machine.ts";
import { readRecord } from "../record.ts";

export interface ThreadInput extends Pick<SpawnInput, "home" | "program" | "env" | "userHome"> {
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
}

/**
 * Hosts the service in a thread of this process, for where no process may be started. It serves other windows and
 * terminals too, and ends with this process.
 */
export class ServiceThread {
  readonly #input: ThreadInput;
  #worker: Worker | undefined;
  #isOver = false;
  #ended: Launched["ended"] = Promise.resolve(succeed(undefined));

  constructor(input: ThreadInput) {
    this.#input = input;
  }

  /** A `Launcher`. One that is just ending is waited for. */
  readonly launch = (): Promise<Result<Launched, LaunchFailure>> => {
    if (this.#isOver) return Promise.resolve(fail("forbidden", "who would host the service is ending"));
    if (this.#worker === undefined) this.#ended = this.#begin();
    return Promise.resolve(succeed({ ended: this.#ended }));
  };

  /** Lets its clients go to another service, and ends when it has written what it must. None begins any more. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#worker?.postMessage("stop");
    await this.#ended;
  }

  #begin(): Launched["ended"] {
    const { program, env, userHome } = this.#input;
    let worker: Worker;
    try {
      // A thread has its own copy of the environment, and hears no signals: it is told to stop.
      worker = new Worker(program, {
        env: serviceEnvironment({ env, userHome, isElectron: false }),
        execArgv: [],
        argv: [],
        resourceLimits: threadLimits,
      });
    } catch (error) {
      return Promise.resolve(fail("failed", `a thread cannot be started: ${errorCode(error)}`));
    }
    this.#worker = worker;
    return new Promise((resolve) => {
      let thrown: string | undefined;
      worker.once("error", (error) => (thrown = String(error)));
      worker.once("exit", (code) => {
        this.#worker = undefined;
        const ended =
          code === 0 ? succeed(undefined) : fail("failed", thrown ?? `its thread ended with ${code}`);
        void this.#freeLeft().finally(() => resolve(ended));
      });
    });
  }

  /**
   * A thread that died leaves its lock and its record, and both name this process, which lives: nobody else could tell
   * that they are of no use any more.
   */
  async #freeLeft(): Promise<void> {
    const { home, pid, machine } = this.#input;
    if (!existsSync(home.folder)) return;
    await freeHomeLock("service", this.#input);
    const record = readRecord(home);
    if (record.ok && record.value !== null && isOwn(record.value, pid, machine))
      rmSync(home.record, { force: true });
  }
}
